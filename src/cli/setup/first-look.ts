/** A first look at the export: whose it is, which hashes are in it, whether they need the account's parameters. Bounded: it reads the start of each file and refuses no user. */

import { normalizeHash } from "../../hash/normalize.js";
import type { HashAlgorithm, HashConfig, RawHash } from "../../hash/hash.js";
import { keptParts } from "../../plan/account-plan.js";
import { ALL_OFFERED, carriedBy } from "../../plan/carried.js";
import { DEFAULT_POLICY } from "../../plan/policy.js";
import { bridgedHash } from "../../plan/bridged-hash.js";
import { count, grouped } from "../../report/text.js";
import { nameOf } from "../../source/input-bytes.js";
import {
  closeInputs,
  type Input,
  type InputOptions,
  openInputs,
  readInput,
} from "../../source/inputs.js";
import { PasswordJoin } from "../../password-export/join.js";
import type { PasswordExport } from "../../password-export/load-export.js";
import { findingLines } from "../../report/issues-text.js";
import { coverageText, columnLines, recognizedText } from "../../report/input-text.js";
import type { NameInputs } from "../input-database.js";
import type { ColumnsRead, SourceItem } from "../../source/source.js";
import type { UserRecord } from "../../account/user-record.js";
import { rowOf } from "../../errors/place.js";

/** Rows of each file that are looked at. */
const MAX_ROWS = 1000;

/** What of accounts is read: all that a core may have a place for. */
const ALL_PARTS = keptParts(carriedBy(DEFAULT_POLICY, ALL_OFFERED));

/** What a user is counted as whom a code brings. */
const NO_PASSWORD = "without a password";

/** What a hash is counted as that no core takes and the bridge verifies. */
const BRIDGED = "for the bridge alone";

/** What a user is counted as, too, who has a password that isn't in the files. */
const LOST = "lost";

/** What a hash is counted as that can be imported. */
const ACCEPTED: readonly HashAlgorithm[] = ["bcrypt", "argon2", "vendor_scrypt"];

/** Nearly every account's parameters: with them a scrypt hash is told from any other salted one. */
const USUAL: HashConfig = { signerKey: null, saltSeparator: "Bw==", rounds: 8, memCost: 14 };

/** What was found in the files. */
export interface FirstLook {
  readonly inputs: readonly Input[];
  readonly passwordExport: PasswordExport | undefined;
  /** What people are told, a file a line. */
  readonly lines: readonly string[];
  /** Scrypt hashes that need the account's parameters to be built. */
  readonly scrypt: readonly RawHash[];
  /** Whether there are vendor scrypt hashes at all: those need the signer key to verify. */
  readonly needsSignerKey: boolean;
  /** False where every row was looked at and none has a hash that can be imported. */
  readonly hasHashes: boolean;
  /** Whether users were seen who have no password. */
  readonly byCode: boolean;
  /** Users whose hash no core takes and the bridge verifies, of those seen. */
  readonly bridged: { readonly users: number; readonly seen: number };
}

/** How the files are to be read. */
export interface LookOptions extends InputOptions {
  /** An open password export, where the users' hashes come apart. */
  readonly passwordExport?: PasswordExport | undefined;
  /** Gives databases in the place of their URLs; absent where none may be named. */
  readonly nameInputs?: NameInputs;
}

/** @throws RunError as `openInputs` and reading */
export async function lookAt(
  files: readonly string[],
  { passwordExport, nameInputs, ...options }: LookOptions,
): Promise<FirstLook> {
  const named = nameInputs === undefined ? files : await nameInputs(files);
  const inputs = await openInputs(named, { ...options, hints: "flags" });
  const join = passwordExport === undefined ? null : new PasswordJoin(passwordExport);
  const starts: Start[] = [];
  try {
    for (const input of inputs) starts.push(await readStart(input, join));
  } finally {
    await closeInputs(inputs);
  }
  join?.settle();
  const scrypt: RawHash[] = [];
  const all = starts.map((start) => kindsOf(start, join, scrypt));
  const lines = starts.flatMap((start, at) => linesOf(start, all[at] ?? new Map()));
  if (join !== null) {
    lines.push(coverageText(join.coverage()));
    for (const finding of join.findings(inputs)) lines.push(...findingLines(finding));
  }
  const seen = (kind: string): number =>
    all.reduce((sum, kinds) => sum + (kinds.get(kind) ?? 0), 0);
  return {
    inputs,
    passwordExport,
    lines,
    scrypt,
    needsSignerKey: seen("vendor_scrypt") > 0,
    hasHashes: starts.some(({ whole }) => !whole) || ACCEPTED.some((kind) => seen(kind) > 0),
    byCode: seen(NO_PASSWORD) > 0,
    bridged: {
      users: seen(BRIDGED),
      seen: starts.reduce((sum, { items }) => sum + items.length, 0),
    },
  };
}

/** The rows of one file that are looked at. */
interface Start {
  readonly input: Input;
  readonly items: SourceItem[];
  /** One, of a CSV or JSON file without a vendor's form. */
  readonly columns: ColumnsRead[];
  /** Whether the file has no others. */
  whole: boolean;
}

/** With a password export all users are taken, since any of them may be whose a line is. */
async function readStart(input: Input, join: PasswordJoin | null): Promise<Start> {
  const start: Start = { input, items: [], columns: [], whole: true };
  const { signal } = new AbortController();
  const onColumns = (seen: ColumnsRead): void => void start.columns.push(seen);
  for await (const items of readInput(input, { signal, onColumns, keepsAccount: ALL_PARTS })) {
    for (const item of items) {
      if (start.items.length < MAX_ROWS) start.items.push(item);
      else start.whole = false;
      if (join !== null && item.kind === "record") join.take(item.record, rowOf(input.path, item));
    }
    if (join === null && !start.whole) break;
  }
  return start;
}

/** How many rows there are of each kind. */
function kindsOf(
  { input, items }: Start,
  join: PasswordJoin | null,
  scrypt: RawHash[],
): Map<string, number> {
  const kinds = new Map<string, number>();
  for (const item of items) {
    const record = item.kind === "record" ? (join?.answered(item.record) ?? item.record) : null;
    const isLost = record?.notices.includes("password_not_exported");
    const kind = record === null ? "unreadable" : judge(record, input.vendor, scrypt);
    for (const one of isLost ? [kind, LOST] : [kind]) kinds.set(one, (kinds.get(one) ?? 0) + 1);
  }
  return kinds;
}

/** What a row is counted as. */
function judge(record: UserRecord, vendor: string, scrypt: RawHash[]): string {
  const { hash } = record;
  if (hash === null) return NO_PASSWORD;
  const verdict = normalizeHash(hash, { vendor });
  if (verdict.verdict === "none") return NO_PASSWORD;
  if (verdict.verdict === "accepted") return verdict.algorithm;
  const built = normalizeHash(hash, { hashConfig: USUAL, vendor });
  if (built.verdict !== "accepted") {
    return bridgedHash(record, verdict.code, { vendor, pepper: null }) === null
      ? `refused as ${verdict.code}`
      : BRIDGED;
  }
  scrypt.push(hash);
  return built.algorithm;
}

/** A vendor may hand out hashes in a file apart, of which the users' export says nothing. */
function linesOf({ input, items, columns, whole }: Start, kinds: Map<string, number>): string[] {
  const { path, source } = input;
  const { length } = items;
  const lost = kinds.get(LOST) ?? 0;
  const listed = [...kinds]
    .filter(([kind]) => kind !== LOST)
    .sort(([, one], [, other]) => other - one)
    .map(([kind, users]) => `${kind} ${grouped(users)}`);
  const seen = whole ? count(length, "row") : `the first ${count(length, "row")}`;
  return [
    ...recognizedText([input], nameOf),
    length === 0 ? "no rows" : `${seen}: ${listed.join(", ")}`,
    ...(lost === 0
      ? []
      : [
          `${count(lost, "user")} with a password at the vendor that isn't in the files: docs/vendors/${source.name}.md says whether there is a file of hashes, for --password-export`,
        ]),
    ...columns.flatMap((read) => columnLines(read, nameOf(path), whole)),
  ];
}
