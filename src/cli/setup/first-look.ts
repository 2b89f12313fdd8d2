/** A first look at the export: whose it is, which hashes are in it, whether they need the account's parameters, which values aren't understood, and whom an import would reject. Bounded: it reads the start of each file, each user by itself. */

import { normalizeHash } from "../../hash/normalize.js";
import type { HashAlgorithm, HashConfig, RawHash } from "../../hash/hash.js";
import { keptParts } from "../../plan/account-plan.js";
import { ALL_OFFERED, carriedBy } from "../../plan/carried.js";
import { bridgedHash } from "../../plan/bridged-hash.js";
import { isRefusal, planUser } from "../../plan/plan.js";
import { DEFAULT_POLICY } from "../../plan/policy.js";
import { type RefusalGroup, RefusalGroups } from "../../report/refusal-groups.js";
import { judgeHash, type JudgingContext } from "../../stage/plan-row.js";
import { count, grouped } from "../../report/text.js";
import { nameOf } from "../../source/input-bytes.js";
import {
  closeInputs,
  type Input,
  type InputOptions,
  openInputs,
  type ReadRun,
  readInput,
} from "../../source/inputs.js";
import { PasswordJoin } from "../../password-export/join.js";
import type { PasswordExport } from "../../password-export/load-export.js";
import { findingLines } from "../../report/issues-text.js";
import { coverageText, columnLines, recognizedText } from "../../report/input-text.js";
import type { NameInputs } from "../input-database.js";
import type { ColumnsRead, SourceItem } from "../../source/source.js";
import { showName } from "../../source/show-name.js";
import type { UserRecord } from "../../account/user-record.js";
import { rowOf } from "../../errors/place.js";

/** Rows of each file that are looked at. */
const MAX_ROWS = 1000;

/** All that a core may have a place for. */
const CARRIED = carriedBy(DEFAULT_POLICY, ALL_OFFERED);
/** What of accounts is read. */
const ALL_PARTS = keptParts(CARRIED);

/** What a phone's user is told or rejected by whose country nothing says. */
const NO_COUNTRY = "phone_country_missing";

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
  /** Rows that were looked at. */
  readonly seen: number;
  /** Whether those are all. */
  readonly whole: boolean;
  /** Users of those seen whose hash no core takes and the bridge verifies. */
  readonly bridged: number;
  /** Phones without a + of those seen, where no country is said. */
  readonly countryless: number;
  /** What columns are read as, by their shown names; of a CSV or JSON file without a vendor's form. */
  readonly readAs: ReadonlyMap<string, string>;
  /** Users of those seen who have roles. */
  readonly withRoles: number;
  /** Flags with values that aren't understood; only where questions can be asked of it. */
  readonly unread: readonly UnreadFlag[];
  /** Whom of those seen an import would reject, each row by itself. */
  rejects(by: Judging): readonly RefusalGroup[];
}

/** A column that says who is let in, or whose contact is verified, by values that aren't understood. */
export interface UnreadFlag {
  readonly column: string;
  readonly field: "active" | "email_verified" | "phone_verified";
  /** How many rows have each. */
  readonly values: ReadonlyMap<string, number>;
}

/** What a verdict on users needs that other steps ask for. */
type Judging = Pick<JudgingContext, "policy" | "hashConfig" | "signerKeys"> & {
  /** Whether the core has a place for second factors. */
  readonly takesFactors: boolean;
};

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
  const usersOf = ({ items }: Start): UserRecord[] =>
    items.flatMap((item) =>
      item.kind === "record" ? (join?.answered(item.record) ?? item.record) : [],
    );
  const all = starts.map((start) => kindsOf(start, usersOf(start), scrypt));
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
    seen: starts.reduce((sum, { items }) => sum + items.length, 0),
    whole: starts.every(({ whole }) => whole),
    bridged: seen(BRIDGED),
    countryless: starts.flatMap(({ items }) => items).filter(lacksCountry).length,
    readAs: readAs(starts),
    withRoles: starts.flatMap(({ items }) => items).filter(hasRoles).length,
    unread: starts.flatMap(({ unread }) => [...unread.values()]),
    rejects(by) {
      const groups = new RefusalGroups();
      for (const { input, items } of starts) {
        for (const item of items) {
          const refused = refusalOf(item, input, join, by);
          if (refused !== null) {
            groups.add({ type: "reject", ...refused, row: rowOf(input.path, item) });
          }
        }
      }
      return groups.list();
    },
  };
}

function lacksCountry(item: SourceItem): boolean {
  if (item.kind === "record") return item.record.notices.includes(NO_COUNTRY);
  return item.kind === "reject" && item.code === NO_COUNTRY;
}

function readAs(starts: readonly Start[]): FirstLook["readAs"] {
  const read = starts.flatMap(({ columns }) => columns.flatMap((seen) => seen.read));
  return new Map(read.map(({ name, as }) => [name, as === "role" ? "roles" : as]));
}

function hasRoles(item: SourceItem): boolean {
  return item.kind === "record" && (item.record.account?.().roles.length ?? 0) > 0;
}

/** Why an import would reject a row, each taken by itself; null where it wouldn't. */
function refusalOf(
  item: SourceItem,
  { vendor, onWord }: Input,
  join: PasswordJoin | null,
  { takesFactors, ...by }: Judging,
): { readonly code: string; readonly hint: string } | null {
  if (item.kind !== "record") return item.kind === "reject" ? item : null;
  const record = join?.answered(item.record) ?? item.record;
  const verdict = judgeHash(record.hash, { ...by, vendor, onWord });
  const carried = { ...CARRIED, totp: takesFactors };
  const plan = planUser(record, verdict, by.policy, carried, vendor);
  return isRefusal(plan) && plan.kind === "reject" ? plan : null;
}

/** The rows of one file that are looked at. */
interface Start {
  readonly input: Input;
  readonly items: SourceItem[];
  /** One, of a CSV or JSON file without a vendor's form. */
  readonly columns: ColumnsRead[];
  readonly unread: Map<string, UnreadFlag & { readonly values: Map<string, number> }>;
  /** Whether the file has no others. */
  whole: boolean;
}

/** With a password export all users are taken, since any of them may be whose a line is. */
async function readStart(input: Input, join: PasswordJoin | null): Promise<Start> {
  const unread: Start["unread"] = new Map();
  const start: Start = { input, items: [], columns: [], unread, whole: true };
  const { signal } = new AbortController();
  const onColumns = (seen: ColumnsRead): void => void start.columns.push(seen);
  const onUnread: ReadRun["onUnread"] = (column, text, field) => {
    const flag = unread.get(column) ?? { column, field, values: new Map() };
    unread.set(column, flag);
    flag.values.set(text, (flag.values.get(text) ?? 0) + 1);
  };
  const reading = { signal, onColumns, onUnread, keepsAccount: ALL_PARTS };
  for await (const items of readInput(input, reading)) {
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
  { input, items, unread: flags }: Start,
  users: readonly UserRecord[],
  scrypt: RawHash[],
): Map<string, number> {
  const kinds = new Map<string, number>();
  const add = (kind: string, rows = 1): void =>
    void (rows > 0 && kinds.set(kind, (kinds.get(kind) ?? 0) + rows));
  for (const record of users) {
    add(judge(record, input.vendor, scrypt));
    if (record.notices.includes("password_not_exported")) add(LOST);
  }
  const others = items.filter(({ kind }) => kind !== "record");
  const rejects = others.flatMap((item) => (item.kind === "reject" ? [item] : []));
  const unclear = [...flags.values()].filter(({ field }) => field === "active");
  const waiting = unclear.length === 0 ? [] : rejects.filter(({ code }) => code === "flag_invalid");
  const columns = unclear.map(({ column }) => showName(column)).join(" or ");
  add(`with a word of ${columns} that isn't known yet`, waiting.length);
  add("unreadable", rejects.length - waiting.length);
  add("no user's", others.length - rejects.length);
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
