import { mkdirSync } from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { PlannedUser } from "../../src/plan/action.js";
import { createDigester } from "../../src/plan/digests.js";
import { NO_PARTS } from "../../src/plan/parts.js";
import type { Plan } from "../../src/plan/plan.js";
import { RANK } from "../../src/plan/rank.js";
import { Stage } from "../../src/stage/stage.js";
import { inputOf } from "../run/support/batches.js";
import { BCRYPT, record } from "../run/support/records.js";
import { at } from "../run/support/user-keys.js";
import { runs } from "../support/repeated.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const newPath = temporaryPaths();
const digester = createDigester("salt");

const one = <T>(...values: readonly T[]) => fc.constantFrom(...values);
const names = one([], ["librarian"], ["librarian", "reader"]);
const part = fc.record({ digest: one("AbCdEf1234", ""), names });

const account = fc.option(
  fc.record({
    verified: one(true, false, null),
    joined: one(1_700_000_000_000, null),
    metadata: one({ shelf: "B 12" }, {}, null),
    roles: names,
    totp: one([]),
  }),
);
const sourceId = one("u-1", "u-2", null);
const keepId = one("u-1", "u-2", null);
const shared = { keepId, account, notices: one([], ["email_from_name"], ["sso_only", "bridged"]) };
const letIn = one({}, { letIn: [] }, { letIn: ["disabled" as const] });
const plain: fc.Arbitrary<Plan> = fc.oneof(
  fc.record({
    kind: one("import" as const),
    email: one("ada@example.com", "grace@example.com"),
    passwordHash: one(BCRYPT, BCRYPT.replace("$2a", "$2b")),
    algorithm: one("bcrypt" as const, "argon2" as const),
    unverified: fc.boolean(),
    ...shared,
  }),
  fc.record({
    kind: one("passwordless" as const),
    first: one("email" as const, "phone" as const),
    email: one("ada@example.com", null),
    phone: one("+15550100123", null),
    ...shared,
  }),
  fc.record({
    kind: one("thirdparty" as const),
    identity: fc.record({ thirdPartyId: one("github", "line"), thirdPartyUserId: one("7", "8") }),
    email: one("ada@example.com"),
    ...shared,
  }),
  fc.record({
    kind: one("skip" as const, "reject" as const),
    code: one("disabled", "no_contact"),
    hint: one("Mend the row.", "Ask the vendor."),
  }),
);

const key = one("a", "b").map((name) => digester.text(name));
const contact = fc.record({
  key,
  kind: one("email" as const, "phone" as const, "social" as const),
  rank: one(RANK.verified, RANK.notSaid, RANK.unverified),
});
const user: fc.Arbitrary<PlannedUser> = fc
  .record({
    plan: fc
      .tuple(plain, letIn)
      .map(([plan, more]) => ("code" in plan ? plan : { ...plan, ...more })),
    keys: fc.record({
      row: one(at(1)),
      identity: key,
      keyed: fc.boolean(),
      contacts: fc.array(contact, { maxLength: 2 }),
      reserved: fc.array(
        contact.map(({ key, kind }) => ({ key, kind })),
        { maxLength: 2 },
      ),
      plan: key,
      parts: fc.option(
        fc.record(
          { verified: part, metadata: part, roles: part, totp: part },
          { requiredKeys: [] },
        ),
        {
          nil: NO_PARTS,
        },
      ),
      sourceId,
    }),
  })
  .map(({ plan, keys }) => {
    const isSent = plan.kind !== "skip" && plan.kind !== "reject";
    const [contacts, reserved] = isSent ? [keys.contacts, []] : [[], keys.reserved];
    const kind = isSent ? plan.kind : null;
    const parts = isSent ? keys.parts : NO_PARTS;
    return { plan, keys: { ...keys, contacts, reserved, parts, kind } };
  });

/** The first user with each one thing in turn as the second has it. */
function between(first: PlannedUser, second: PlannedUser): PlannedUser[] {
  const like = <T extends object>(one: T, other: object): T[] =>
    Object.entries(other).map(([name, value]) => ({ ...one, [name]: value }));
  const { plan, keys } = first;
  const accounts =
    "account" in plan && "account" in second.plan && plan.account !== null
      ? like(plan.account, second.plan.account ?? {}).map((account) => ({ ...plan, account }))
      : [];
  return [
    ...[...like(plan, second.plan), ...accounts].map((mixed) => ({ plan: mixed, keys })),
    ...[
      ...like(keys, second.keys),
      ...keys.contacts.flatMap((own, index) =>
        like(own, second.keys.contacts[0] ?? {}).map((contact) => ({
          ...keys,
          contacts: keys.contacts.with(index, contact),
        })),
      ),
    ].map((mixed) => ({ plan, keys: mixed })),
  ];
}

const kindOf = ({ plan }: PlannedUser): string => ("code" in plan ? "refusal" : plan.kind);

it("a stage hands back users who differ in whatever one thing as they were taken", () => {
  const pair = fc.tuple(user, user).filter(([first, second]) => kindOf(first) === kindOf(second));
  fc.assert(
    fc.property(pair, ([first, second]) => {
      const users = [first, ...between(first, second), second].map(({ plan, keys }, index) => ({
        plan,
        keys: { ...keys, row: at(index + 1) },
      }));
      const folder = newPath("stage");
      mkdirSync(folder);
      const stage = new Stage(folder);
      try {
        const input = inputOf("users.csv", [], [1]);
        for (const [index, user] of users.entries()) {
          stage.take(input, { kind: "record", number: index + 1, record: record() }, user);
        }
        stage.planWaiting((_input, _row, waiting) => waiting);
        expect([...stage.read(input)].flat().map((row) => row.user)).toEqual(users);
      } finally {
        stage.close();
      }
    }),
    { numRuns: runs(800) },
  );
});
