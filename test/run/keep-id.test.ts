import { describe, expect, it } from "vitest";
import type { Done } from "../../src/plan/action.js";
import { MAPPED } from "../../src/plan/states.js";
import { keepId, mapId } from "../../src/run/keep-id.js";
import { scriptedContext } from "./support/call-context.js";
import { at } from "./support/user-keys.js";
import { failure, lost, type Script } from "./support/scripted-core.js";

const KEPT = { id: "u-1", row: at(3) };
const OK = { status: "OK" };
const EXISTS = {
  status: "USER_ID_MAPPING_ALREADY_EXISTS_ERROR",
  doesUserIdExist: true,
  doesExternalUserIdExist: true,
};
const UNKNOWN = { status: "UNKNOWN_USER_ID_ERROR" };

const BROUGHT: Done = {
  kind: "done",
  outcome: "created",
  coreId: "core-1",
  notices: ["contact_conflict"],
  mapped: MAPPED.no,
};

/** Maps `u-1` to the user `core-1`, and says how it ended and what was called. */
async function map(script: Script, userId = "core-1") {
  const context = scriptedContext(script);
  const mapping = await mapId(context, { ...KEPT, userId });
  return { mapping, calls: context.core.calls.map(({ method }) => method) };
}

function pairOf(userId: string, externalUserId: string): object {
  return { userId, externalUserId };
}

/** What answers "no such mapping". */
const NONE = async (): Promise<null> => null;

describe("mapping a vendor's id", () => {
  it("is one call where nothing stands in the way", async () => {
    const context = scriptedContext({ mapUserId: [OK] });
    expect(await mapId(context, { ...KEPT, userId: "core-1" })).toEqual({
      kind: "kept",
      coreId: "core-1",
    });
    expect(context.core.calls).toEqual([
      { method: "mapUserId", request: { userId: "core-1", externalUserId: "u-1" } },
    ]);
  });

  it("takes a mapping of this very pair for its own, made by an attempt whose answer was lost", async () => {
    const { mapping, calls } = await map({
      mapUserId: [lost(), EXISTS],
      findMapping: [pairOf("core-1", "u-1")],
    });
    expect(mapping).toEqual({ kind: "kept", coreId: "core-1" });
    expect(calls).toEqual(["mapUserId", "mapUserId", "findMapping"]);
  });

  it.each([
    ["the user has another one", EXISTS, pairOf("core-1", "theirs")],
    ["somebody else has it", EXISTS, NONE],
    ["the user is known by another one alone", UNKNOWN, pairOf("core-1", "theirs")],
  ])("takes no id from anybody: %s", async (_what, answer, pair) => {
    const { mapping } = await map({ mapUserId: [answer], findMapping: [pair] });
    expect(mapping).toEqual({ kind: "not_kept" });
  });

  it("doesn't insist where the core refuses the id", async () => {
    const { mapping, calls } = await map({ mapUserId: [failure("refused")] });
    expect(mapping).toEqual({ kind: "not_kept" });
    expect(calls).toEqual(["mapUserId"]);
  });

  it("says so where the core has lost the user", async () => {
    const { mapping } = await map({ mapUserId: [UNKNOWN], findMapping: [NONE] });
    expect(mapping).toEqual({ kind: "vanished" });
  });

  it("maps nothing for a user who is shown by it already, and learns the core's own id", async () => {
    const { mapping, calls } = await map({ findMapping: [pairOf("core-1", "u-1")] }, "u-1");
    expect(mapping).toEqual({ kind: "kept", coreId: "core-1" });
    expect(calls).toEqual(["findMapping"]);
  });

  it("has nothing to map where the core's own id is the vendor's", async () => {
    const { mapping } = await map({ findMapping: [NONE] }, "u-1");
    expect(mapping).toEqual({ kind: "kept", coreId: "u-1" });
  });

  it.each([
    ["the mapping", { mapUserId: [failure("broken")] }, "core-1"],
    [
      "the look at whose it is",
      { mapUserId: [EXISTS], findMapping: [failure("broken")] },
      "core-1",
    ],
    ["the look at the core's own id", { findMapping: [failure("broken")] }, "u-1"],
  ])("fails for now where %s doesn't get through", async (_what, script, userId) => {
    expect((await map(script, userId)).mapping).toMatchObject({ kind: "failed" });
  });

  it.each([
    ["to what was mapped before", { mapUserId: [EXISTS] }, "core-1"],
    ["to the user's own id", {}, "u-1"],
  ] as const)("stops at an answer about another user: %s", async (_what, script, userId) => {
    const crossed = { ...script, findMapping: [pairOf("core-9", "u-9")] };
    await expect(map(crossed, userId)).rejects.toMatchObject({
      code: "answer_mismatch",
      message: expect.stringContaining("users.csv, row 3"),
    });
  });

  it("is repeated as any call is", async () => {
    const { mapping, calls } = await map({ mapUserId: [failure("busy"), failure("broken"), OK] });
    expect(mapping.kind).toBe("kept");
    expect(calls).toHaveLength(3);
  });
});

describe("a user whom this migration brought", () => {
  it("is known by the core's own id in the checkpoint", async () => {
    const context = scriptedContext({ findMapping: [pairOf("core-1", "u-1")] });
    const shown = { ...BROUGHT, coreId: "u-1" };
    expect(await keepId(context, KEPT, shown)).toMatchObject({
      coreId: "core-1",
      mapped: MAPPED.yes,
    });
  });

  it("fails whole where the core has lost them", async () => {
    const context = scriptedContext({ mapUserId: [UNKNOWN], findMapping: [NONE] });
    expect(await keepId(context, KEPT, BROUGHT)).toMatchObject({
      kind: "failed",
      code: "user_vanished",
      maybeApplied: true,
    });
  });
});

it("is never called for a user who couldn't be brought", async () => {
  const context = scriptedContext({});
  const failed = { kind: "failed", code: "core_busy", hint: "", maybeApplied: false } as const;
  expect(await keepId(context, KEPT, failed)).toBe(failed);
});
