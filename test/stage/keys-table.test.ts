import { mkdirSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Exclusion } from "../../src/account/user-record.js";
import { inMemoryMatcher } from "../../src/checkpoint/ledger.js";
import { createSeenKeys } from "../../src/keys/seen-keys.js";
import type { PlannedUser } from "../../src/plan/action.js";
import { RIGHT, RIGHT_OF, type Right, yieldsTo } from "../../src/plan/contests.js";
import { createDigester, type Key } from "../../src/plan/digests.js";
import { NO_PARTS } from "../../src/plan/parts.js";
import { isRefusal, planUser, type ThirdPartyPlan } from "../../src/plan/plan.js";
import { DEFAULT_POLICY, type Policy } from "../../src/plan/policy.js";
import { planReject, withKeys } from "../../src/plan/user-keys.js";
import { KeyTable, type Lost, type Verdict } from "../../src/stage/keys-table.js";
import { email, NO_HASH, phone, REFUSED, record, USABLE } from "../run/support/records.js";
import { SCOPE } from "../run/support/user-keys.js";
import { repeated } from "../support/repeated.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const EXPORTS = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 50, full: 4000 });
const LONG_EXPORTS = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 2, full: 400 });
const folder = temporaryPaths()("stage");
mkdirSync(folder);

const digester = createDigester("stage");
const context = { digester, ...SCOPE };
/** A first run, as rows of a file are planned, a user for each or null. */
type Export = readonly (PlannedUser | null)[];

const EXCLUSIONS: readonly (readonly Exclusion[])[] = [
  ...[[], [], [], []],
  ["disabled"],
  ["deleted"],
  ["anonymous"],
];

interface Drawn {
  readonly kind: "user" | "social" | "unreadable" | "nobody";
  readonly id: number | null;
  readonly email: number | null;
  readonly phone: number | null;
  readonly verified: readonly [boolean | null, boolean | null];
  readonly verdict: typeof USABLE;
  readonly exclusions: readonly Exclusion[];
}

/** @param many how many ids there are, contacts of each kind, and social accounts */
function drawnRow(many: number) {
  const some = fc.integer({ min: 1, max: many });
  const verified = fc.constantFrom(true, false, null);
  return fc.record<Drawn>({
    kind: fc.constantFrom("user", "user", "user", "user", "user", "social", "unreadable", "nobody"),
    id: fc.option(some, { freq: 2 }),
    email: fc.option(some, { freq: 5 }),
    phone: fc.option(some, { freq: 2 }),
    verified: fc.tuple(verified, verified),
    verdict: fc.constantFrom(USABLE, NO_HASH, NO_HASH, NO_HASH, REFUSED) as fc.Arbitrary<
      typeof USABLE
    >,
    exclusions: fc.constantFrom(...EXCLUSIONS),
  });
}

function drawnExport(many: number, length: { minLength: number; maxLength: number }) {
  return fc
    .tuple(fc.array(drawnRow(many), length), fc.boolean(), fc.nat({ max: length.maxLength }))
    .map(([rows, included, cut]) => {
      const policy: Policy = { ...DEFAULT_POLICY, include: included ? ["unverified"] : [] };
      return rows.map((row, at) => userOf(row, at, { policy, cut }));
    });
}

function userOf(
  drawn: Drawn,
  at: number,
  { policy, cut }: { readonly policy: Policy; readonly cut: number },
): PlannedUser | null {
  const row =
    at < cut ? { file: "users.csv", number: at + 1 } : { file: "others.csv", number: at - cut + 1 };
  const sourceId = drawn.id === null ? null : `u-${drawn.id}`;
  if (drawn.kind === "nobody") return null;
  if (drawn.kind === "unreadable" && sourceId !== null) {
    return planReject(sourceId, { code: "email_invalid", hint: "" }, row, context);
  }
  const [emailVerified, phoneVerified] = drawn.verified;
  const read = record({
    sourceId,
    email: drawn.email === null ? null : email(`reader.${drawn.email}@example.com`, emailVerified),
    phone: drawn.phone === null ? null : phone(`+1555010100${drawn.phone}`, phoneVerified),
    exclusions: drawn.exclusions,
  });
  const planned = planUser(read, drawn.verdict, policy);
  const social = drawn.kind === "social" && drawn.exclusions.length === 0;
  return withKeys(read, social ? socialPlan(drawn.phone ?? 1) : planned, row, context);
}

function socialPlan(account: number): ThirdPartyPlan {
  return {
    kind: "thirdparty",
    identity: { thirdPartyId: "google", thirdPartyUserId: `g-${account}` },
    email: `reader.${account}@example.net`,
    keepId: null,
    account: null,
    notices: [],
  };
}

/** What a run says of each row: the contests of all rows first, then row by row. */
function saidByRun(rows: Export): Map<number, Verdict> {
  const numbers = new Map(rows.map((user, at) => [JSON.stringify(user?.keys.row), at + 1]));
  const numberOf = (row: object): number => numbers.get(JSON.stringify(row)) ?? 0;
  const seenKeys = createSeenKeys(folder, { few: true });
  const matcher = inMemoryMatcher(seenKeys);
  const verdictOf = (user: PlannedUser): Verdict => {
    const lost = lostBy(user, rows);
    if (lost.length > 0 && isRefusal(user.plan) && !user.keys.keyed) {
      return { lost, repeated: null, holder: null };
    }
    const [loss] = lost;
    const { keys } = loss === undefined ? user : beaten(user);
    if (loss !== undefined && !keys.keyed) return { lost, repeated: null, holder: null };
    const found = matcher.match(keys, SCOPE);
    if (found.kind === "entry") {
      const { holder } = found;
      return { lost, repeated: null, holder: holder === null ? null : numberOf(holder) };
    }
    return { lost, repeated: { ...found, first: numberOf(found.first) }, holder: null };
  };
  const said = rows.map((user) => (user === null ? null : verdictOf(user)));
  seenKeys.close();
  return new Map(said.flatMap((verdict, at) => (saysNothing(verdict) ? [] : [[at + 1, verdict]])));
}

/** A row's claim to a contact, or its reservation of one. */
interface Claim {
  readonly to: number;
  readonly right: Right;
  readonly keyed: boolean;
  readonly identity: Key;
}

/** All claims to a contact, the best and first one first. */
function claimsTo(contact: Key, rows: Export): readonly Claim[] {
  const claims = rows.flatMap((user, at) => {
    if (user === null) return [];
    const { contacts, reserved, keyed, identity } = user.keys;
    const rights: readonly (readonly [Key, Right])[] = [
      ...contacts.map(({ key, rank }) => [key, RIGHT_OF[rank]] as const),
      ...reserved.map(({ key }) => [key, RIGHT.reserved] as const),
    ];
    return rights
      .filter(([key]) => key === contact)
      .map(([, right]): Claim => ({ to: at + 1, right, keyed, identity }));
  });
  return claims.sort((one, other) => one.right - other.right || one.to - other.to);
}

/** What a row loses to others by the rules, word for word. */
function lostBy({ plan, keys }: PlannedUser, rows: Export): Lost[] {
  const yields = yieldsTo(plan, keys);
  if (yields !== null) {
    const claims = claimsTo(keys.identity, rows);
    const isClaimed = claims.some(({ right }) => right !== RIGHT.reserved);
    const stands = ({ keyed, identity, right }: Claim): boolean =>
      !keyed && identity === keys.identity && right < RIGHT.unverified;
    const best = yields === "any" ? (isClaimed ? claims[0] : undefined) : claims.find(stands);
    return best === undefined ? [] : [lost(null, best)];
  }
  return keys.contacts.flatMap(({ key, rank }, at) => {
    const right = RIGHT_OF[rank];
    const [best] = claimsTo(key, rows);
    if (best === undefined || right <= RIGHT.reserved || best.right >= right) return [];
    return best.keyed && keys.keyed && best.identity === keys.identity ? [] : [lost(at, best)];
  });
}

function lost(contact: number | null, { to, right, keyed }: Claim): Lost {
  return { contact, to, right, keyed };
}

function saysNothing(verdict: Verdict | null): verdict is null {
  if (verdict === null) return true;
  return verdict.lost.length === 0 && verdict.repeated === null && verdict.holder === null;
}

/** As a user who loses a contact: with the id alone. */
function beaten({ plan, keys }: PlannedUser): PlannedUser {
  const claimless = { kind: null, contacts: [], reserved: [], parts: NO_PARTS };
  return { plan, keys: { ...keys, ...claimless } };
}

function saidByTable(rows: Export, page = rows.length): Map<number, Verdict> {
  const table = new KeyTable(folder);
  for (const [at, user] of rows.entries()) if (user !== null) table.take(at + 1, user);
  table.settle();
  const said = new Map<number, Verdict>();
  for (let first = 1; first <= rows.length; first += page) {
    for (const [number, verdict] of table.verdicts(first, first + page - 1)) {
      said.set(number, verdict);
    }
  }
  table.close();
  return said;
}

it("the table says of each row what a run says that meets one after the other", () => {
  const short = [1, 2, 4].map((many) => drawnExport(many, { minLength: 1, maxLength: 14 }));
  fc.assert(
    fc.property(fc.oneof(...short), (rows) => {
      expect(saidByTable(rows, 3)).toEqual(saidByRun(rows));
    }),
    { numRuns: EXPORTS },
  );
});

it("the table says the same of rows that are written in several batches", () => {
  const long = drawnExport(700, { minLength: 501, maxLength: 1600 });
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      for (const rows of fc.sample(long, { seed, numRuns: 1 })) {
        expect(saidByTable(rows, 100)).toEqual(saidByRun(rows));
      }
    }),
    { numRuns: LONG_EXPORTS, endOnFailure: true },
  );
});

/** Open files of the folder that have no name in it any more. */
function namelessFiles(): string[] {
  const handles = readdirSync("/proc/self/fd").map((handle) => `/proc/self/fd/${handle}`);
  return handles.filter((handle) => {
    try {
      const target = readlinkSync(handle);
      return target.startsWith(folder) && target.endsWith("(deleted)");
    } catch {
      // The listing's own.
      return false;
    }
  });
}

describe.skipIf(process.platform !== "linux")("the file of the table", () => {
  const rows = Array.from({ length: 1200 }, (_, at) => {
    const read = record({
      sourceId: `canary-id-${at % 700}`,
      email: email(`canary.${at % 900}@example.com`, true),
    });
    const row = { file: "users.csv", number: at + 1 };
    return withKeys(read, planUser(read, USABLE, DEFAULT_POLICY), row, context);
  });

  it("has no name, is its owner's alone and holds keyed digests", () => {
    // The driver closes a file once its statements are garbage: those of other tables may be open.
    const before = namelessFiles();
    const table = new KeyTable(folder);
    for (const [at, user] of rows.entries()) table.take(at + 1, user);
    table.settle();
    expect(table.verdicts(1, rows.length).size).toBe(500);
    expect(readdirSync(folder)).toEqual([]);
    const [file = "", ...others] = namelessFiles().filter((one) => !before.includes(one));
    expect(others).toEqual([]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const bytes = readFileSync(file);
    table.close();
    const [user] = rows;
    for (const key of [user?.keys.identity ?? "", user?.keys.contacts[0]?.key ?? ""]) {
      expect(bytes.includes(Buffer.from(key, "latin1"))).toBe(true);
    }
    const hash = USABLE.verdict === "accepted" ? USABLE.hash : "";
    for (const secret of ["canary", "example.com", hash])
      expect(bytes.includes(secret)).toBe(false);
    const other = createDigester("another salt");
    expect(other.contact("email", "canary.0@example.com")).not.toBe(user?.keys.contacts[0]?.key);
    expect(other.id("csv", "", "canary-id-0")).not.toBe(user?.keys.identity);
  });
});

it("a folder that can't be written to is told as such", () => {
  const table = new KeyTable(`${folder}/gone`);
  const row = { file: "users.csv", number: 1 };
  table.take(1, planReject("u-1", { code: "email_invalid", hint: "" }, row, context));
  expect(() => table.settle()).toThrow(expect.objectContaining({ code: "disk" }));
});
