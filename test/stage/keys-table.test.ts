import { mkdirSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Exclusion } from "../../src/account/user-record.js";
import { openCheckpoint } from "../../src/checkpoint/checkpoint.js";
import type { RowRef } from "../../src/events/events.js";
import type { PlannedUser } from "../../src/plan/action.js";
import {
  type Among,
  beaten,
  type Loss,
  lossOf,
  NOTHING_SAID,
  RIGHT,
  RIGHT_OF,
  type Right,
  yieldsTo,
} from "../../src/plan/contests.js";
import { createDigester, type Key } from "../../src/plan/digests.js";
import {
  type Duplicate,
  type IntentWrite,
  isFinishedEntry,
  NO_NOTICES_YET,
  type UserKeys,
} from "../../src/plan/entry.js";
import { isRefusal, planUser, type ThirdPartyPlan } from "../../src/plan/plan.js";
import { DEFAULT_POLICY, type Policy } from "../../src/plan/policy.js";
import { RANK, type Rank } from "../../src/plan/rank.js";
import { STATE, type State } from "../../src/plan/states.js";
import { planReject, withKeys } from "../../src/plan/user-keys.js";
import { openScratch } from "../../src/sqlite/database.js";
import { TABLES } from "../../src/stage/questions.js";
import { FactTable } from "../../src/stage/facts.js";
import { HeldKeys } from "../../src/stage/held-keys.js";
import { KeyTable } from "../../src/stage/keys-table.js";
import { RowMatcher } from "../../src/stage/matcher.js";
import { type EarlierRuns, settleRows } from "../../src/stage/settle.js";
import { NEW_USER } from "../../src/stage/user-findings.js";
import { email, NO_HASH, phone, REFUSED, record, USABLE } from "../run/support/records.js";
import { EVERY_KEY, matchNext, SCOPE } from "../run/support/user-keys.js";
import { repeated } from "../support/repeated.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const EXPORTS = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 50, full: 4000 });
const NEWER_EXPORTS = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 20, full: 2000 });
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

/** What is said of each row of a first run by the rules in plain code: the contests of all rows first, then row by row. */
function saidByRules(rows: Export): Map<number, Among> {
  const held: Held = { identity: new Map(), contact: new Map(), reserved: new Map() };
  return saidOf(rows, (user) => {
    const duplicate = duplicateOf(user, held);
    if (duplicate !== null) return { ...NOTHING_SAID, duplicate };
    const { keys } = user;
    const lesser = keys.reserved.map(({ key }) => held.contact.get(key));
    const own = keys.contacts.find(({ key }) => key === keys.identity);
    hold(held.identity, keys.identity, { ...keys, rank: own?.rank ?? RANK.verified });
    for (const { key, rank } of keys.contacts) hold(held.contact, key, { ...keys, rank });
    for (const { key } of keys.reserved) hold(held.reserved, key, { ...keys, rank: RANK.verified });
    const holder = lesser.find((one) => one !== undefined && one.rank !== RANK.verified);
    return { ...NOTHING_SAID, holder: holder?.row ?? null };
  });
}

type Held = Readonly<Record<"identity" | "contact" | "reserved", Map<Key, HeldRow>>>;

type HeldRow = Pick<UserKeys, "row" | "keyed" | "kind"> & { readonly rank: Rank };

function hold(held: Map<Key, HeldRow>, key: Key, row: HeldRow): void {
  if (!held.has(key)) held.set(key, row);
}

function duplicateOf({ keys }: PlannedUser, held: Held): Duplicate | null {
  const { contacts, keyed } = keys;
  const same = held.identity.get(keys.identity);
  if (same !== undefined) {
    const own = keyed ? undefined : contacts[0]?.rank;
    return said(same, { isRefused: same.kind === null, outranks: (own ?? same.rank) < same.rank });
  }
  for (const { key, rank } of contacts) {
    const first = held.contact.get(key);
    if (first !== undefined) {
      return said(first, { isOther: first.keyed && keyed, outranks: rank < first.rank });
    }
    const reserving = rank === RANK.verified ? undefined : held.reserved.get(key);
    if (reserving !== undefined) {
      const isOther = reserving.keyed && keyed;
      return said(reserving, { isOther, isReserved: true, isRefused: true });
    }
  }
  return null;
}

function said(
  { row: first }: HeldRow,
  { isOther = false, outranks = false, isReserved = false, isRefused = false },
): Duplicate {
  const kind = isOther ? "duplicate_contact" : "duplicate";
  return { kind, first, outranks, isReserved, isRefused };
}

/** @param match of a user in turn, what they lose left aside */
function saidOf(
  rows: Export,
  match: (user: PlannedUser, number: number) => Among,
  known: Parameters<typeof lossOf>[2] = { keeps: () => false },
): Map<number, Among> {
  const said = new Map<number, Among>();
  const claims = claimsIn(rows);
  for (const [at, user] of rows.entries()) {
    if (user === null) continue;
    const loss = lossOf(user, lostBy(user, rows, claims), known);
    const { keys } = user;
    const given = loss === null ? user : beaten(user, loss, digester);
    const among = loss !== null && !keys.keyed ? NOTHING_SAID : match(given, at + 1);
    const all = { ...among, loss };
    if (Object.values(all).some((one) => one !== null)) said.set(at + 1, all);
  }
  return said;
}

/** A row's claim to a contact, or its reservation of one. */
interface Claim {
  readonly to: number;
  readonly right: Right;
  readonly keyed: boolean;
  readonly identity: Key;
}

type Claims = ReadonlyMap<Key, readonly Claim[]>;

/** All claims to each contact, the best and first one first. */
function claimsIn(rows: Export): Claims {
  const claims = new Map<Key, Claim[]>();
  for (const [at, user] of rows.entries()) {
    if (user === null) continue;
    const { contacts, reserved, keyed, identity } = user.keys;
    const rights: readonly (readonly [Key, Right])[] = [
      ...contacts.map(({ key, rank }) => [key, RIGHT_OF[rank]] as const),
      ...reserved.map(({ key }) => [key, RIGHT.reserved] as const),
    ];
    for (const [key, right] of rights) {
      const to = claims.get(key) ?? [];
      claims.set(key, [...to, { to: at + 1, right, keyed, identity }]);
    }
  }
  for (const to of claims.values())
    to.sort((one, other) => one.right - other.right || one.to - other.to);
  return claims;
}

/** What a row loses to others by the rules, word for word. */
function lostBy({ plan, keys }: PlannedUser, rows: Export, all: Claims): Loss[] {
  const yields = yieldsTo(plan, keys);
  if (yields !== null) {
    const claims = all.get(keys.identity) ?? [];
    const isClaimed = claims.some(({ right }) => right !== RIGHT.reserved);
    const stands = ({ keyed, identity, right }: Claim): boolean =>
      !keyed && identity === keys.identity && right < RIGHT.unverified;
    const best = yields === "any" ? (isClaimed ? claims[0] : undefined) : claims.find(stands);
    return best === undefined ? [] : [lost(keys.identity, best, rows)];
  }
  return keys.contacts.flatMap(({ key, rank }) => {
    const right = RIGHT_OF[rank];
    const best = all.get(key)?.[0];
    if (best === undefined || right <= RIGHT.reserved || best.right >= right) return [];
    return best.keyed && keys.keyed && best.identity === keys.identity
      ? []
      : [lost(key, best, rows)];
  });
}

function lost(contact: Key, { to, right, keyed }: Claim, rows: Export): Loss {
  return { contact, to: placeOf(rows, to), right, keyed };
}

function placeOf(rows: Export, number: number): RowRef {
  return rows[number - 1]?.keys.row ?? { file: "", number };
}

function saidByTable(
  rows: Export,
  { page = rows.length, earlier = null }: { page?: number; earlier?: EarlierRuns | null } = {},
): Map<number, Among> {
  const table = new KeyTable(folder, earlier?.database);
  const facts = new FactTable(table, (number) => placeOf(rows, number));
  for (const [at, user] of rows.entries()) {
    if (user !== null) table.take(at + 1, user, facts.take(at + 1, user));
  }
  facts.begin();
  const numbered = {
    userAt: (number: number) => rows[number - 1] ?? null,
    placeOf: (number: number) => placeOf(rows, number),
  };
  settleRows(table, numbered, earlier, () => {});
  const said = new Map<number, Among>();
  for (let first = 1; first <= rows.length; first += page) {
    for (const [number, among] of table.said(first, first + page - 1)) {
      if (Object.values(among).some((one) => one !== null)) said.set(number, among);
    }
  }
  const unbrought = rows.flatMap((user, at) => {
    const { user: known = null, duplicate = null, loss = null } = said.get(at + 1) ?? {};
    const earlierUser = known === null ? undefined : earlier?.users.byId(known);
    const isThere = earlierUser !== undefined && isFinishedEntry(earlierUser);
    const isOut = user === null || isRefusal(user.plan) || duplicate !== null || loss !== null;
    return isOut || isThere ? [] : user;
  });
  for (const most of [1, page, Number.POSITIVE_INFINITY]) {
    const first = unbrought.slice(0, most);
    const told = first.filter(({ plan }) => plan.kind !== "thirdparty");
    const places = told.slice(0, 3).map(({ keys }) => keys.row);
    expect(facts.newUsers(NEW_USER.sent, most).count).toBe(first.length);
    expect(facts.newUsers(NEW_USER.together, most)).toEqual({ count: told.length, rows: places });
  }
  table.close();
  return said;
}

it("the table says of each row what the rules say one after the other", () => {
  const short = [1, 2, 4].map((many) => drawnExport(many, { minLength: 1, maxLength: 14 }));
  fc.assert(
    fc.property(fc.oneof(...short), (rows) => {
      expect(saidByTable(rows, { page: 3 })).toEqual(saidByRules(rows));
    }),
    { numRuns: EXPORTS },
  );
});

it("the table says the same of rows that are written in several batches", () => {
  const long = drawnExport(700, { minLength: 501, maxLength: 1600 });
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      for (const rows of fc.sample(long, { seed, numRuns: 1 })) {
        expect(saidByTable(rows, { page: 100 })).toEqual(saidByRules(rows));
      }
    }),
    { numRuns: LONG_EXPORTS, endOnFailure: true },
  );
});

describe("over a checkpoint", () => {
  const newCheckpoint = temporaryPaths();
  const states = [STATE.imported, STATE.created, STATE.existed, STATE.intent, STATE.failed];
  const others = [STATE.planned, STATE.rejected, STATE.skipped, STATE.queued];

  /** A run that takes these rows and brings each user to some state. */
  async function run(path: string, rows: Export, drawn: readonly State[]): Promise<void> {
    const checkpoint = openCheckpoint(path);
    const intents: IntentWrite[] = [];
    for (const [number, { loss }] of saidOf(rows, () => ({ ...NOTHING_SAID, user: 1 }))) {
      const given = rows[number - 1];
      if (given == null) continue;
      const { keys } = loss === null ? given : beaten(given, loss, digester);
      const match = matchNext(checkpoint, keys);
      if (match.kind !== "entry") continue;
      const { entry } = match;
      const state = drawn[number % drawn.length] ?? STATE.imported;
      const sawNobody = state === STATE.intent || state === STATE.failed;
      const written = { sawNobody, mapped: entry.mapped, coreId: null, code: null, parts: null };
      intents.push({ keys, entry, notices: NO_NOTICES_YET, state, ...written });
    }
    await checkpoint.ledger.writeIntents(intents);
    checkpoint.close();
  }

  it("the table says of each row what a run says that looks for every row's user", async () => {
    const size = { minLength: 1, maxLength: 14 };
    const anExport = fc.oneof(...[2, 4, 8].map((many) => drawnExport(many, size)));
    const drawnStates = fc.array(fc.constantFrom(...states, ...others), {
      minLength: 1,
      maxLength: 5,
    });
    const runs = fc.array(fc.tuple(anExport, drawnStates), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(runs, anExport, fc.boolean(), async (before, rows, sends) => {
        const path = newCheckpoint("checkpoint");
        for (const [earlier, drawn] of before) await run(path, earlier, drawn);
        const checkpoint = openCheckpoint(path);
        const { ledger } = checkpoint;
        if (ledger.users !== null) {
          const { users, database: beside } = ledger;
          const byTable = saidByTable(rows, {
            earlier: { users, digester, database: beside, sends: () => sends },
          });
          checkpoint.close();
          const again = openCheckpoint(path);
          const database = openScratch(folder, again.ledger.database);
          database.exec(TABLES + EVERY_KEY);
          const matcher = new RowMatcher(new HeldKeys(database), again.ledger.users, (number) =>
            placeOf(rows, number),
          );
          const byRun = saidOf(
            rows,
            ({ keys }, number) => {
              const match = matcher.match(keys, number);
              if (match.kind !== "entry") {
                const { number: _number, user, ...duplicate } = match;
                return { ...NOTHING_SAID, duplicate, user };
              }
              const { entry, holder } = match;
              const isChanged = entry !== null && isFinishedEntry(entry) && entry.previous !== null;
              if (isChanged && sends) matcher.claim(keys, entry);
              return { ...NOTHING_SAID, holder, user: entry?.id ?? null };
            },
            matcher,
          );
          again.close();
          expect(byTable).toEqual(byRun);
        } else checkpoint.close();
      }),
      { numRuns: NEWER_EXPORTS },
    );
  }, 600_000);
});

it("a folder that can't be written to is told as such", () => {
  const table = new KeyTable(`${folder}/gone`);
  const row = { file: "users.csv", number: 1 };
  table.take(1, planReject("u-1", { code: "email_invalid", hint: "" }, row, context));
  expect(() => table.ask(() => {})).toThrow(expect.objectContaining({ code: "disk" }));
});
