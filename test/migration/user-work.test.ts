import { describe, expect, it } from "vitest";
import type { CoreUser } from "../../src/core/core.js";
import type { Before, Entry } from "../../src/migration/checkpoint/entry.js";
import { MAPPED, MARK, STATE } from "../../src/migration/checkpoint/schema.js";
import type { Todo } from "../../src/migration/intake.js";
import type { ImportPlan, PasswordlessPlan } from "../../src/migration/plan.js";
import type { Policy } from "../../src/migration/policy.js";
import {
  applyWork,
  postponed,
  prepareWork,
  settlementOf,
  withdrawn,
} from "../../src/migration/user-work.js";
import { scriptedApplier } from "./support/applier.js";
import { at, candidate, contactKey } from "./support/candidates.js";
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

const NEW: Entry = {
  id: 7,
  state: null,
  sawNobody: false,
  samePlan: false,
  mapped: MAPPED.no,
  gainsId: false,
  moved: true,
  tried: false,
  before: null,
  scope: 1,
};
/** An earlier run saw nobody, intended the same plan, and left no outcome. */
const UNKNOWN: Entry = { ...NEW, state: STATE.intent, sawNobody: true, samePlan: true };

/** An earlier export had another hash. */
const BEFORE: Before = {
  plan: "an older plan",
  kind: "import",
  contacts: [{ ...contactKey("email", ADA), mark: MARK.held }],
  isReplaced: false,
};

const byImport = importPlan(ADA);
const byBoth = passwordlessPlan({ email: ADA, phone: PHONE });
const imported = {
  status: "OK",
  user: passwordUser("core-1", ADA),
  didUserAlreadyExist: false,
};

function todo(plan: ImportPlan | PasswordlessPlan, entry: Entry): Todo {
  return { plan, entry, candidate: candidate({ id: "1", row: at(3) }), update: null };
}

/** One user's whole way: lookup, calls, and what the checkpoint is told before and after. */
async function work(
  plan: ImportPlan | PasswordlessPlan,
  entry: Entry,
  script: Script,
  policy: Partial<Policy> = {},
) {
  const applier = scriptedApplier(script, policy);
  const prepared = await prepareWork(applier, todo(plan, entry));
  const applied = prepared.decided ?? (await applyWork(applier, prepared));
  const { core } = applier;
  return {
    applied,
    core,
    admission: prepared.admission,
    settlement: settlementOf(prepared, applied),
    calls: core.calls.map(({ method }) => method),
  };
}

function finding(...users: readonly CoreUser[]): Script {
  return { findUsers: [users] };
}

describe("a user whom nobody has sent", () => {
  it("is sent when the lookup finds nobody, and the intent says so", async () => {
    const { admission, settlement, calls } = await work(byImport, NEW, {
      ...finding(),
      importUser: [imported],
    });
    expect(calls).toEqual(["findUsers", "importUser"]);
    expect(admission).toMatchObject({ state: STATE.intent, sawNobody: true });
    expect(settlement).toEqual({
      entryId: 7,
      state: STATE.imported,
      sawNobody: false,
      mapped: MAPPED.no,
      coreId: "core-1",
      code: null,
      updated: null,
    });
  });

  it("is left as they are when they are at the core already", async () => {
    const { applied, admission, calls } = await work(
      byImport,
      NEW,
      finding(passwordUser("theirs", ADA)),
    );
    expect(applied).toMatchObject({ outcome: "existed", coreId: "theirs" });
    expect(admission).toMatchObject({ state: STATE.existed, coreId: "theirs" });
    expect(calls).toEqual(["findUsers"]);
  });

  it("doesn't take a user of the other kind for theirs", async () => {
    const other = passwordlessUser("theirs", { email: ADA });
    const byPassword = await work(byImport, NEW, { ...finding(other), importUser: [imported] });
    expect(byPassword.calls).toContain("importUser");
    const { calls } = await work(byBoth, NEW, {
      ...finding(passwordUser("theirs", ADA)),
      createCode: [CODE],
      consumeCode: [consumed(passwordlessUser("core-1", { email: ADA }))],
      updateUser: [OK],
    });
    expect(calls).toContain("createCode");
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

  it("stops the run under on-existing fail when they are there, naming the row", async () => {
    const found = work(byImport, NEW, finding(passwordUser("theirs", ADA)), { onExisting: "fail" });
    await expect(found).rejects.toMatchObject({
      code: "user_exists",
      message: expect.stringContaining("users.csv, row 3"),
    });
  });

  it("isn't looked up under assume-empty or on-existing update", async () => {
    const script = { importUser: [imported] };
    const empty = await work(byImport, NEW, script, { assumeEmpty: true });
    expect([empty.calls, empty.admission?.sawNobody]).toEqual([["importUser"], true]);
    const update = await work(byImport, NEW, script, { onExisting: "update" });
    expect([update.calls, update.admission?.sawNobody]).toEqual([["importUser"], false]);
  });
});

describe("a lookup that doesn't get through", () => {
  it("fails the user for now; nothing is sent", async () => {
    const { applied, admission, calls } = await work(byImport, NEW, {
      findUsers: [failure("broken")],
    });
    expect(applied).toMatchObject({ kind: "failed", code: "core_broken" });
    expect(admission).toMatchObject({ state: STATE.failed, sawNobody: false, code: "core_broken" });
    expect(new Set(calls)).toEqual(new Set(["findUsers"]));
  });

  it("rejects the user where the core refuses to look them up: it would again", async () => {
    const { admission } = await work(byImport, NEW, { findUsers: [failure("refused")] });
    expect(admission).toMatchObject({ state: STATE.rejected, code: "core_refused" });
  });

  it("doesn't make an earlier intent forgotten", async () => {
    const { admission } = await work(byImport, UNKNOWN, { findUsers: [failure("broken")] });
    expect(admission).toMatchObject({ state: STATE.failed, sawNobody: true });
  });
});

describe("an intent of unknown outcome", () => {
  it("is imported without a second call when the lookup finds the user", async () => {
    const { applied, settlement, calls } = await work(
      byImport,
      UNKNOWN,
      finding(passwordUser("core-1", ADA)),
    );
    expect(calls).toEqual(["findUsers"]);
    expect(applied).toMatchObject({ outcome: "imported", notices: [] });
    expect(settlement).toMatchObject({ state: STATE.imported, coreId: "core-1" });
  });

  it("is sent when the lookup finds nobody", async () => {
    const { applied, calls } = await work(byImport, UNKNOWN, {
      ...finding(),
      importUser: [imported],
    });
    expect(calls).toEqual(["findUsers", "importUser"]);
    expect(applied).toMatchObject({ outcome: "imported" });
  });

  it("is sent again when the plan has changed since: the core may have the older hash", async () => {
    const changed = { ...UNKNOWN, samePlan: false, before: BEFORE };
    const { applied, calls } = await work(byImport, changed, {
      ...finding(passwordUser("core-1", ADA)),
      importUser: [{ ...imported, didUserAlreadyExist: true }],
    });
    expect(calls).toEqual(["findUsers", "importUser"]);
    expect(applied).toMatchObject({ outcome: "imported", notices: [] });
  });

  it("of a passwordless user is completed without a new code", async () => {
    const { applied, calls } = await work(byBoth, UNKNOWN, {
      ...finding(passwordlessUser("core-1", { email: ADA })),
      updateUser: [OK],
    });
    expect(calls).toEqual(["findUsers", "updateUser"]);
    expect(applied).toMatchObject({ outcome: "created", coreId: "core-1" });
  });

  it("of a complete passwordless user needs no call at all", async () => {
    const whole = passwordlessUser("core-1", { email: ADA, phoneNumber: PHONE });
    const { applied, calls } = await work(byBoth, UNKNOWN, finding(whole));
    expect(calls).toEqual(["findUsers"]);
    expect(applied).toMatchObject({ outcome: "created" });
  });

  it("isn't a user who has only the second contact: ours got the first one first", async () => {
    const stranger = passwordlessUser("theirs", { phoneNumber: PHONE });
    const { applied, calls } = await work(byBoth, UNKNOWN, { findUsers: [[], [stranger]] });
    expect(calls).toEqual(["findUsers", "findUsers"]);
    expect(applied).toMatchObject({ outcome: "existed", coreId: "theirs" });
  });

  it("isn't taken for ours where no lookup had seen that nobody was there", async () => {
    const unseen = { ...UNKNOWN, sawNobody: false };
    const { applied } = await work(byImport, unseen, finding(passwordUser("theirs", ADA)));
    expect(applied).toMatchObject({ outcome: "existed" });
  });

  it("is sent again without lookups, and whoever is there is ours", async () => {
    const { applied, calls } = await work(
      byImport,
      UNKNOWN,
      { importUser: [{ ...imported, didUserAlreadyExist: true }] },
      { assumeEmpty: true },
    );
    expect(calls).toEqual(["importUser"]);
    expect(applied).toMatchObject({ outcome: "imported", notices: [] });
    expect(applied).not.toHaveProperty("endsRun");
  });
});

describe("a user whose id is kept", () => {
  const keep = { ...byImport, keepId: "u-1" };
  const ours = passwordUser("core-1", ADA);

  it("is settled as mapped by the core's own id", async () => {
    const { settlement, calls } = await work(keep, NEW, {
      ...finding(),
      importUser: [imported],
      mapUserId: [OK],
    });
    expect(calls).toEqual(["findUsers", "importUser", "mapUserId"]);
    expect(settlement).toMatchObject({ mapped: MAPPED.yes, coreId: "core-1", code: null });
  });

  it("and whom a killed run had brought is only mapped", async () => {
    const { applied, admission, calls } = await work(keep, UNKNOWN, {
      ...finding(ours),
      mapUserId: [OK],
    });
    expect(calls).toEqual(["findUsers", "mapUserId"]);
    expect(admission).toMatchObject({ state: STATE.intent, mapped: MAPPED.no });
    expect(applied).toMatchObject({ outcome: "imported", mapped: MAPPED.yes });
  });

  it("and whom a killed run had brought and mapped is only asked for", async () => {
    const { settlement, calls } = await work(keep, UNKNOWN, {
      ...finding({ ...ours, userId: "u-1" }),
      findMapping: [{ userId: "core-1", externalUserId: "u-1" }],
    });
    expect(calls).toEqual(["findUsers", "findMapping"]);
    expect(settlement).toMatchObject({
      state: STATE.imported,
      mapped: MAPPED.yes,
      coreId: "core-1",
    });
  });

  it("is settled as imported where only the mapping failed, so that nothing is sent again", async () => {
    const { applied, settlement } = await work(keep, NEW, {
      ...finding(),
      importUser: [imported],
      mapUserId: [failure("broken")],
    });
    expect(applied.kind).toBe("unmapped");
    expect(settlement).toEqual({
      entryId: 7,
      state: STATE.imported,
      sawNobody: false,
      mapped: MAPPED.no,
      coreId: "core-1",
      code: "core_broken",
      updated: null,
    });
  });

  it("is replaced under on-existing update where the look-up found them, and settled as never to be mapped", async () => {
    const { settlement, calls } = await work(
      keep,
      NEW,
      { ...finding(ours), importUser: [lost(), { ...imported, didUserAlreadyExist: true }] },
      { keepIds: true, onExisting: "update" },
    );
    expect(calls).toEqual(["findUsers", "importUser", "importUser"]);
    expect(settlement).toMatchObject({ state: STATE.imported, mapped: MAPPED.never });
  });

  it("stays a stranger under on-existing update where the answer to their code was lost", async () => {
    const theirs = passwordlessUser("theirs", { email: ADA, phoneNumber: PHONE });
    const { applied, settlement } = await work(
      { ...byBoth, keepId: "u-1" },
      NEW,
      {
        ...finding(theirs),
        createCode: [CODE],
        consumeCode: [lost(), consumed(theirs, false)],
      },
      { keepIds: true, onExisting: "update" },
    );
    expect(applied).toMatchObject({ outcome: "existed", notices: ["id_not_kept"] });
    expect(settlement.mapped).toBe(MAPPED.never);
  });

  it("has no readable contact in the checkpoint, whatever the core shows", async () => {
    const shown = passwordUser("zoe@example.com", ADA);
    const { admission } = await work(keep, NEW, finding(shown));
    expect(admission).toMatchObject({ state: STATE.existed, coreId: null });
  });
});

describe("what the checkpoint is told", () => {
  it("of a failure that may have worked: that whoever is found later is ours", async () => {
    const { settlement } = await work(byImport, NEW, {
      ...finding(),
      importUser: [failure("broken")],
    });
    expect(settlement).toMatchObject({
      state: STATE.failed,
      sawNobody: true,
      code: "core_broken",
    });
  });

  it("of a failure that can't have worked: nothing of the kind", async () => {
    const { settlement } = await work(byImport, NEW, {
      ...finding(),
      importUser: [notReached()],
    });
    expect(settlement).toMatchObject({ state: STATE.failed, sawNobody: false });
  });

  it("of a passwordless user whose second contact was refused: that the user is ours", async () => {
    const { settlement } = await work(byBoth, NEW, {
      ...finding(),
      createCode: [CODE],
      consumeCode: [consumed(passwordlessUser("core-1", { email: ADA }))],
      updateUser: [failure("refused")],
    });
    expect(settlement).toMatchObject({ state: STATE.rejected, sawNobody: true });
  });

  it("of a consume that was lost after its commit: the next run takes the user for ours", async () => {
    const lostRun = await work(byBoth, NEW, {
      ...finding(),
      createCode: [CODE],
      consumeCode: [lost()],
    });
    expect(lostRun.settlement).toMatchObject({ state: STATE.failed, sawNobody: true });
    const entry = { ...UNKNOWN, state: lostRun.settlement.state };
    const next = await work(byBoth, entry, {
      ...finding(passwordlessUser("core-1", { email: ADA })),
      updateUser: [OK],
    });
    expect(next.applied).toMatchObject({ outcome: "created", coreId: "core-1" });
  });

  it("of a user whom the run was stopped before: what was known, and no more", () => {
    const fresh = postponed(todo(byImport, NEW));
    expect(fresh.admission).toMatchObject({ state: STATE.planned, sawNobody: false });
    const resumed = postponed(todo(byImport, UNKNOWN));
    expect(resumed.admission).toBeNull();
    expect(withdrawn(fresh)).toMatchObject({ state: STATE.planned, sawNobody: false });
    expect(withdrawn(resumed)).toBeNull();
  });
});
