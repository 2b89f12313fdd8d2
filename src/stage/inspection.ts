/** The inspection: facts about all hashes and contacts of all inputs, counted row by row in constant memory; the stage says what rows have in common. It never holds or tells a hash or a contact. */

import { optionName } from "../errors/option-name.js";
import { ONE_CASE_ONLY, type Refusal } from "../hash/flaw.js";
import type { AcceptedHash, HashAlgorithm, HashVerdict } from "../hash/hash.js";
import type { Finding, RowRef } from "../events/events.js";
import type { AccountPlan } from "../plan/account-plan.js";
import { SENT_PARTS, type SentPart } from "../plan/parts.js";
import { hashKind, isRefusal, passwordOf, type Plan } from "../plan/plan.js";
import type { Input } from "../source/inputs.js";
import { factFindings, type SharedFacts } from "./facts.js";
import { columnFindings } from "./column-findings.js";
import { fileFindings, InputFacts } from "./input-facts.js";
import {
  finding,
  type FindingCode,
  inOrder,
  type ExampleCounter,
  countExample,
  counterOf,
} from "../events/findings.js";
import type { PasswordCoverage } from "../events/summary.js";
import type { PasswordJoin } from "../password-export/join.js";
import { SALT_LENGTH } from "./user-findings.js";

/** What an inspection found out. */
export interface Inspection {
  /** All rows, those that can't be read among them. */
  readonly rows: number;
  /** The roles that users would get at the core; none where the rows weren't planned beside. */
  readonly roles: readonly string[];
  /** Parts of accounts that no planned row has. */
  readonly unshown: ReadonlySet<SentPart>;
  /** Hashes that are sent by algorithm, those of duplicates among them. */
  readonly algorithms: Readonly<Partial<Record<HashAlgorithm, number>>>;
  /** Hashes that the bridge verifies, of all rows, by why no core takes them. */
  readonly bridged: Readonly<Record<string, number>>;
  /** Hashes that neither takes, of all rows but skipped ones. */
  readonly refused: number;
  /** What the password export gave the users; null without one. */
  readonly passwordExport: PasswordCoverage | null;
  /** Which inputs hold users. */
  readonly files: readonly InputFacts[];
  /** The important ones first. */
  readonly findings: readonly Finding[];
}

/** By refusals that say something of the whole file, the finding that tells it. */
const FINDING_OF: ReadonlyMap<string, FindingCode> = new Map<string, FindingCode>([
  ["bcrypt_casefold", "column_damaged"],
  ["argon2_casefold", "column_damaged"],
  ["fscrypt_casefold", "column_damaged"],
  ["fscrypt_hash_length", "column_damaged"],
  ["firebase_redacted", "column_damaged"],
  ["firebase_emulator", "column_damaged"],
  ["signer_key_length", "hash_config_doubtful"],
  ["signer_key_mismatch", "hash_config_doubtful"],
  ["fscrypt_separator", "hash_config_doubtful"],
  ["hash_config_missing", "hash_config_doubtful"],
  ["mcf_plus_salt_column", "salt_column_filled"],
  ["plain_text", "plain_text"],
  ["scrypt_salt_cut", "proof_needed"],
]);

/** What a finding says of its hashes before what it says of all, as the refusal does; nothing where that is enough. */
function saysOf(code: FindingCode, { hint }: Refusal): string {
  if (code === "proof_needed") return SALT_LENGTH;
  const isOwn = code === "column_damaged" || code === "hash_config_doubtful";
  return isOwn ? `${hint.split("; ", 1)[0]}.` : "";
}

/** From how many rows on it is the column's matter, and not a row's. */
const MIN_COLUMN = 2;

/** Hashes of kinds of which no known password has fitted one. */
export function untriedKinds(
  { algorithms, bridged }: Pick<Inspection, "algorithms" | "bridged">,
  fitted: readonly { readonly algorithm: string }[],
): Readonly<Record<string, number>> {
  const tried = new Set(fitted.map(({ algorithm }) => algorithm));
  const kinds = Object.entries({ ...algorithms, ...bridged });
  return Object.fromEntries(kinds.filter(([kind]) => !tried.has(kind)));
}

/** Counts all rows, in constant memory. */
export class Inspector {
  readonly #algorithms: Partial<Record<HashAlgorithm, number>> = {};
  /** By the finding and what is told of these hashes. */
  readonly #seen = new Map<string, ExampleCounter>();
  readonly #files: InputFacts[] = [];
  readonly #bridged: Record<string, number> = {};
  #refused = 0;
  readonly #roles = new Set<string>();
  readonly #unshown = new Set<SentPart>(SENT_PARTS);
  /** Vendors that the operator names, of files that show nothing of them. */
  readonly #onWord = new Set<string>();

  begin(input: Input): InputFacts {
    if (input.onWord === true) this.#onWord.add(input.vendor);
    const facts = new InputFacts(input);
    this.#files.push(facts);
    return facts;
  }

  /** Counts a row's hash with the verdict on it, and what is planned for its user. */
  count(verdict: HashVerdict, plan: Plan, row: RowRef, facts: InputFacts): void {
    const password = passwordOf(plan);
    // The bridge lets in by the old password as a core does by its hash.
    const isBridged = password === "bridged";
    const kind = isBridged ? hashKind(plan, verdict) : null;
    if (kind !== null) this.#bridged[kind] = (this.#bridged[kind] ?? 0) + 1;
    if (verdict.verdict === "refused") {
      const { code } = verdict;
      if (!isBridged && plan.kind !== "skip") this.#refused += 1;
      const told = FINDING_OF.get(code);
      // The reject itself says all of it; a user who comes without the password has no reject.
      const isSaid = code === "hash_config_missing" && isRefusal(plan);
      if (told !== undefined && !isSaid) {
        countExample(counterOf(this.#seen, `${told}\n${saysOf(told, verdict)}`), row);
      }
    } else if (verdict.verdict === "accepted") {
      this.#countAccepted(verdict, password === verdict.algorithm, row, facts);
    }
    if (isRefusal(plan)) return;
    const { account } = plan;
    if (account === null) return;
    for (const role of account.roles) this.#roles.add(role);
    if (this.#unshown.size > 0) this.#show(account);
  }

  /**
   * The facts so far, with those of a password export.
   *
   * @param rows how many were counted
   * @param shared what the stage says that rows have in common
   */
  result(rows: number, shared: SharedFacts, join: PasswordJoin | null = null): Inspection {
    const files = this.#files;
    const findings = [
      ...(join?.findings(files.map(({ input }) => input)) ?? []),
      ...fileFindings(files),
      ...columnFindings(files),
      ...[...this.#seen]
        .filter(([told, { count }]) => !told.includes(ONE_CASE_ONLY) || count >= MIN_COLUMN)
        .map(([told, counter]) => {
          const [code = "", says] = told.split("\n");
          return finding(code as FindingCode, counter, says);
        }),
      ...shared.users.map(({ code, says = this.#detailOf(code), ...counter }) =>
        finding(code, counter, says),
      ),
      ...factFindings(shared),
    ];
    return {
      rows,
      roles: [...this.#roles],
      unshown: this.#unshown,
      algorithms: this.#algorithms,
      bridged: this.#bridged,
      refused: this.#refused,
      passwordExport: join?.coverage() ?? null,
      files,
      findings: inOrder(findings),
    };
  }

  /** What a finding says of these files before what it says of all. */
  #detailOf(code: string): string {
    if (code !== "prehash_possible" || this.#onWord.size === 0) return "";
    return `Nothing in the file is as ${[...this.#onWord].join(" or ")} writes it, so that its hashes are taken for its on the word of ${optionName("--from")} alone.`;
  }

  #show({ verified, metadata, roles, totp }: AccountPlan): void {
    if (verified === true) this.#unshown.delete("verified");
    if (metadata !== null) this.#unshown.delete("metadata");
    if (roles.length > 0) this.#unshown.delete("roles");
    if (totp.length > 0) this.#unshown.delete("totp");
  }

  /** What is told is of hashes that are sent; what a column's hashes have in common, of all. */
  #countAccepted(verdict: AcceptedHash, isSent: boolean, row: RowRef, facts: InputFacts): void {
    const { algorithm, steps } = verdict;
    facts.accepted += 1;
    for (const step of steps) countExample(counterOf(facts.steps, step), row);
    if (!isSent) return;
    facts.algorithms.add(algorithm);
    this.#algorithms[algorithm] = (this.#algorithms[algorithm] ?? 0) + 1;
  }
}
