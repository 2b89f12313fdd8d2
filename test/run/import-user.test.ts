import { describe, expect, it } from "vitest";
import { importUser } from "../../src/run/import-user.js";
import { MAPPED } from "../../src/plan/states.js";
import type { Policy } from "../../src/plan/policy.js";
import { scriptedContext } from "./support/call-context.js";
import { at } from "./support/user-keys.js";
import { importPlan } from "./support/records.js";
import {
  failure,
  lost,
  notReached,
  passwordlessUser,
  passwordUser,
  type Script,
} from "./support/scripted-core.js";

const ADA = "ada@example.com";
const NEW = { row: at(3), entryId: 7, maybeOurs: false, theirs: false };
const stranger = passwordUser("theirs", ADA);
const imported = { status: "OK", user: passwordUser("core-1", ADA), didUserAlreadyExist: false };

/** An import right after a lookup that found nobody, or so many milliseconds later. */
async function importAfter(script: Script, policy: Partial<Policy> = {}, msLater = 0) {
  const context = scriptedContext(script, policy);
  const before = { ...NEW, lookedAt: context.now() - msLater };
  const applied = await importUser(context, importPlan(ADA), before);
  return { applied, calls: context.core.calls.map(({ method }) => method) };
}

describe("an import that follows its lookup at once", () => {
  it("is one call", async () => {
    const { calls } = await importAfter({ importUser: [imported] });
    expect(calls).toEqual(["importUser"]);
  });
});

describe("an import that had to wait", () => {
  it("looks again, and is made where still nobody is there", async () => {
    const { applied, calls } = await importAfter(
      { findUsers: [[]], importUser: [imported] },
      {},
      60_000,
    );
    expect(applied).toMatchObject({ outcome: "imported" });
    expect(calls).toEqual(["findUsers", "importUser"]);
  });

  it("leaves whoever signed up meanwhile as they are", async () => {
    const { applied, calls } = await importAfter({ findUsers: [[stranger]] }, {}, 60_000);
    expect(applied).toMatchObject({ outcome: "existed", coreId: "theirs", mapped: MAPPED.never });
    expect(calls).toEqual(["findUsers"]);
  });

  it("isn't held up by a passwordless user of that address", async () => {
    const other = passwordlessUser("other", { email: ADA });
    const script = { findUsers: [[other]], importUser: [imported] };
    expect((await importAfter(script, {}, 60_000)).applied).toMatchObject({ outcome: "imported" });
  });

  it("ends the run under on-existing fail, and leaves them all the same", async () => {
    const policy = { onExisting: "fail" } as const;
    const { applied, calls } = await importAfter({ findUsers: [[stranger]] }, policy, 60_000);
    expect(applied).toMatchObject({ outcome: "existed", endsRun: true });
    expect(calls).toEqual(["findUsers"]);
  });
});

describe("a repeated import", () => {
  it.each([
    ["the connection was refused", notReached()],
    ["the core was busy", failure("busy", { status: 503, retryAfterMs: 600_000 / 100 })],
    ["the rate was limited", failure("busy", { status: 429 })],
  ])(
    "looks first: who is there after nothing was sent is a stranger (%s)",
    async (_what, first) => {
      const { applied, calls } = await importAfter({
        findUsers: [[stranger]],
        importUser: [first],
      });
      expect(applied).toMatchObject({ outcome: "existed", coreId: "theirs" });
      expect(calls).toEqual(["importUser", "findUsers"]);
    },
  );

  it.each([
    ["the answer was lost", lost()],
    ["the core broke", failure("broken")],
    ["a proxy lost the core", failure("busy", { status: 503 })],
  ])(
    "looks first: who is there after it may have worked is ours, and isn't sent again (%s)",
    async (_what, first) => {
      const ours = passwordUser("core-1", ADA);
      const { applied, calls } = await importAfter({ findUsers: [[ours]], importUser: [first] });
      expect(applied).toMatchObject({ outcome: "imported", coreId: "core-1", mapped: MAPPED.no });
      expect(calls).toEqual(["importUser", "findUsers"]);
    },
  );

  it("is made where nobody is there yet", async () => {
    const script = { findUsers: [[]], importUser: [lost(), lost(), imported] };
    const { applied, calls } = await importAfter(script);
    expect(applied).toMatchObject({ outcome: "imported" });
    expect(calls).toEqual(["importUser", "findUsers", "importUser", "findUsers", "importUser"]);
  });
});

describe("a look-up before a late import", () => {
  it("is counted as one", async () => {
    const context = scriptedContext({ findUsers: [[]], importUser: [imported] });
    const counted: string[] = [];
    context.caller.count = (name) => void counted.push(name);
    const before = { ...NEW, lookedAt: -60_000 };
    await importUser(context, importPlan(ADA), before);
    expect(counted).toEqual(["lookup"]);
  });
});

describe("a look-up before a late import that is lost", () => {
  it.each([
    ["gets no answer", lost],
    ["meets a core that fails", () => failure("broken")],
  ])("has sent nobody where it %s: who is there later is a stranger", async (_what, broken) => {
    const { applied, calls } = await importAfter({ findUsers: [broken()] }, {}, 60_000);
    expect(applied).toMatchObject({ kind: "failed", maybeApplied: false });
    expect(calls).not.toContain("importUser");
  });

  it("vouches for nobody whose hash is replaced after all", async () => {
    const replaced = { ...imported, didUserAlreadyExist: true };
    const script = { findUsers: [lost(), []], importUser: [replaced] };
    const { applied } = await importAfter(script, {}, 60_000);
    expect(applied).toMatchObject({
      notices: ["existing_password_replaced"],
      mapped: MAPPED.never,
    });
  });
});
