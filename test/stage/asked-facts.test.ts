import { mkdirSync } from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { buildRecord } from "../../src/account/build-record.js";
import type { Exclusion, UserRecord } from "../../src/account/user-record.js";
import { type ExampleCounter, countExample, newExampleCounter } from "../../src/events/findings.js";
import { SYSTEM_TIMING } from "../../src/events/timing.js";
import { createSignerKeys } from "../../src/hash/signer-keys.js";
import { ALL_OFFERED, carriedBy } from "../../src/plan/carried.js";
import { createDryDigester } from "../../src/plan/digests.js";
import { isRefusal, type SentPlan } from "../../src/plan/plan.js";
import { DEFAULT_POLICY } from "../../src/plan/policy.js";
import type { Input } from "../../src/source/inputs.js";
import type { Kept } from "../../src/stage/page-writer.js";
import { readInputs } from "../../src/stage/read-inputs.js";
import { Stage } from "../../src/stage/stage.js";
import { NEW_USER, USER_FINDINGS, type UserFinding } from "../../src/stage/user-findings.js";
import { inputOf } from "../run/support/batches.js";
import { bcryptOf } from "../run/support/hashes.js";
import { repeated } from "../support/repeated.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { fileName } from "./support/inspected.js";

const folder = temporaryPaths()("stage");
mkdirSync(folder);

/** Few values of each, so that rows are of one user, or share a contact, or are made one. */
const rows = fc.record({
  id: fc.constantFrom("", "u-1", "u-2", "u-3", "u-4"),
  email: fc.constantFrom("", "ann@example.com", "ben@example.com", "cleo@example.com"),
  verified: fc.constantFrom(null, true, true, false),
  hash: fc.constantFrom(null, null, bcryptOf(1), bcryptOf(2, "16"), "not a hash"),
  joined: fc.constantFrom(null, 1_600_000_000_000, Number.NaN),
  metadata: fc.constantFrom({}, {}, { plan: "gold" }, { plan: null }, { a: { b: null } }),
  role: fc.constantFrom("", "", "editor", "owner"),
  social: fc.constantFrom(null, null, "google", "unheard-of"),
  exclusions: fc.constantFrom<Exclusion[]>([], [], [], [], ["disabled"]),
});

type Row = typeof rows extends fc.Arbitrary<infer Drawn> ? Drawn : never;

function recordOf(row: Row, index: number): UserRecord | null {
  const { id, email, verified, hash, joined, metadata, role, social, exclusions } = row;
  const record = buildRecord({
    ...{ sourceId: id, email: email || `r.${index}@example.net`, emailVerified: verified },
    ...{ phone: "", phoneVerified: null, exclusions },
    hash: hash === null ? null : { kind: "text", text: hash },
    notices: social === null ? [] : ["social_identity_dropped"],
  });
  if ("code" in record) return null;
  const account = social === null ? [] : [{ provider: social === "google" ? social : null }];
  return {
    ...record,
    account: () => ({
      joined: Number.isNaN(joined) ? null : joined,
      ...{ metadata, roles: role === "" ? [] : [role], totp: [], losesFactor: false, stays: [] },
      social: account.map(({ provider }) => {
        const at = email || `s.${index}@example.net`;
        return { provider, vendorProvider: `${social}`, id: "1077", email: at, verified: true };
      }),
      unreadable: Number.isNaN(joined) ? ["joined"] : [],
    }),
  };
}

/** Of an export that is staged, what `ask` says. */
async function staged<T>(
  files: readonly (readonly Row[])[],
  kept: Kept,
  ask: (stage: Stage, inputs: readonly Input[]) => T,
): Promise<T> {
  const inputs = files.map((all, file) => inputOf(fileName(file), all.map(recordOf), [3, 1, 500]));
  const stage = new Stage(folder, kept);
  const policy = { ...DEFAULT_POLICY, onUnusableHash: "bridge" } as const;
  try {
    await readInputs(
      {
        ...{ inputs, policy, hashConfig: null, signerKeys: createSignerKeys(null), namespace: "" },
        carried: { ...carriedBy(policy, ALL_OFFERED), roles: ALL_ROLES },
      },
      {
        ...{ stage, timing: SYSTEM_TIMING, start: 0, digester: createDryDigester() },
        ...{ signal: new AbortController().signal, emit: () => {} },
      },
    );
    return ask(stage, inputs);
  } finally {
    stage.close();
  }
}

const ALL_ROLES = { map: new Map<string, string>(), others: true, known: [] };

/** Users of whom something is so, by what their pages say. */
function walked(
  stage: Stage,
  inputs: readonly Input[],
  holds: UserFinding["holds"],
  most = Number.POSITIVE_INFINITY,
): ExampleCounter {
  const found = newExampleCounter();
  let users = 0;
  for (const { user, among } of inputs.flatMap((input) => [...stage.read(input)].flat())) {
    const isOut = (among?.loss ?? among?.duplicate ?? null) !== null;
    if (user === null || isOut || isRefusal(user.plan) || users === most) continue;
    users += 1;
    if (holds(user.plan, user.keys.contacts)) countExample(found, user.keys.row);
  }
  return found;
}

const filesOf = (inputs: readonly Input[]) => new Set(inputs.map(({ path }) => path));

const isTogether = ({ kind, account, ...plan }: SentPlan): boolean =>
  kind !== "thirdparty" &&
  !("bridged" in plan && plan.bridged !== undefined) &&
  !JSON.stringify(Object.values(account?.metadata ?? {}).filter(Boolean)).includes("null");
const isLost = ({ notices }: SentPlan): boolean => notices.includes("joined_not_migrated");
const hasDay = ({ account }: SentPlan): boolean => (account?.joined ?? null) !== null;

const HOLDS: Readonly<Record<keyof typeof NEW_USER, (plan: SentPlan) => boolean>> = {
  sent: () => true,
  together: isTogether,
  leaves: (plan) => isLost(plan) || hasDay(plan),
  leavesAlways: (plan) => isLost(plan) || (hasDay(plan) && !isTogether(plan)),
};

it("what is asked of new users, and of those of some files, is what their pages say", async () => {
  const numRuns = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 60, full: 4000 });
  const files = fc.array(fc.array(rows, { maxLength: 12 }), { minLength: 1, maxLength: 3 });
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(files, fc.nat({ max: 12 }), async (all, most) => {
      let told: ExampleCounter[] = [];
      await staged(all, "all", (stage, inputs) => {
        for (const name of Object.keys(HOLDS) as (keyof typeof NEW_USER)[]) {
          for (const limit of [most, Number.POSITIVE_INFINITY]) {
            const found = stage.newUsers(NEW_USER[name], limit);
            expect({ name, ...found }).toEqual({
              ...{ name, ...walked(stage, inputs, HOLDS[name], limit) },
            });
            if (found.count > 0) seen.add(name);
          }
        }
        for (const some of [inputs, inputs.slice(1), inputs.slice(0, 1), inputs.slice(0, 0)]) {
          for (const { code } of USER_FINDINGS) {
            const found = stage.found(code, filesOf(some));
            const holds = USER_FINDINGS.filter((one) => one.code === code);
            const isFound: UserFinding["holds"] = (...of) => holds.some((one) => one.holds(...of));
            expect({ code, ...found }).toEqual({ code, ...walked(stage, some, isFound) });
            if (found.count > 0) seen.add(code);
          }
        }
        told = USER_FINDINGS.map(({ code }) => stage.found(code, filesOf(inputs)));
      });
      const counted = await staged(all, "counted", (stage, inputs) =>
        USER_FINDINGS.map(({ code }) => stage.found(code, filesOf(inputs))),
      );
      expect(counted).toEqual(told);
    }),
    { numRuns },
  );
  expect([...seen]).toEqual(expect.arrayContaining([...Object.keys(HOLDS), ...SEEN]));
});

const SEEN = [
  ...["prehash_possible", "hash_costly", "social_identity_dropped"],
  "unverified_email_with_password",
];
