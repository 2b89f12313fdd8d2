/** The inspection: facts about all hashes and contacts of all inputs, taken row by row in constant memory. It never holds or tells a hash or a contact. */

import type { AcceptedHash, HashAlgorithm, HashVerdict } from "../hash/hash.js";
import { saltOf } from "../hash/vendor-scrypt.js";
import type { UserRecord } from "../account/user-record.js";
import type { SourceItem } from "../source/source.js";
import type { Finding, HashCount, RowRef } from "../events/events.js";
import { isSocialOnly } from "../plan/account-plan.js";
import type { Plan } from "../plan/plan.js";
import type { Input } from "../source/inputs.js";
import { createContactInspector } from "./contact-inspector.js";
import { digestsOf, type UserDigests } from "./digest.js";
import { columnFindings, type InputCounts } from "./column-findings.js";
import { countRow, fileFindings, type FileUsers, newFileUsers } from "./file-users.js";
import {
  finding,
  type FindingCode,
  inOrder,
  type ExampleCounter,
  countExample,
  counterOf,
} from "../events/findings.js";
import type { HashColumn } from "./hash-column.js";
import { byAlgorithm, createHistogram } from "./histogram.js";
import { createSharedHashes, type SharingSizes } from "./shared-hashes.js";
import { createAddressSample } from "./address-sample.js";

/** What an inspection found out. */
export interface Inspection {
  /** All rows, those that can't be read among them. */
  readonly rows: number;
  /** Users without a password who would be brought by a code; 0 where the rows weren't planned beside. */
  readonly byCode: number;
  /** By a social account alike. */
  readonly bySocial: number;
  /** The roles that users would get at the core; none where the rows weren't planned beside. */
  readonly roles: readonly string[];
  /** Accepted hashes by algorithm, of all rows. */
  readonly algorithms: Readonly<Partial<Record<HashAlgorithm, number>>>;
  /** Accepted hashes by how they were made, the most frequent first. */
  readonly hashes: readonly HashCount[];
  /** Which inputs hold users. */
  readonly files: readonly FileUsers[];
  /** The important ones first. */
  readonly findings: readonly Finding[];
}

/** Takes the rows of one input. */
export interface InputInspector {
  /** Counts the next row, of any kind; the mark of a file that was cut off is none. */
  countRow(item: SourceItem): void;
  /** The input was read to its end, and not cut off. */
  end(): void;
  /** Counts the next row's contacts, its hash with the verdict on it, and what is planned for its user. */
  count(record: UserRecord, verdict: HashVerdict, plan: Plan, row: RowRef): void;
}

/** How much is remembered before only some of it is. */
export interface InspectionSizes extends SharingSizes {
  /** Addresses that are compared with each other. */
  readonly addresses: number;
}

/** Refusals that say something of the whole file. */
const BY_REFUSAL: ReadonlyMap<string, FindingCode> = new Map([
  ["bcrypt_casefold", "column_case_folded"],
  ["argon2_casefold", "column_case_folded"],
  ["fscrypt_casefold", "column_case_folded"],
  ["mcf_plus_salt_column", "salt_column_filled"],
  ["signer_key_length", "signer_key_other"],
  ["signer_key_mismatch", "signer_key_other"],
  ["fscrypt_hash_length", "scrypt_hash_length"],
  ["scrypt_salt_cut", "scrypt_salt_length"],
  ["firebase_redacted", "firebase_redacted"],
  ["firebase_emulator", "firebase_emulator"],
  ["fscrypt_separator", "salt_separator_empty"],
  ["hash_config_missing", "hash_config_missing"],
]);

/** Notices of accepted hashes that do. */
const BY_NOTICE: ReadonlyMap<string, FindingCode> = new Map([
  ["prehash_possible", "prehash_possible"],
  ["bcrypt_2x_ascii_only", "bcrypt_2x_ascii_only"],
  ["argon2_salt_unusual", "argon2_salt_unusual"],
  ["scrypt_salt_length", "scrypt_salt_length"],
]);

/** From how many rows on it is the column's matter, and not a row's. */
const MIN_COLUMN = 2;

/** Whether a user's only way in at the vendor is a social account, and it isn't the one at the core. */
function losesSocial(plan: Plan): boolean {
  return plan.kind === "passwordless" && isSocialOnly(plan.notices);
}

const BANS_UNSAID = "bans_not_exported" satisfies FindingCode;

export class Inspector {
  readonly #histogram = createHistogram();
  readonly #shared;
  readonly #salts;
  readonly #contacts;
  readonly #seen = new Map<FindingCode, ExampleCounter>();
  readonly #inputs: InputCounts[] = [];
  readonly #files: FileUsers[] = [];
  readonly #roles = new Set<string>();
  #rows = 0;
  #byCode = 0;
  #bySocial = 0;

  /** @param sizes smaller in tests */
  constructor(sizes?: InspectionSizes) {
    this.#shared = createSharedHashes("hash_shared", sizes);
    this.#salts = createSharedHashes("scrypt_salt_shared", sizes);
    this.#contacts = createContactInspector(createAddressSample(sizes?.addresses));
  }

  /** Begins an input. `column` is the pass over its hashes that goes on beside the inspection. */
  begin(column: HashColumn, given: Input): InputInspector {
    const file = newFileUsers(given);
    this.#files.push(file);
    const input: InputCounts = { column, accepted: 0, steps: new Map() };
    this.#inputs.push(input);
    return {
      countRow: (item) => {
        if (item.kind !== "truncated") this.#rows += 1;
        countRow(file, item);
      },
      end: () => {
        file.isWhole = true;
      },
      count: (record, verdict, plan, row) => {
        const user = digestsOf(record);
        this.#contacts.count(record, user, row);
        if (verdict.verdict === "refused") this.#note(BY_REFUSAL.get(verdict.code), row);
        else if (verdict.verdict === "accepted") {
          const { email, exclusions } = record;
          const isUnverified = email?.verified === false && exclusions.length === 0;
          if (isUnverified) this.#note("unverified_email_with_password", row);
          this.#countAccepted(verdict, user, row, input);
        }
        this.#countPlan(plan, row);
      },
    };
  }

  /** The facts so far. */
  result(): Inspection {
    const hashes = this.#histogram.list();
    const findings = [
      ...fileFindings(this.#files),
      ...columnFindings(this.#inputs),
      ...[...this.#seen]
        .filter(([code, { count }]) => code !== "column_case_folded" || count >= MIN_COLUMN)
        .map(([code, counter]) => finding(code, counter)),
      ...this.#shared.findings(),
      ...this.#salts.findings(),
      ...this.#contacts.findings(),
    ];
    return {
      rows: this.#rows,
      byCode: this.#byCode,
      bySocial: this.#bySocial,
      roles: [...this.#roles],
      algorithms: byAlgorithm(hashes),
      hashes,
      files: this.#files,
      findings: inOrder(findings),
    };
  }

  /** Counts what a user would be brought by, and notes their roles. */
  #countPlan(plan: Plan, row: RowRef): void {
    if (plan.kind === "passwordless") this.#byCode += 1;
    if (plan.kind === "thirdparty") this.#bySocial += 1;
    if (losesSocial(plan)) this.#note("social_identity_dropped", row);
    if ("notices" in plan && plan.notices.includes(BANS_UNSAID)) this.#note(BANS_UNSAID, row);
    if ("account" in plan) for (const role of plan.account?.roles ?? []) this.#roles.add(role);
  }

  #countAccepted(verdict: AcceptedHash, user: UserDigests, row: RowRef, input: InputCounts): void {
    const { algorithm, hash, steps, notices } = verdict;
    input.accepted += 1;
    if (this.#histogram.add(algorithm, hash)) this.#note("hash_costly", row);
    if (algorithm === "vendor_scrypt") {
      this.#note("scrypt_non_ascii_passwords", row);
      this.#salts.add(saltOf(hash), user, row);
    }
    this.#shared.add(hash, user, row);
    for (const step of steps) countExample(counterOf(input.steps, step), row);
    for (const notice of notices) this.#note(BY_NOTICE.get(notice), row);
  }

  #note(code: FindingCode | undefined, row: RowRef): void {
    if (code === undefined) return;
    countExample(counterOf(this.#seen, code), row);
  }
}
