/** The bridge: verifies an old password against the vault, and with the first right one makes it the core's own. */

import { normalizeEmail } from "../contact/email.js";
import type { Core, ImportRequest, ReplaceOutcome } from "../core/core.js";
import { CoreFailure, unlessNotOffered } from "../core/core-failure.js";
import type { KeptPassword } from "../hash/legacy/kept-password.js";
import { hashPassword } from "../hash/verify.js";
import type { StandIn } from "../vault/stand-in.js";
import type { Vault, VaultRecord } from "../vault/vault.js";

/** What a sign-in asks. */
export interface Credentials {
  /** As the user typed it. */
  readonly email: string;
  readonly password: string;
}

/** What the bridge says of a sign-in: an unknown user is wrong, too. */
export type BridgeAnswer =
  | { readonly status: "OK" }
  | { readonly status: "WRONG_CREDENTIALS_ERROR" }
  /** The vendor asks for a second factor behind the right password, and the core wouldn't. */
  | { readonly status: "FACTOR_LOST" }
  /** Ten attempts in a quarter of an hour: for known and unknown users alike. */
  | { readonly status: "TOO_MANY_ATTEMPTS"; readonly retryAfterMs: number };

/**
 * Whether a password is the one that is kept.
 *
 * @param isKnown false for the record of another user, in the place of one without a record
 * @returns `factor` for a right one of a user who isn't let in by it alone
 */
export type Fits = (
  kept: KeptPassword,
  user: Credentials,
  isKnown: boolean,
) => Promise<boolean | "factor">;

/** What a bridge works on. */
interface BridgeOptions {
  readonly vault: Vault;
  readonly core: Core;
  readonly fits: Fits;
  /** Epoch milliseconds; the clock by default. */
  readonly now?: () => number;
  /** Called when a right old password comes and the core has neither the user's stand-in nor, as far as is known, a password that the user has set. */
  readonly onUnmatched?: (() => void) | undefined;
  /** Makes the hash that the core gets; argon2id by default. */
  readonly hash?: (password: string) => Promise<string>;
}

const OK: BridgeAnswer = { status: "OK" };
const WRONG: BridgeAnswer = { status: "WRONG_CREDENTIALS_ERROR" };
const FACTOR_LOST: BridgeAnswer = { status: "FACTOR_LOST" };

/**
 * Verifies old passwords. A user whom it lets in has their password at the core from then on, and is
 * in the vault no longer. It answers `WRONG_CREDENTIALS_ERROR` only where the password is known to
 * be wrong: trouble is thrown.
 */
export class Bridge {
  readonly #vault: Vault;
  readonly #core: Core;
  readonly #fits: Fits;
  readonly #now: () => number;
  readonly #onUnmatched: () => void;
  readonly #hash: (password: string) => Promise<string>;
  readonly #unguarded = { times: 0, ms: 0, mostMs: 0 };
  /** The last call to the core failed: it is asked whether it is back before an attempt is taken. */
  #coreIsAway = false;
  /** Sign-ins under way, by email and password: those that are alike share one answer. */
  readonly #underWay = new Map<string, Promise<BridgeAnswer>>();
  /** The last user's password on its way to the core, by email. */
  readonly #carrying = new Map<string, Promise<boolean>>();

  constructor(options: BridgeOptions) {
    this.#vault = options.vault;
    this.#core = options.core;
    this.#fits = options.fits;
    this.#now = options.now ?? Date.now;
    this.#onUnmatched = options.onUnmatched ?? (() => {});
    this.#hash = options.hash ?? hashPassword;
  }

  /** How often there was a time in which a password set at the core would have been rolled back, and how long it was; only at a remote core. */
  get unguarded(): Readonly<Record<"times" | "ms" | "mostMs", number>> {
    return this.#unguarded;
  }

  /**
   * Whether this is the user's password: the old one, or by now the core's.
   *
   * @throws CoreFailure where the core can't be asked, or the bridge is being closed; RunError
   *   `vault_missing`, `disk`, `hash_too_costly`, `outage`
   */
  verify({ email: typed, password }: Credentials): Promise<BridgeAnswer> {
    const email = normalizeEmail(typed) ?? typed;
    const key = JSON.stringify([email, password]);
    const shared = this.#underWay.get(key);
    if (shared !== undefined) return shared;
    const answer = this.#verifyOnce(email, password).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, answer);
    return answer;
  }

  /** Waits until no sign-in is under way. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#underWay.values());
  }

  /**
   * A failure gives no attempt back: how long it took would tell a right password from a wrong one,
   * and it could be tried again and again. So the core is asked before an attempt whether it is back.
   */
  async #verifyOnce(email: string, password: string): Promise<BridgeAnswer> {
    if (this.#coreIsAway) await this.#core.probe();
    this.#coreIsAway = false;
    try {
      return await this.#verifyByAttempt(email, password);
    } catch (error) {
      this.#coreIsAway = error instanceof CoreFailure;
      throw error;
    }
  }

  async #verifyByAttempt(email: string, password: string): Promise<BridgeAnswer> {
    const retryAfterMs = await this.#vault.takeAttempt(email, this.#now());
    if (retryAfterMs !== null) return { status: "TOO_MANY_ATTEMPTS", retryAfterMs };
    const record = this.#vault.get(email);
    const looked = record ?? this.#vault.decoy(email);
    const user = { email, password };
    const fits = looked !== null && (await this.#fits(looked, user, record !== null));
    if (record !== null && fits === "factor") return FACTOR_LOST;
    if (record !== null && fits && (await this.#carryOverInTurn(email, password))) return OK;
    // It may have been carried over since, by a sign-in at the same time or before a kill.
    const { status } = await this.#core.signIn({ email, password });
    if (status !== "OK") return WRONG;
    // The user's password is at the core, so that what is kept is of no use any more.
    if (record === null) await this.#vault.forgetAttempts(email);
    else await this.#vault.erase(email);
    return OK;
  }

  /** One after the other for a user: more than one spelling of a password may be right. */
  #carryOverInTurn(email: string, password: string): Promise<boolean> {
    const before = this.#carrying.get(email) ?? Promise.resolve(false);
    const carryOver = (): boolean | Promise<boolean> => {
      const record = this.#vault.get(email);
      return record !== null && this.#carryOver(email, password, record);
    };
    const carried = before.then(carryOver, carryOver);
    this.#carrying.set(email, carried);
    const forget = (): void => {
      if (this.#carrying.get(email) === carried) this.#carrying.delete(email);
    };
    carried.then(forget, forget);
    return carried;
  }

  /**
   * Makes the password the core's own, unless another was set there since. A kill at any point
   * leaves either the record, and the next sign-in does it again, or the password at the core. Where
   * it isn't known what is at the core, the record is kept: the vault may be an older copy.
   */
  async #carryOver(email: string, password: string, { standIns }: VaultRecord): Promise<boolean> {
    const passwordHash = await this.#hash(password);
    let isUnclear = false;
    for (const standIn of standIns) {
      const status = await this.#replace(standIn, { email, passwordHash });
      // An import that was killed may have kept the hash of a user who isn't at the core yet.
      if (status === "UNKNOWN_USER") return false;
      if (status === "OK") {
        await this.#vault.erase(email);
        return true;
      }
      isUnclear ||= status === "OTHER";
    }
    if (isUnclear) {
      await this.#vault.markUnmatched(email);
      this.#onUnmatched();
    } else {
      // No stand-in of this migration is there: the user has set a password at the core.
      await this.#vault.erase(email);
    }
    return false;
  }

  /**
   * Puts the user's hash in the place of a stand-in, and never in the place of a password that was set
   * since. An embedded core compares and writes at once. A remote core has no such call: it is asked
   * immediately before the import whether the stand-in still signs in, so no password that was set by
   * then is rolled back.
   *
   * @returns `UNKNOWN_USER` also where the core doesn't say that the user is there
   */
  async #replace(
    { hash: currentHash, password }: StandIn,
    user: ImportRequest,
  ): Promise<ReplaceOutcome["status"]> {
    const core = this.#core;
    const request = { ...user, currentHash };
    const guarded = await unlessNotOffered(() => core.replacePassword(request), null);
    if (guarded !== null) return guarded.status;
    const { email } = user;
    const start = performance.now();
    const { status } = await core.signIn({ email, password });
    if (status === "OK") {
      await core.importUser(user);
      this.#countUnguarded(performance.now() - start);
      return "OK";
    }
    const users = await unlessNotOffered(() => core.findUsers({ email }), []);
    // Whether it is another stand-in, no remote core says.
    return users.some(({ recipe }) => recipe === "emailpassword") ? "OTHER" : "UNKNOWN_USER";
  }

  #countUnguarded(ms: number): void {
    this.#unguarded.times += 1;
    this.#unguarded.ms += ms;
    this.#unguarded.mostMs = Math.max(this.#unguarded.mostMs, ms);
  }
}
