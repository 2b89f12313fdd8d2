import { describe, expect, it } from "vitest";
import type { CoreFailureKind } from "../../src/core/core-failure.js";
import type { Core } from "../../src/core/core.js";
import { type Checkpoint, openCheckpoint } from "../../src/checkpoint/checkpoint.js";
import { STATE } from "../../src/plan/states.js";
import { DEFAULT_POLICY } from "../../src/plan/policy.js";
import { bindCheckpoint, checkCore } from "../../src/run/preflight.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { bring } from "./support/user-keys.js";
import { failure, passwordUser, type Script, scriptedCore } from "./support/scripted-core.js";

const REMOTE = { kind: "remote", url: "https://core.example.test" } as const;
const MOVED = { kind: "remote", url: "https://moved.example.test" } as const;
const EMBEDDED = { kind: "embedded", coreId: "core-1" } as const;

describe("before the first user", () => {
  const empty: Script = { findUsers: [[]] };

  it("asks the core and its look-ups, and changes nothing", async () => {
    const core = scriptedCore(empty);
    await checkCore(core, DEFAULT_POLICY);
    expect(core.calls.map(({ method }) => method)).toEqual(["findUsers"]);
  });

  it("asks for no look-ups under assume-empty", async () => {
    const core = scriptedCore({});
    expect(await checkCore(core, { ...DEFAULT_POLICY, assumeEmpty: true })).toBe(false);
    expect(core.calls).toEqual([]);
  });

  it.each([
    ["are made where the core offers them", empty, true],
    ["are done without where it doesn't", { findUsers: [failure("not_offered")] }, false],
  ] as const)("look-ups under on-existing update %s", async (_what, script, looksUp) => {
    const policy = { ...DEFAULT_POLICY, onExisting: "update" } as const;
    expect(await checkCore(scriptedCore(script), policy)).toBe(looksUp);
  });

  it("stops at a core without look-ups, and names both ways out", async () => {
    const core = scriptedCore({ findUsers: [failure("not_offered")] });
    await expect(checkCore(core, DEFAULT_POLICY)).rejects.toMatchObject({
      code: "core_without_lookups",
      hint: expect.stringMatching(/--assume-empty.*--on-existing update/),
    });
  });

  it("asks for the mapping of ids only where they are kept", async () => {
    const core = scriptedCore({ ...empty, findMapping: [async () => null] });
    await checkCore(core, { ...DEFAULT_POLICY, keepIds: true });
    expect(core.calls.map(({ method }) => method)).toEqual(["findUsers", "findMapping"]);
  });

  it("stops at a core that maps no ids, and names the way out", async () => {
    const core = scriptedCore({ ...empty, findMapping: [failure("not_offered")] });
    const policy = { ...DEFAULT_POLICY, keepIds: true };
    await expect(checkCore(core, policy)).rejects.toMatchObject({
      code: "core_feature_missing",
      hint: expect.stringContaining("without --keep-ids"),
    });
  });

  it("needs look-ups for ids that are kept, also under on-existing update: a stranger gets none", async () => {
    const core = scriptedCore({ findUsers: [failure("not_offered")] });
    const policy = { ...DEFAULT_POLICY, keepIds: true, onExisting: "update" } as const;
    await expect(checkCore(core, policy)).rejects.toMatchObject({
      code: "core_without_lookups",
      hint: expect.stringContaining("without --keep-ids"),
    });
    const assumed = scriptedCore({ findMapping: [async () => null] });
    await checkCore(assumed, { ...policy, assumeEmpty: true });
  });

  const stops: readonly (readonly [CoreFailureKind, string])[] = [
    ["unreachable", "core_unreachable"],
    ["key_refused", "key_refused"],
    ["incompatible", "core_incompatible"],
    ["not_offered", "core_incompatible"],
    ["busy", "outage"],
    ["broken", "core_unreachable"],
    ["disk", "disk"],
  ];
  it.each(stops)("stops at a core that answers the probe with %s", async (kind, code) => {
    const core: Core = { ...scriptedCore(empty), probe: () => Promise.reject(failure(kind)) };
    await expect(checkCore(core, DEFAULT_POLICY)).rejects.toMatchObject({ name: "RunError", code });
  });
});

const newPath = temporaryPaths();

describe("binding the checkpoint", () => {
  async function withCheckpoint(work: (checkpoint: Checkpoint) => Promise<unknown>): Promise<void> {
    const checkpoint = openCheckpoint(newPath("checkpoint"));
    try {
      await work(checkpoint);
    } finally {
      checkpoint.close();
    }
  }
  const otherCore = { code: "checkpoint_other_core" };
  const anyCore = scriptedCore({});

  it("takes the first core it is given", () =>
    withCheckpoint(async (checkpoint) => {
      await bindCheckpoint(checkpoint, EMBEDDED, anyCore, false);
      await bring(checkpoint, { id: "1" }, STATE.intent);
      expect(checkpoint.binding()).toEqual(EMBEDDED);
    }));

  it("takes another core after a run that sent nobody", () =>
    withCheckpoint(async (checkpoint) => {
      await bindCheckpoint(checkpoint, EMBEDDED, anyCore, false);
      await bring(checkpoint, { id: "1" }, STATE.rejected);
      await bindCheckpoint(checkpoint, REMOTE, anyCore, false);
      await bring(checkpoint, { id: "2" }, STATE.intent);
      expect(checkpoint.binding()).toEqual(REMOTE);
    }));

  it("goes on at the core that it knows", () =>
    withCheckpoint(async (checkpoint) => {
      checkpoint.bind(EMBEDDED);
      await bindCheckpoint(checkpoint, EMBEDDED, anyCore, false);
    }));

  it.each([
    ["another data file", EMBEDDED, { kind: "embedded", coreId: "core-2" }, false],
    ["a remote core instead of the embedded one", EMBEDDED, REMOTE, true],
    ["the embedded core instead of a remote one", REMOTE, EMBEDDED, true],
    ["another URL", REMOTE, MOVED, false],
  ] as const)("refuses %s, naming both", (_what, known, given, moved) =>
    withCheckpoint(async (checkpoint) => {
      checkpoint.bind(known);
      await bring(checkpoint, { id: "1" }, STATE.intent);
      const bound = bindCheckpoint(checkpoint, given, anyCore, moved);
      await expect(bound).rejects.toMatchObject(otherCore);
      const names = [known, given].map((one) => (one.kind === "remote" ? one.url : one.coreId));
      for (const name of names) {
        await expect(bound).rejects.toMatchObject({ message: expect.stringContaining(name) });
      }
      expect(checkpoint.binding()).toEqual(known);
    }),
  );

  it("asks a remote core for finished users, and refuses one that doesn't know them", () =>
    withCheckpoint(async (checkpoint) => {
      checkpoint.bind(REMOTE);
      await bring(checkpoint, { id: "1" }, STATE.imported, { coreId: "u-1" });
      const ours = scriptedCore({ getUser: [passwordUser("u-1", "ada@example.com")] });
      await bindCheckpoint(checkpoint, REMOTE, ours, false);
      expect(ours.calls).toEqual([{ method: "getUser", request: "u-1" }]);
      const other = scriptedCore({ getUser: [async () => null] });
      await expect(bindCheckpoint(checkpoint, REMOTE, other, false)).rejects.toMatchObject(
        otherCore,
      );
    }));

  it("goes on where a few of the finished users were removed since", () =>
    withCheckpoint(async (checkpoint) => {
      checkpoint.bind(REMOTE);
      for (const id of ["1", "2", "3", "4", "5"]) {
        await bring(checkpoint, { id }, STATE.imported, { coreId: `u-${id}` });
      }
      const removedOne = {
        ...anyCore,
        getUser: async (userId: string) =>
          userId === "u-1" ? null : passwordUser(userId, "ada@example.com"),
      };
      // One asked for alone could be the removed one: the sample is random.
      const { finished } = checkpoint;
      checkpoint.finished.sample = () => [...finished.all()].slice(0, 3);
      await bindCheckpoint(checkpoint, REMOTE, removedOne, false);
    }));

  it("takes a new URL for the same core only after it knew the finished users", () =>
    withCheckpoint(async (checkpoint) => {
      checkpoint.bind(REMOTE);
      await bring(checkpoint, { id: "1" }, STATE.imported, { coreId: "u-1" });
      const other = scriptedCore({ getUser: [async () => null] });
      await expect(bindCheckpoint(checkpoint, MOVED, other, true)).rejects.toMatchObject(otherCore);
      expect(checkpoint.binding()).toEqual(REMOTE);
      const ours = scriptedCore({ getUser: [passwordUser("u-1", "ada@example.com")] });
      await bindCheckpoint(checkpoint, MOVED, ours, true);
      expect(checkpoint.binding()).toEqual(MOVED);
    }));

  it("trusts the URL of a core that can't be asked", () =>
    withCheckpoint(async (checkpoint) => {
      checkpoint.bind(REMOTE);
      await bring(checkpoint, { id: "1" }, STATE.imported, { coreId: "u-1" });
      const mute = scriptedCore({ getUser: [failure("not_offered")] });
      await bindCheckpoint(checkpoint, REMOTE, mute, false);
    }));

  it("stops with a typed error where the core fails at the question", () =>
    withCheckpoint(async (checkpoint) => {
      checkpoint.bind(REMOTE);
      await bring(checkpoint, { id: "1" }, STATE.imported, { coreId: "u-1" });
      const busy = scriptedCore({ getUser: [failure("busy")] });
      await expect(bindCheckpoint(checkpoint, REMOTE, busy, false)).rejects.toMatchObject({
        name: "RunError",
        code: "outage",
      });
    }));
});
