/** Proves test users on this machine: normalizes their hashes as the import does, verifies their passwords, and where one fails finds out why. It calls no core. */

import type { HashAlgorithm, HashVerdict } from "../hash/hash.js";
import { bareText } from "../hash/open.js";
import { parseVendorScrypt } from "../hash/vendor-scrypt.js";
import { columnCanVouch, ODD_LENGTH } from "../stage/hash-column.js";
import { judgeHash } from "../stage/plan-row.js";
import { shownRefusal } from "../plan/bridged-hash.js";
import { hashKind, isRefusal, planUser } from "../plan/plan.js";
import { tellableId } from "../account/tellable-id.js";
import {
  explainByPreHash,
  explainRefusal,
  fits,
  isBlind,
  type ProofOptions,
  tryFormat,
  wrongPassword,
} from "./explain.js";
import type { FoundUser } from "./find-users.js";
import { HINTS, notImported } from "./hints.js";
import type { Proof, Reason, Unproved } from "./proof.js";
import {
  attemptScrypt,
  explainByKeys,
  explainByOthers,
  explainByParameters,
  type ScryptAttempt,
} from "./scrypt-proof.js";

/** A test user: what {@link findUsers} says, and the password. */
export interface Subject {
  readonly found: FoundUser | null;
  readonly password: string;
}

/** A user whose hash would be sent. */
interface Attempt {
  readonly user: number;
  readonly found: FoundUser;
  readonly password: string;
  readonly algorithm: HashAlgorithm;
  readonly hash: string;
  readonly steps: readonly string[];
  readonly scrypt: ScryptAttempt | null;
  /** Null until it is known why. */
  readonly result: "proved" | Reason | null;
}

/** Failures that are looked into: each may cost some dozens of sign-ins, and a thousand an hour. */
const MOST_EXPLAINED = 20;
const TOO_LONG: Reason = { code: "password_too_long", hint: HINTS.password_too_long };
const UNEXPLAINED: Reason = { code: "unexplained", hint: HINTS.unexplained };

/** What the attempts of one proof share. */
interface Work {
  readonly options: ProofOptions;
  /** All attempts at vendor scrypt hashes. */
  readonly scrypts: ScryptAttempt[];
  /** Failures that may still be looked into. */
  left: number;
}

/**
 * Verifies the password of every test user against the hash that an import would send. Why one
 * fails is looked into for the first twenty failures.
 *
 * @returns one proof for each subject, in order
 * @throws the signal's reason where it was aborted
 */
export async function proveUsers(
  subjects: readonly Subject[],
  options: ProofOptions,
): Promise<Proof[]> {
  const work: Work = { options, scrypts: [], left: MOST_EXPLAINED };
  const attempts: (Attempt | Proof)[] = [];
  for (const [index, subject] of subjects.entries()) {
    options.signal?.throwIfAborted();
    attempts.push(await attempt(index + 1, subject, work));
  }
  const proofs: Proof[] = [];
  for (const one of attempts) {
    options.signal?.throwIfAborted();
    proofs.push("ok" in one ? one : await conclude(one, work));
  }
  return proofs;
}

async function attempt(
  user: number,
  { found, password }: Subject,
  work: Work,
): Promise<Attempt | Proof> {
  const { options } = work;
  if (found === null) {
    return refuse(user, null, { code: "user_not_found", hint: HINTS.user_not_found });
  }
  const { record } = found;
  const verdict = await judgeSubject(found, password, options);
  if (verdict.verdict === "none") {
    return refuse(user, found, { code: "no_password", hint: HINTS.no_password });
  }
  const plan = planUser(record, verdict, options.policy, undefined, found.input.vendor);
  // An import of this user fails for more than the hash, and so would one that keeps the hash.
  if (isRefusal(plan) && !(verdict.verdict === "refused" && plan.code === verdict.code)) {
    return refuse(user, found, { code: "not_imported", hint: notImported(plan) });
  }
  const kept = plan.kind === "import" ? plan.bridged : undefined;
  // A proof asks no vendor.
  const asHash = kept === undefined || "upstream" in kept ? null : kept;
  const tried = asHash === null ? null : await tryFormat(asHash, password);
  const kind = hashKind(plan, verdict);
  if (kind !== null && tried !== null && "fit" in tried && tried.fit === true) {
    const steps = [`will be bridged (${tried.format})`];
    return {
      ...triedOf(user, found, steps),
      ok: true,
      row: found.row,
      algorithm: kind,
      bridged: true,
    };
  }
  if (verdict.verdict === "refused") {
    work.left -= 1;
    const trial = { tried, isTried: work.left >= 0 };
    const shown = isRefusal(plan)
      ? plan
      : shownRefusal(record, verdict, options.policy, found.input.vendor, false);
    const reason = await explainRefusal({ found, password }, shown, options, trial);
    return refuse(user, found, reason);
  }
  if (plan.kind !== "import") {
    return refuse(user, found, { code: "not_imported", hint: HINTS.hash_without_email });
  }
  const { algorithm, hash, steps } = verdict;
  const base = { user, found, password, algorithm, hash, steps };
  const parts = algorithm === "vendor_scrypt" ? parseVendorScrypt(hash) : null;
  if (parts !== null) {
    const scrypt = await attemptScrypt(user, parts, password, options.signerKeys.key);
    work.scrypts.push(scrypt);
    return { ...base, scrypt, result: scrypt.proved ? "proved" : null };
  }
  const verified = await fits(hash, password, options);
  if (verified !== true) return { ...base, scrypt: null, result: verified || null };
  return { ...base, scrypt: null, result: isBlind(algorithm, password) ? TOO_LONG : "proved" };
}

/**
 * The verdict of an import. It takes some argon2 outputs because of their whole column, which a
 * proof doesn't read: such a hash is whole where the password fits it.
 */
async function judgeSubject(
  { record: { hash }, input }: FoundUser,
  password: string,
  options: ProofOptions,
): Promise<HashVerdict> {
  const context = { ...options, vendor: input.vendor };
  const verdict = judgeHash(hash, context);
  const isOdd = verdict.verdict === "refused" && verdict.code === ODD_LENGTH;
  if (!isOdd || hash === null || !columnCanVouch(bareText(hash))) return verdict;
  const whole = judgeHash(hash, context, "argon2-any");
  if (whole.verdict !== "accepted") return verdict;
  return (await fits(whole.hash, password, options)) === true ? whole : verdict;
}

async function conclude(one: Attempt, work: Work): Promise<Proof> {
  const { user, found, algorithm, steps } = one;
  const tried = triedOf(user, found, steps);
  if (one.result === "proved")
    return { ...tried, ok: true, row: found.row, algorithm, bridged: false };
  const { scrypts, options } = work;
  // What the keys of all attempts say costs nothing.
  const byKeys = one.scrypt && explainByKeys(one.scrypt, scrypts, options.signerKeys.key);
  const reason = one.result ?? byKeys ?? (await explain(one, work));
  return { ...tried, ok: false, row: found.row, algorithm, ...reason };
}

async function explain(one: Attempt, work: Work): Promise<Reason> {
  const { options, scrypts } = work;
  work.left -= 1;
  if (work.left < 0) return UNEXPLAINED;
  const byPassword = await explainByPreHash(one, options);
  if (byPassword !== null) return byPassword;
  if (one.scrypt === null) return wrongPassword(one.algorithm, one.password);
  // Where a test user was proved, the account's parameters are right.
  const known = scrypts.some(({ proved }) => proved);
  const byParameters = known
    ? null
    : await explainByParameters(one.scrypt, options.signerKeys.key, options.signal);
  return byParameters ?? explainByOthers(scrypts);
}

function refuse(user: number, found: FoundUser | null, reason: Reason): Unproved {
  return {
    ...triedOf(user, found, []),
    ok: false,
    row: found?.row ?? null,
    algorithm: null,
    ...reason,
  };
}

function triedOf(user: number, found: FoundUser | null, steps: readonly string[]) {
  const sourceId = found === null ? null : tellableId(found.record);
  return { user, sourceId, steps, signedIn: null };
}
