/** The inspection: facts about all hashes and contacts of all inputs, counted row by row in constant memory; the stage says what rows have in common. It never holds or tells a hash or a contact. */

import type { AcceptedHash, HashAlgorithm, HashVerdict } from "../hash/hash.js";
import type { UserRecord } from "../account/user-record.js";
import type { Finding, HashCount, RowRef } from "../events/events.js";
import { COST_OF, isCostly } from "../hash/cost.js";
import { type AccountPlan, isSocialOnly } from "../plan/account-plan.js";
import { SENT_PARTS, type SentPart } from "../plan/parts.js";
import { isRefusal, type Plan } from "../plan/plan.js";
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

/** What an inspection found out. */
export interface Inspection {
  /** All rows, those that can't be read among them. */
  readonly rows: number;
  /** The roles that users would get at the core; none where the rows weren't planned beside. */
  readonly roles: readonly string[];
  /** Parts of accounts that no planned row has. */
  readonly unshown: ReadonlySet<SentPart>;
  /** Accepted hashes by algorithm, of all rows. */
  readonly algorithms: Readonly<Partial<Record<HashAlgorithm, number>>>;
  /** Hashes that the bridge verifies, of all rows, by why no core takes them. */
  readonly bridged: Readonly<Record<string, number>>;
  /** Hashes that neither takes, of all rows but skipped ones. */
  readonly refused: number;
  /** Accepted hashes by how they were made, the most frequent first. */
  readonly hashes: readonly HashCount[];
  /** What the password export gave the users; null without one. */
  readonly passwordExport: PasswordCoverage | null;
  /** Which inputs hold users. */
  readonly files: readonly InputFacts[];
  /** The important ones first. */
  readonly findings: readonly Finding[];
}

/** What is told: a finding, and of one that several things lead to, which of them it is. */
type Told = FindingCode | { readonly code: FindingCode; readonly says: string };

const CASE_FOLDED: Told = {
  code: "column_damaged",
  says: "Their letters are all of one case: something turned the file to upper or lower case, and which letters were changed can't be told.",
};

const SALT_LENGTH: Told = {
  code: "proof_needed",
  says: "The vendor's salts are ten bytes long in every account that is known. A column or field on the way here may have been too narrow, and then these users can't sign in. Where salts of ten bytes are in the same file, shorter ones are refused; the others are sent. Compare some of them with the vendor's console.",
};

const SIGNER_KEY_OTHER: Told = {
  code: "hash_config_doubtful",
  says: "These hashes were made with another signer key than the one that is configured, or than the one that the first such row carries: users of another project, or the wrong block was copied. A core holds one signer key, so none of these users could sign in; import each project into a core of its own.",
};

/** Refusals that say something of the whole file. */
const BY_REFUSAL: ReadonlyMap<string, Told> = new Map<string, Told>([
  ["bcrypt_casefold", CASE_FOLDED],
  ["argon2_casefold", CASE_FOLDED],
  ["fscrypt_casefold", CASE_FOLDED],
  ["mcf_plus_salt_column", "salt_column_filled"],
  ["plain_text", "plain_text"],
  ["signer_key_length", SIGNER_KEY_OTHER],
  ["signer_key_mismatch", SIGNER_KEY_OTHER],
  ["scrypt_salt_cut", SALT_LENGTH],
  [
    "fscrypt_hash_length",
    {
      code: "column_damaged",
      says: "No signer key could have made a hash of this length: it is 64 bytes long, as every key is. The column was cut off or holds hashes of another kind; compare it with the vendor's console.",
    },
  ],
  [
    "firebase_redacted",
    {
      code: "column_damaged",
      says: "Firebase wrote a placeholder where the hash belongs, because the exporting account may not read hashes: it needs the permission firebaseauth.configs.getHashConfig.",
    },
  ],
  [
    "firebase_emulator",
    {
      code: "column_damaged",
      says: "This comes from the Firebase emulator, whose stand-ins for hashes hold the passwords in plain text. Export from the real project, and delete this file if its passwords are real.",
    },
  ],
  [
    "fscrypt_separator",
    {
      code: "hash_config_doubtful",
      says: "The account's salt separator is empty or can't be written in the form that a core takes, so no core could verify these passwords. If base64_salt_separator is so in the vendor's console, use --on-unusable-hash passwordless (docs/limits.md).",
    },
  ],
  [
    "hash_config_missing",
    {
      code: "hash_config_doubtful",
      says: "These hashes stand beside a salt as the vendor's scrypt hashes do, and no parameters were given.",
    },
  ],
]);

/** What the notice `proof_needed` of an accepted hash means. */
const PROOF_NEEDED: Readonly<Record<HashAlgorithm, Told>> = {
  bcrypt: {
    code: "proof_needed",
    says: "These hashes come from a bcrypt with a fault (CVE-2011-2483). Users whose password has a character beyond ASCII can't sign in and need a password reset.",
  },
  argon2: {
    code: "proof_needed",
    says: "The salts of these argon2 hashes have an unusual length: neither 16 bytes nor 8, 12, 22, 32 or 64. If your application chose that length, nothing is wrong. If only some hashes have it, they were damaged on the way, and their owners can't sign in.",
  },
  vendor_scrypt: SALT_LENGTH,
};

/** From how many rows on it is the column's matter, and not a row's. */
const MIN_COLUMN = 2;

const BANS_UNSAID = "bans_not_exported" satisfies FindingCode;

/** Lines of a histogram that a person can still read; real exports have a handful. */
const MAX_KINDS = 50;

interface KindCount {
  readonly algorithm: HashAlgorithm;
  readonly cost: string;
  readonly length: number;
  /** Checking passwords against them would hurt the core. */
  readonly isCostly: boolean;
  count: number;
}

/** Counts all rows; in constant memory, so that after fifty kinds of hashes the rest is counted together. */
export class Inspector {
  readonly #kinds: KindCount[] = [];
  readonly #otherKinds = new Map<HashAlgorithm, number>();
  readonly #seen = new Map<Told, ExampleCounter>();
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

  /** Counts a row's contacts, its hash with the verdict on it, and what is planned for its user. */
  count(
    { email }: UserRecord,
    verdict: HashVerdict,
    plan: Plan,
    row: RowRef,
    facts: InputFacts,
  ): void {
    // The bridge lets in by the old password as a core does by its hash.
    const isBridged = plan.kind === "import" && plan.bridged !== undefined;
    if (verdict.verdict === "refused") {
      const { code } = verdict;
      if (isBridged) this.#bridged[code] = (this.#bridged[code] ?? 0) + 1;
      else if (plan.kind !== "skip") this.#refused += 1;
      const told = BY_REFUSAL.get(code);
      // The reject itself says all of it; a user who comes without the password has no reject.
      const isSaid = code === "hash_config_missing" && isRefusal(plan);
      if (told !== undefined && !isSaid) this.#note(told, row);
    } else if (verdict.verdict === "accepted") this.#countAccepted(verdict, plan, row, facts);
    if (isRefusal(plan)) return;
    if (email?.verified === false && (verdict.verdict === "accepted" || isBridged)) {
      this.#note("unverified_email_with_password", row);
    }
    // The user's only way in at the vendor is a social account, and it isn't the one at the core.
    const isLost = plan.kind === "passwordless" && isSocialOnly(plan.notices);
    if (isLost) this.#note("social_identity_dropped", row);
    if (plan.notices.includes(BANS_UNSAID)) this.#note(BANS_UNSAID, row);
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
    const hashes = this.#histogram();
    const files = this.#files;
    const findings = [
      ...(join?.findings(files.map(({ input }) => input)) ?? []),
      ...fileFindings(files),
      ...columnFindings(files),
      ...[...this.#seen]
        .filter(([told, { count }]) => told !== CASE_FOLDED || count >= MIN_COLUMN)
        .map(([told, counter]) =>
          typeof told === "string"
            ? finding(told, counter, this.#detailOf(told))
            : finding(told.code, counter, told.says),
        ),
      ...factFindings(shared),
    ];
    return {
      rows,
      roles: [...this.#roles],
      unshown: this.#unshown,
      algorithms: byAlgorithm(hashes),
      bridged: this.#bridged,
      refused: this.#refused,
      hashes,
      passwordExport: join?.coverage() ?? null,
      files,
      findings: inOrder(findings),
    };
  }

  /** What a finding says of these files before what it says of all. */
  #detailOf(code: FindingCode): string {
    if (code !== "prehash_possible" || this.#onWord.size === 0) return "";
    return `Nothing in the file is as ${[...this.#onWord].join(" or ")} writes it, so that its hashes are taken for its on the word of --from alone.`;
  }

  #show({ verified, metadata, roles, totp }: AccountPlan): void {
    if (verified === true) this.#unshown.delete("verified");
    if (metadata !== null) this.#unshown.delete("metadata");
    if (roles.length > 0) this.#unshown.delete("roles");
    if (totp.length > 0) this.#unshown.delete("totp");
  }

  /** What is told is of users who are brought; what a column's hashes have in common, of all. */
  #countAccepted(verdict: AcceptedHash, plan: Plan, row: RowRef, facts: InputFacts): void {
    const { algorithm, hash, steps, notices } = verdict;
    facts.accepted += 1;
    for (const step of steps) countExample(counterOf(facts.steps, step), row);
    const costs = this.#countKind(algorithm, hash);
    if (isRefusal(plan)) return;
    if (costs) this.#note("hash_costly", row);
    if (algorithm === "vendor_scrypt") this.#note("scrypt_non_ascii_passwords", row);
    if (notices.includes("prehash_possible")) this.#note("prehash_possible", row);
    if (notices.includes("proof_needed")) this.#note(PROOF_NEEDED[algorithm], row);
  }

  /** @returns whether checking passwords against such a hash would hurt the core */
  #countKind(algorithm: HashAlgorithm, hash: string): boolean {
    const cost = COST_OF[algorithm](hash) ?? "";
    const { length } = hash;
    const known = this.#kinds.find(
      (kind) => kind.length === length && kind.cost === cost && kind.algorithm === algorithm,
    );
    if (known !== undefined) {
      known.count += 1;
      return known.isCostly;
    }
    const kind = { algorithm, cost, length, isCostly: isCostly(hash), count: 1 };
    if (this.#kinds.length < MAX_KINDS) this.#kinds.push(kind);
    else this.#otherKinds.set(algorithm, (this.#otherKinds.get(algorithm) ?? 0) + 1);
    return kind.isCostly;
  }

  /** The most frequent kind first, the rest last. */
  #histogram(): HashCount[] {
    const kinds = this.#kinds.toSorted((a, b) => b.count - a.count);
    return [
      ...kinds.map(({ isCostly: _, ...kind }) => kind),
      ...[...this.#otherKinds].map(([algorithm, count]) => {
        return { algorithm, cost: "other", length: null, count };
      }),
    ];
  }

  #note(told: Told, row: RowRef): void {
    countExample(counterOf(this.#seen, told), row);
  }
}

function byAlgorithm(hashes: readonly HashCount[]): Partial<Record<HashAlgorithm, number>> {
  const sums: Partial<Record<HashAlgorithm, number>> = {};
  for (const { algorithm, count } of hashes) sums[algorithm] = (sums[algorithm] ?? 0) + count;
  return sums;
}
