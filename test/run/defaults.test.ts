import { describe, expect, it } from "vitest";
import { readBinding } from "../../src/checkpoint/checkpoint.js";
import { connectCore } from "../../src/core/http/client.js";
import { bindingOf, completeImport, completeReading } from "../../src/run/defaults.js";
import { importUsers } from "../../src/run/import-users.js";
import { validateUsers } from "../../src/run/validate-users.js";
import { openInputs } from "../../src/source/inputs.js";
import { DEFAULT_POLICY } from "../../src/plan/policy.js";
import { reconcileUsers } from "../../src/reconcile/reconcile-users.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { csvOf, newMigration } from "./support/run.js";

const newPath = temporaryPaths();

function remote(url: string) {
  return connectCore({ url, apiKey: null });
}

describe("a core's binding", () => {
  it("is the embedded one's own id, and the remote one's URL in its one spelling", () => {
    const { core } = newMigration(newPath);
    expect(bindingOf(core)).toEqual({ kind: "embedded", coreId: core.coreId });
    expect(bindingOf(remote("HTTPS://Core.example.com:443/auth/"))).toEqual({
      kind: "remote",
      url: "https://core.example.com/auth",
    });
  });

  it("is asked for where an embedded core was wrapped without its id", () => {
    const { core } = newMigration(newPath);
    const { coreId: _, ...wrapped } = core;
    expect(() => bindingOf(wrapped)).toThrow(/coreId/);
  });
});

describe("options that no run can do with", () => {
  it.each([
    ["no core that was opened", { core: "auth-core.db" }, "core"],
    ["no checkpoint", { checkpoint: undefined }, "checkpoint"],
    [
      "a checkpoint without a name, which no run could go on from",
      { checkpoint: "" },
      "checkpoint",
    ],
    ["a vault without a name", { vault: { path: "", key: new Uint8Array(32) } }, "vault"],
    ["a number of users below 1", { concurrency: -3 }, "concurrency"],
    ["a rate at which no call is made", { rate: 0 }, "rate"],
    ["a rate that is no number, which would be no bound", { rate: Number.NaN }, "rate"],
    ["a limit below 1", { limit: -3 }, "limit"],
    ["files that weren't opened", { inputs: "users.csv" }, "inputs"],
  ])("are told by their name, with what to give: %s", async (_what, wrong, name) => {
    const { core, checkpoint } = newMigration(newPath);
    const options = { inputs: [], core, checkpoint, ...wrong };
    // @ts-expect-error: a caller of plain JavaScript may give anything.
    await expect(importUsers(options)).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining(` ${name} `),
      hint: expect.stringContaining(`Give ${name} `),
    });
  });

  it("are told by a dry run and a comparison as well", async () => {
    const { core, checkpoint } = newMigration(newPath);
    const told = (name: string) => ({
      code: "usage",
      hint: expect.stringContaining(`Give ${name} `),
    });
    const dry = validateUsers({ inputs: [], limit: 0 });
    await expect(dry).rejects.toMatchObject(told("limit"));
    const asks = {
      ...{ core, checkpoint: null, binding: bindingOf(core) },
      ...{ concurrency: 8, rate: Number.NaN, targetMoved: false, checkExisting: 10 },
    } as const;
    await expect(validateUsers({ inputs: [], asks })).rejects.toMatchObject(told("rate"));
    const slow = reconcileUsers({ core, checkpoint, rate: 0 });
    await expect(slow).rejects.toMatchObject(told("rate"));
    const none = reconcileUsers({ core, checkpoint, concurrency: 0 });
    await expect(none).rejects.toMatchObject(told("concurrency"));
  });
});

it("an import or dry run of no file, as a pattern that fits none gives it, is no success", async () => {
  const { core, checkpoint } = newMigration(newPath);
  const none = { code: "no_users", message: "There is no file to read users from." };
  await expect(importUsers({ inputs: [], core, checkpoint })).rejects.toMatchObject(none);
  await expect(validateUsers({ inputs: [] })).rejects.toMatchObject(none);
});

it("an import of no options at all says which one it needs first", async () => {
  // @ts-expect-error: a caller of plain JavaScript may give anything.
  const run = importUsers({});
  await expect(run).rejects.toMatchObject({
    code: "usage",
    message: expect.stringContaining("option core"),
  });
});

describe("options left out", () => {
  it("are the careful ones", () => {
    expect(completeReading({ inputs: [] })).toEqual({
      inputs: [],
      policy: DEFAULT_POLICY,
      hashConfig: null,
      signerKeys: { key: null, take: expect.any(Function) as unknown },
      namespace: "",
    });
    const { core, checkpoint } = newMigration(newPath);
    expect(completeImport({ inputs: [], core, checkpoint })).toMatchObject({
      binding: { kind: "embedded", coreId: core.coreId },
      concurrency: 1024,
      targetMoved: false,
    });
    const far = completeImport({
      inputs: [],
      core: remote("https://core.example.com"),
      checkpoint,
    });
    expect(far.concurrency).toBe(64);
  });

  it("take the place of no option that is given", () => {
    const { core, checkpoint } = newMigration(newPath);
    const binding = { kind: "remote", url: "https://core.example.com" } as const;
    const given = { binding, concurrency: 3, targetMoved: true, namespace: "eu" };
    const policy = { onUnusableHash: "passwordless" } as const;
    const complete = completeImport({ inputs: [], core, checkpoint, ...given, policy });
    expect(complete).toMatchObject(given);
    expect(complete.policy).toEqual({ ...DEFAULT_POLICY, ...policy });
  });

  it("are enough for an import and for reconciling", async () => {
    const { core, checkpoint, write } = newMigration(newPath);
    const rows = [{ id: "1", email: "ada@example.com" }];
    const inputs = await openInputs([write("users.csv", csvOf(rows))]);
    expect(await importUsers({ inputs, core, checkpoint })).toMatchObject({ created: 1 });
    expect(readBinding(checkpoint)).toEqual(bindingOf(core));
    expect(await reconcileUsers({ core, checkpoint })).toMatchObject({ asked: 1, agrees: true });
  });
});
