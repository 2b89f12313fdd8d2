import { writeFileSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Core } from "../../src/core/core.js";
import { CoreFailure } from "../../src/core/core-failure.js";
import { openEmbeddedCore } from "../../src/core/embedded/embedded-core.js";
import type { Finding } from "../../src/events/events.js";
import { ALL_OFFERED, NOTHING_CARRIED } from "../../src/plan/carried.js";
import { CARRIED_PARTS, type CarryPolicy, DEFAULT_POLICY } from "../../src/plan/policy.js";
import {
  carriedAt,
  carriedInto,
  requireCarried,
  requireRoles,
} from "../../src/run/require-carried.js";
import { validateUsers } from "../../src/run/validate-users.js";
import { openInputs } from "../../src/source/inputs.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { ANN, BEN, MAP } from "./support/accounts.js";
import { BEHIND_URL } from "./support/run.js";
import { NO_PARTS_OFFERED } from "./support/scripted-core.js";

const path = temporaryPaths();

function wanting(changes: Partial<CarryPolicy>): CarryPolicy {
  return { ...DEFAULT_POLICY, ...changes };
}

function embeddedCore() {
  const core = openEmbeddedCore({ file: path("core.db") });
  onTestFinished(() => core.close());
  return core;
}

describe("what is carried", () => {
  test("is all that the core offers, and roles only where they are asked for", async () => {
    const core = embeddedCore();
    const offered = await core.capabilities();
    const carried = ["verified", "joined", "metadata", "social", "totp", "whole"];
    const all = Object.fromEntries(carried.map((part) => [part, true]));
    expect(offered).toMatchObject({ ...ALL_OFFERED, roles: [] });
    expect(requireCarried(DEFAULT_POLICY, offered)).toEqual({ ...NOTHING_CARRIED, ...all });
    expect(requireCarried(wanting({ roles: "create" }), offered)).toMatchObject({
      roles: { others: true },
    });
    expect(requireCarried(DEFAULT_POLICY, NO_PARTS_OFFERED)).toEqual(NOTHING_CARRIED);
  });

  test("is what the operator names, and nothing where they name none", () => {
    expect(requireCarried(wanting({ carry: ["metadata"] }), ALL_OFFERED)).toEqual({
      ...NOTHING_CARRIED,
      metadata: true,
      whole: true,
    });
    expect(requireCarried(wanting({ carry: [] }), ALL_OFFERED)).toEqual({
      ...NOTHING_CARRIED,
      whole: true,
    });
  });

  test("may be a part of which only a first call tells", () => {
    const offered = { ...ALL_OFFERED, totp: null };
    expect(requireCarried(wanting({ carry: ["totp"] }), offered)).toMatchObject({ totp: true });
  });

  test.each(CARRIED_PARTS)("stops the run where the core has no place for %s", (part) => {
    expect(() => requireCarried(wanting({ carry: [part] }), NO_PARTS_OFFERED)).toThrow(
      expect.objectContaining({
        code: "core_feature_missing",
        message: expect.stringContaining(part),
        hint: expect.stringContaining(`${part} takes`),
      }),
    );
  });

  test.each([
    ["--roles", { roles: "existing" }],
    ["--mapping", { mapRole: new Map([["Editors", "editor"]]) }],
  ] as const)("stops the run where the core has no place for roles of %s", (_by, changes) => {
    expect(() => requireCarried(wanting(changes), NO_PARTS_OFFERED)).toThrow(
      expect.objectContaining({ code: "core_feature_missing" }),
    );
  });
});

describe("a role that a mapping names", () => {
  const mapRole = new Map([["Editors", "editor"]]);

  test("must be there, unless it is to be made", () => {
    expect(() => requireCarried(wanting({ mapRole }), ALL_OFFERED)).toThrow(
      expect.objectContaining({ code: "role_unknown", message: expect.stringContaining("editor") }),
    );
    const known = { ...ALL_OFFERED, roles: ["editor"] };
    const carried = { roles: { map: mapRole, others: false, known: ["editor"] } };
    expect(requireCarried(wanting({ mapRole }), known)).toMatchObject(carried);
    expect(requireCarried(wanting({ mapRole, roles: "create" }), ALL_OFFERED)).toMatchObject({
      roles: { map: mapRole, others: true },
    });
  });
});

describe("the roles of an export", () => {
  /** What comes of roles at a core that has `reader`; then all roles of the core. */
  async function required(which: "existing" | "create", roles: readonly string[]) {
    const core = embeddedCore();
    await core.part("putRole", { role: "reader", permissions: ["read"] });
    const policy = wanting({ roles: which });
    const carried = await carriedAt(core, policy);
    if (carried.roles === null) throw new Error("no roles are carried");
    await requireRoles(roles, carried.roles, policy, core);
    return core;
  }

  test("are named where the core doesn't have them", async () => {
    await required("existing", ["reader"]);
    await expect(required("existing", ["writer", "reader"])).rejects.toMatchObject({
      code: "role_unknown",
      message: 'The core has no role "writer".',
    });
    const many = Array.from({ length: 12 }, (_, index) => `role ${index + 10}`);
    await expect(required("existing", many)).rejects.toThrow(
      /"role 10".*"role 19" and 2 others\.$/,
    );
  });

  test("are made where they may be, and those that are there stay as they are", async () => {
    const core = await required("create", ["writer", "reader"]);
    const { roles } = await core.part("listRoles", {});
    expect([...roles].sort()).toEqual(["reader", "writer"]);
    expect(await core.part("listPermissions", { role: "reader" })).toMatchObject({
      permissions: ["read"],
    });
  });
});

describe("second factors at a core that tells by a write alone whether it keeps them", () => {
  /** Tells no more than a remote core does, and which devices it was asked to make. */
  function unclear(part?: Core["part"]) {
    const core = embeddedCore();
    const made: string[] = [];
    const capabilities = async () => ({ ...(await core.capabilities()), totp: null });
    const watched: Core["part"] = (name, request) => {
      if (name === "importTotpDevice" && "userId" in request) made.push(request.userId);
      return (part ?? core.part)(name, request);
    };
    return { core: { ...core, capabilities, part: watched }, made };
  }

  /** What an import carries. */
  const imported = async (core: Core, policy: CarryPolicy) =>
    carriedInto(core, policy, await core.capabilities());

  test("are carried where a device can be kept, which is removed at once", async () => {
    const { core, made } = unclear();
    expect(await imported(core, DEFAULT_POLICY)).toMatchObject({ totp: true });
    const [userId = ""] = made;
    expect(await core.part("listTotpDevices", { userId })).toMatchObject({ devices: [] });
  });

  test("aren't carried where the core refuses it, and stop the run where they are wanted", async () => {
    const refused = async (): Promise<never> => {
      throw new CoreFailure("disabled", "it has no licence", { reached: "yes", status: 402 });
    };
    const { core } = unclear(refused);
    expect(await imported(core, DEFAULT_POLICY)).toMatchObject({ totp: false });
    await expect(imported(core, wanting({ carry: ["totp"] }))).rejects.toMatchObject({
      code: "core_feature_missing",
    });
  });

  test("are told by a dry run, which can't try it", async () => {
    const file = path("users.json");
    writeFileSync(file, JSON.stringify([ANN, BEN]));
    const told = async (core: Core): Promise<Finding[]> => {
      const findings: Finding[] = [];
      await validateUsers({
        inputs: await openInputs([file], { map: MAP }),
        asks: {
          ...{ core, binding: BEHIND_URL, checkpoint: null },
          ...{ concurrency: 8, targetMoved: false, checkExisting: 1000 },
        },
        onEvent: (event) => void (event.type === "finding" && findings.push(event)),
      });
      return findings.filter(({ code }) => code === "factors_untried");
    };
    expect(await told(unclear().core)).toMatchObject([{ count: 1, rows: [{ number: 1 }] }]);
    expect(await told(embeddedCore())).toEqual([]);
  });

  test("are tried by an import alone, and only where they are to be carried", async () => {
    const { core, made } = unclear();
    expect(await carriedAt(core, DEFAULT_POLICY)).toMatchObject({ totp: true });
    expect(await imported(core, wanting({ carry: [] }))).toMatchObject({ totp: false });
    expect(made).toEqual([]);
  });
});
