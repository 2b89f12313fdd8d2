import { describe, expect, it } from "vitest";
import type { CodeRequest } from "../../src/core/core.js";
import type { CoreUser } from "../../src/core/user.js";
import type { Entry } from "../../src/plan/entry.js";
import { MAPPED, STATE } from "../../src/plan/states.js";
import type { Action, MatchedUser, Task } from "../../src/plan/action.js";
import type { ImportPlan, SentPlan } from "../../src/plan/plan.js";
import type { Policy } from "../../src/plan/policy.js";
import { intentOf, outcomeOf, withdrawn } from "../../src/plan/writes.js";
import type { CallContext } from "../../src/run/call-context.js";
import { carryOut, endOfRun } from "../../src/run/carry-out.js";
import { lookUp } from "../../src/run/look-up.js";
import { scriptedContext } from "./support/call-context.js";
import { at, userKeys, NEW } from "./support/user-keys.js";
import { importPlan, passwordlessPlan } from "./support/records.js";
import {
  CODE,
  consumed,
  failure,
  lost,
  notReached,
  passwordlessUser,
  passwordUser,
  type Script,
} from "./support/scripted-core.js";

const ADA = "ada@example.com";
const PHONE = "+15550100001";
const OK = { status: "OK" };

/** An earlier run saw nobody, intended the same plan, and left no outcome. */
const UNKNOWN: Entry = { ...NEW, state: STATE.intent, sawNobody: true, samePlan: true };

const byImport = importPlan(ADA);
const byBoth = passwordlessPlan({ email: ADA, phone: PHONE });
const imported = {
  status: "OK",
  user: passwordUser("core-1", ADA),
  didUserAlreadyExist: false,
};

const ADA_BY_CODE = passwordlessUser("theirs", { email: ADA });
const PHONE_OF_OTHER = passwordlessUser("another", { phoneNumber: PHONE });

function matched(plan: SentPlan, entry: Entry): MatchedUser {
  return { plan, entry, keys: userKeys({ id: "1", row: at(3) }), coreId: null };
}

/** What is decided for a user once the core was asked. */
async function decided(context: CallContext, plan: SentPlan, entry: Entry): Promise<Task> {
  const user = matched(plan, entry);
  const action = await lookUp(context, user);
  if (action.kind === "stop") throw endOfRun(user.keys.row);
  return { ...user, action };
}

/** The calls that are left. */
async function ended(context: CallContext, task: Task) {
  const outcome = await carryOut(context, task);
  if (outcome === null) throw new Error(`nothing is done about ${task.action.kind}`);
  return outcome;
}

/** One user's whole way: lookup, calls, and what the checkpoint is told before and after. */
async function work(plan: SentPlan, entry: Entry, script: Script, policy: Partial<Policy> = {}) {
  const context = scriptedContext(script, policy);
  const task = await decided(context, plan, entry);
  const applied = await ended(context, task);
  const { core } = context;
  return {
    applied,
    core,
    intent: intentOf(task),
    notices: "notices" in task.action ? task.action.notices : [],
    outcome: outcomeOf(task, applied),
    calls: core.calls.map(({ method }) => method),
  };
}

/** A core at which these users are found by what they are shown with. */
function finding(...users: readonly CoreUser[]): Script {
  const find = async ({ email, phoneNumber }: CodeRequest): Promise<readonly CoreUser[]> =>
    users.filter((user) =>
      email === undefined ? user.phoneNumber === phoneNumber : user.email === email,
    );
  return { findUsers: [find] };
}

describe("a user whom nobody has sent", () => {
  it("is sent when the lookup finds nobody, and the intent says so", async () => {
    const { intent, outcome, calls } = await work(byImport, NEW, {
      ...finding(),
      importUser: [imported],
    });
    expect(calls).toEqual(["findUsers", "importUser"]);
    expect(intent).toMatchObject({ state: STATE.intent, sawNobody: true });
    expect(outcome).toEqual({
      entryId: 7,
      parts: null,
      state: STATE.imported,
      sawNobody: false,
      mapped: MAPPED.no,
      coreId: "core-1",
      isTaken: false,
      code: null,
      updated: null,
      notices: null,
    });
  });

  it("takes whoever has the contact for theirs at a core that doesn't say who signs in how", async () => {
    const unclear: CoreUser = { userId: "theirs", email: ADA, recipe: null };
    const { applied } = await work(byImport, NEW, finding(unclear));
    expect(applied).toMatchObject({ outcome: "existed" });
  });

  it("is looked up by both contacts before a code, the first one first", async () => {
    const { applied, core } = await work(byBoth, NEW, {
      findUsers: [[], [passwordlessUser("theirs", { phoneNumber: PHONE })]],
    });
    expect(core.calls.map(({ request }) => request)).toEqual([
      { email: ADA },
      { phoneNumber: PHONE },
    ]);
    expect(applied).toMatchObject({ outcome: "existed", coreId: "theirs" });
  });

  it("isn't looked up under assume-empty", async () => {
    const script = { importUser: [imported] };
    const { calls, intent } = await work(byImport, NEW, script, { assumeEmpty: true });
    expect([calls, intent?.sawNobody]).toEqual([["importUser"], true]);
  });

  it.each([
    ["whose contacts are two users'", [ADA_BY_CODE, PHONE_OF_OTHER]],
    ["of whom the core has the email alone", [ADA_BY_CODE]],
    ["of whom somebody else has the phone, and nobody the email", [PHONE_OF_OTHER]],
  ])("%s is never existed in silence", async (_who, there) => {
    const { applied, calls } = await work(byBoth, NEW, finding(...there));
    expect(applied).toMatchObject({ outcome: "existed", notices: ["contact_conflict"] });
    expect(calls).toEqual(["findUsers", "findUsers"]);
  });

  it("isn't told of another way in that is linked to the same account", async () => {
    const google: CoreUser = { userId: "theirs", email: ADA, recipe: "other" };
    const { applied, notices } = await work(
      byImport,
      NEW,
      finding(google, passwordUser("theirs", ADA)),
    );
    expect(applied).toMatchObject({ outcome: "existed" });
    expect(notices).toEqual([]);
  });

  it("isn't taken for somebody of whose linked accounts another one has the email", async () => {
    const linked = [passwordUser("theirs", "ada@example.org"), ADA_BY_CODE];
    const findUsers = [linked];
    const { calls } = await work(byImport, NEW, { findUsers, importUser: [imported] });
    expect(calls).toContain("importUser");
  });
});

describe("under on-existing update", () => {
  const update = { onExisting: "update" } as const;

  it("an unverified email's hash replaces nobody who signs up while it waits", async () => {
    const context = scriptedContext({ findUsers: [[], [passwordUser("theirs", ADA)]] }, update);
    const task = await decided(context, { ...byImport, unverified: true }, NEW);
    const applied = await ended({ ...context, now: () => context.now() + 60_000 }, task);
    expect(applied).toMatchObject({ outcome: "existed", notices: ["unverified_not_replaced"] });
  });

  describe("at a core without look-ups", () => {
    const unseen = async (plan: ImportPlan) => {
      const context = { ...scriptedContext({ importUser: [imported] }, update), looksUp: false };
      const task = await decided(context, plan, NEW);
      return { intent: intentOf(task), applied: await ended(context, task) };
    };

    it("a user is sent unseen", async () => {
      const { intent, applied } = await unseen(byImport);
      expect([applied.kind, intent?.sawNobody]).toEqual(["done", false]);
    });

    it("an unverified email's hash is rejected: it might replace somebody's", async () => {
      const { intent, applied } = await unseen({ ...byImport, unverified: true });
      expect(applied).toMatchObject({ kind: "rejected", code: "email_unverified" });
      expect(intent).toMatchObject({ state: STATE.rejected, code: "email_unverified" });
    });
  });
});

describe("an answer about somebody else stops the run", () => {
  const mismatch = { code: "answer_mismatch", message: expect.stringContaining("row 3") };
  const another = passwordUser("core-1", "grace@example.com");

  it.each([
    ["to a lookup", byImport, { findUsers: [[another]] }],
    ["to an import", byImport, { findUsers: [[]], importUser: [{ ...imported, user: another }] }],
    [
      "to a code",
      byBoth,
      {
        findUsers: [[]],
        createCode: [CODE],
        consumeCode: [consumed({ ...another, recipe: "passwordless" })],
      },
    ],
  ] as const)("%s", async (_call, plan, script) => {
    await expect(work(plan, NEW, script)).rejects.toMatchObject(mismatch);
  });

  it.each([
    ["in another writing", { ...another, email: " Ada@Example.com" }],
    [
      "of which it shows another one first, of accounts that are linked",
      { ...another, otherContacts: [ADA] },
    ],
    ["without any contact", { userId: "core-1", recipe: "emailpassword" }],
  ] as const)("but not one that shows the user %s", async (_how, user) => {
    const { applied } = await work(byImport, NEW, {
      findUsers: [[]],
      importUser: [{ ...imported, user }],
    });
    expect(applied).toMatchObject({ outcome: "imported" });
  });

  it("to a change of contacts: a conflict of a contact that wasn't sent", async () => {
    const conflict = { status: "PHONE_NUMBER_ALREADY_EXISTS_ERROR" };
    const context = scriptedContext({ updateUser: [conflict] });
    const plan = passwordlessPlan({ email: ADA });
    const action: Action = {
      kind: "change_contacts",
      plan,
      clears: null,
      keeps: false,
      updated: { came: [], left: [] },
      notices: [],
      parts: [],
    };
    const task = { ...matched(plan, NEW), coreId: "core-1", action };
    await expect(carryOut(context, task)).rejects.toMatchObject(mismatch);
  });

  it("but not one with a Mexican number, of which some cores drop the old 1", async () => {
    const plan = passwordlessPlan({ first: "phone", phone: "+525512345678" });
    const user = passwordlessUser("core-1", { phoneNumber: "+5215512345678" });
    const script = { findUsers: [[]], createCode: [CODE], consumeCode: [consumed(user)] };
    expect((await work(plan, NEW, script)).applied).toMatchObject({ outcome: "created" });
  });

  it("also one with an id that another user of the checkpoint has", async () => {
    const context = scriptedContext({ findUsers: [[]], importUser: [imported] });
    const ids = { claimId: () => at(1) };
    const task = await decided(context, byImport, NEW);
    await expect(ended({ ...context, ids }, task)).rejects.toMatchObject({
      code: "answer_mismatch",
      message: expect.stringContaining("users.csv, row 1"),
    });
  });
});

describe("a lookup that doesn't get through", () => {
  it("fails the user for now; nothing is sent", async () => {
    const { applied, intent, calls } = await work(byImport, NEW, {
      findUsers: [failure("broken")],
    });
    expect(applied).toMatchObject({ kind: "failed", code: "core_broken" });
    expect(intent).toMatchObject({ state: STATE.failed, sawNobody: false, code: "core_broken" });
    expect(new Set(calls)).toEqual(new Set(["findUsers"]));
  });

  it("rejects the user where the core refuses to look them up: it would again", async () => {
    const { intent } = await work(byImport, NEW, { findUsers: [failure("refused")] });
    expect(intent).toMatchObject({ state: STATE.rejected, code: "core_refused" });
  });

  it("doesn't make an earlier intent forgotten", async () => {
    const { intent } = await work(byImport, UNKNOWN, { findUsers: [failure("broken")] });
    expect(intent).toMatchObject({ state: STATE.failed, sawNobody: true });
  });
});

describe("an intent of unknown outcome", () => {
  it("isn't a user who has only the second contact: ours got the first one first", async () => {
    const stranger = passwordlessUser("theirs", { phoneNumber: PHONE });
    const { applied, calls } = await work(byBoth, UNKNOWN, { findUsers: [[], [stranger]] });
    expect(calls).toEqual(["findUsers", "findUsers"]);
    expect(applied).toMatchObject({ outcome: "existed", coreId: "theirs" });
  });
});

describe("what the checkpoint is told", () => {
  it("of a failure that may have worked: that whoever is found later is ours", async () => {
    const { outcome } = await work(byImport, NEW, {
      ...finding(),
      importUser: [failure("broken")],
    });
    expect(outcome).toMatchObject({
      state: STATE.failed,
      sawNobody: true,
      code: "core_broken",
    });
  });

  it("of a failure that can't have worked: nothing of the kind", async () => {
    const { outcome } = await work(byImport, NEW, {
      ...finding(),
      importUser: [notReached()],
    });
    expect(outcome).toMatchObject({ state: STATE.failed, sawNobody: false });
  });

  it("of a passwordless user whose second contact was refused: that the user is ours", async () => {
    const { outcome } = await work(byBoth, NEW, {
      ...finding(),
      createCode: [CODE],
      consumeCode: [consumed(passwordlessUser("core-1", { email: ADA }))],
      updateUser: [failure("refused")],
    });
    expect(outcome).toMatchObject({ state: STATE.rejected, sawNobody: true });
  });

  it("of a consume that was lost after its commit: the next run takes the user for ours", async () => {
    const lostRun = await work(byBoth, NEW, {
      ...finding(),
      createCode: [CODE],
      consumeCode: [lost()],
    });
    expect(lostRun.outcome).toMatchObject({ state: STATE.failed, sawNobody: true });
    const entry = { ...UNKNOWN, state: lostRun.outcome?.state ?? null };
    const next = await work(byBoth, entry, {
      ...finding(passwordlessUser("core-1", { email: ADA })),
      updateUser: [OK],
    });
    expect(next.applied).toMatchObject({ outcome: "created", coreId: "core-1" });
  });

  it("of a user whom the run was stopped before: what was known, and no more", () => {
    const postponed = { kind: "postpone" } as const;
    const fresh: Task = { ...matched(byImport, NEW), action: postponed };
    expect(intentOf(fresh)).toMatchObject({ state: STATE.planned, sawNobody: false });
    const resumed: Task = { ...matched(byImport, UNKNOWN), action: postponed };
    expect(intentOf(resumed)).toBeNull();
  });

  it("of a user whose intent was written before the run was stopped: that nothing was sent", async () => {
    const context = scriptedContext({}, { assumeEmpty: true });
    const task = await decided(context, byImport, NEW);
    expect(intentOf(task)).toMatchObject({ state: STATE.intent, sawNobody: true });
    expect(withdrawn(task)).toMatchObject({ state: STATE.planned, sawNobody: false });
  });
});
