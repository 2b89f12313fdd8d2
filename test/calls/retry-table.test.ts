/** Design section 7, cell by cell: what is repeated, how often, and what becomes of the user. */

import { describe, expect, it } from "vitest";
import type { CoreFailure } from "../../src/core/core-failure.js";
import { createUser } from "../../src/run/create-user.js";
import { importUser } from "../../src/run/import-user.js";
import { scriptedContext } from "../run/support/call-context.js";
import { at } from "../run/support/user-keys.js";
import { importPlan, passwordlessPlan } from "../run/support/records.js";
import {
  CODE,
  consumed,
  failure,
  lost,
  notReached,
  passwordlessUser,
  passwordUser,
  type Script,
} from "../run/support/scripted-core.js";

const ADA = "ada@example.com";
const PHONE = "+15550100001";
const NEW = { row: at(3), entryId: 7, maybeOurs: false, theirs: false, lookedAt: null };
const USER = passwordlessUser("core-1", { email: ADA });
const IMPORTED = { status: "OK", user: passwordUser("core-1", ADA), didUserAlreadyExist: false };

const METHODS = {
  code: "createCode",
  consume: "consumeCode",
  update: "updateUser",
  import: "importUser",
} as const;
type Call = keyof typeof METHODS;

const GOES_WELL: Record<Call, unknown> = {
  code: CODE,
  consume: consumed(USER),
  update: { status: "OK" },
  import: IMPORTED,
};

/** Fails `times` times, then goes well. */
async function user(call: Call, cause: CoreFailure, times: number) {
  const script: Script = Object.fromEntries(
    Object.entries(METHODS).map(([name, method]) => {
      const fails = name === call ? Array.from({ length: times }, () => cause) : [];
      return [method, [...fails, GOES_WELL[name as Call]]];
    }),
  );
  const context = scriptedContext(script);
  const applied =
    call === "import"
      ? await importUser(context, importPlan(ADA), NEW)
      : await createUser(context, passwordlessPlan({ email: ADA, phone: PHONE }), NEW);
  return { applied, calls: (name: Call) => context.core.count(METHODS[name]) };
}

const busy = (): CoreFailure => failure("busy");
const told = (): CoreFailure => failure("busy", { retryAfterMs: 2000 });
const broken = (): CoreFailure => failure("broken");
const refused = (): CoreFailure => failure("refused");

type How = "again" | "from the code";

/** The call, what happens to it, and so often it may happen before the user has failed. */
const PASSING: readonly (readonly [Call, string, () => CoreFailure, How, number])[] = [
  ["code", "never reached the core", notReached, "again", 5],
  ["update", "never reached the core", notReached, "again", 5],
  ["import", "never reached the core", notReached, "again", 5],
  ["code", "was lost", lost, "again", 5],
  ["consume", "was lost", lost, "from the code", 3],
  ["update", "was lost", lost, "again", 5],
  ["import", "was lost", lost, "again", 5],
  ["code", "was answered 500", broken, "again", 2],
  ["consume", "was answered 500", broken, "from the code", 3],
  ["update", "was answered 500", broken, "again", 2],
  ["import", "was answered 500", broken, "again", 2],
];

/** These wait and are repeated for as long as the operator waits. */
const PAUSING: readonly (readonly [Call, string, () => CoreFailure, How])[] = [
  ["code", "429 or 503", busy, "again"],
  ["consume", "429 or 503", busy, "from the code"],
  ["update", "429 or 503", busy, "again"],
  ["import", "429 or 503", busy, "again"],
  ["code", "429 or 503 with a wait", told, "again"],
  ["consume", "429 or 503 with a wait", told, "from the code"],
  ["update", "429 or 503 with a wait", told, "again"],
  ["import", "429 or 503 with a wait", told, "again"],
];

const WELL = expect.objectContaining({ kind: "done" });

describe("a call that fails in passing", () => {
  it.each(PASSING)("%s that %s", async (call, _what, cause, how, most) => {
    const mended = await user(call, cause(), most);
    expect(mended.applied).toEqual(WELL);
    expect(mended.calls(call)).toBe(most + 1);
    expect(mended.calls("code")).toBe(codes(call, how, most + 1));
    const given = await user(call, cause(), most + 1);
    expect(given.applied).toMatchObject({ kind: "failed", code: `core_${cause().kind}` });
    expect(given.calls(call)).toBe(most + 1);
  });

  it("consume that never reached the core is repeated, and then tried with other codes", async () => {
    const again = await user("consume", notReached(), 5);
    expect([again.applied, again.calls("code")]).toEqual([WELL, 1]);
    const others = await user("consume", notReached(), 23);
    expect([others.applied, others.calls("code")]).toEqual([WELL, 4]);
    const given = await user("consume", notReached(), 24);
    expect(given.applied).toMatchObject({ kind: "failed", code: "core_unreachable" });
  });

  it.each(PAUSING)("%s that was answered %s", async (call, _what, cause, how) => {
    const { applied, calls } = await user(call, cause(), 25);
    expect(applied).toEqual(WELL);
    expect(calls(call)).toBe(26);
    expect(calls("code")).toBe(codes(call, how, 26));
  });

  function codes(call: Call, how: How, attempts: number): number {
    if (call === "import") return 0;
    return call === "code" || how === "from the code" ? attempts : 1;
  }
});

describe("a call that the core refuses", () => {
  it.each(["code", "consume", "update", "import"] as const)("%s rejects the user", async (call) => {
    const { applied, calls } = await user(call, refused(), 1);
    expect(applied).toMatchObject({
      kind: "rejected",
      code: "core_refused",
      hint: expect.stringContaining("scripted refused"),
      maybeApplied: call === "update",
    });
    expect(calls(call)).toBe(1);
  });

  it("consume, by RESTART_FLOW_ERROR after one that was lost, starts again at a code", async () => {
    const context = scriptedContext({
      createCode: [CODE],
      consumeCode: [lost(), { status: "RESTART_FLOW_ERROR" }, consumed(USER, false)],
    });
    const applied = await createUser(context, passwordlessPlan({ email: ADA }), NEW);
    expect(applied).toMatchObject({ kind: "done", outcome: "created" });
    expect(context.core.count("createCode")).toBe(3);
  });
});
