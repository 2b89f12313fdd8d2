import { describe, expect, onTestFinished, test } from "vitest";
import { openEmbeddedCore } from "../../src/core/embedded/embedded-core.js";
import { ALL_OFFERED, NOTHING_CARRIED, type Offered } from "../../src/plan/carried.js";
import { CARRIED_PARTS, type CarryPolicy, DEFAULT_POLICY } from "../../src/plan/policy.js";
import { requireCarried, requireRoles } from "../../src/run/require-carried.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const path = temporaryPaths();
const BARE: Offered = {
  emailVerification: false,
  metadata: false,
  roles: null,
  thirdParty: false,
  accountLinking: false,
  totp: false,
  timeJoined: false,
};

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
    const all = { verified: true, joined: true, metadata: true, social: true, totp: true };
    expect(offered).toMatchObject({ ...ALL_OFFERED, roles: [] });
    expect(requireCarried(DEFAULT_POLICY, offered)).toEqual({ ...NOTHING_CARRIED, ...all });
    expect(requireCarried(wanting({ roles: "create" }), offered)).toMatchObject({
      roles: { others: true },
    });
    expect(requireCarried(DEFAULT_POLICY, BARE)).toEqual(NOTHING_CARRIED);
  });

  test("is what the operator names, and nothing where they name none", () => {
    expect(requireCarried(wanting({ carry: ["metadata"] }), ALL_OFFERED)).toEqual({
      ...NOTHING_CARRIED,
      metadata: true,
    });
    expect(requireCarried(wanting({ carry: [] }), ALL_OFFERED)).toEqual(NOTHING_CARRIED);
  });

  test("may be a part of which only a first call tells", () => {
    const offered = { ...ALL_OFFERED, totp: null };
    expect(requireCarried(wanting({ carry: ["totp"] }), offered)).toMatchObject({ totp: true });
  });

  test.each(CARRIED_PARTS)("stops the run where the core has no place for %s", (part) => {
    expect(() => requireCarried(wanting({ carry: [part] }), BARE)).toThrow(
      expect.objectContaining({
        code: "part_not_offered",
        message: expect.stringContaining(part),
        hint: expect.stringContaining(`${part} takes`),
      }),
    );
  });

  test.each([
    ["--roles", { roles: "existing" }],
    ["--map-role", { mapRole: new Map([["Editors", "editor"]]) }],
  ] as const)("stops the run where the core has no place for roles of %s", (_by, changes) => {
    expect(() => requireCarried(wanting(changes), BARE)).toThrow(
      expect.objectContaining({ code: "part_not_offered" }),
    );
  });
});

describe("a role of --map-role", () => {
  const mapRole = new Map([["Editors", "editor"]]);

  test("must be there, unless it is to be made", () => {
    expect(() => requireCarried(wanting({ mapRole }), ALL_OFFERED)).toThrow(
      expect.objectContaining({ code: "role_unknown", message: expect.stringContaining("editor") }),
    );
    const known = { ...ALL_OFFERED, roles: ["editor"] };
    const carried = { roles: { map: mapRole, others: false } };
    expect(requireCarried(wanting({ mapRole }), known)).toMatchObject(carried);
    expect(requireCarried(wanting({ mapRole, roles: "create" }), ALL_OFFERED)).toMatchObject({
      roles: { map: mapRole, others: true },
    });
  });
});

describe("the roles of an export", () => {
  test("are named where the core doesn't have them, and made where they may be", async () => {
    const core = embeddedCore();
    await core.part("putRole", { role: "reader", permissions: ["read"] });
    await requireRoles(["reader"], { ...DEFAULT_POLICY, roles: "existing" }, core);
    await expect(
      requireRoles(["writer", "reader"], { ...DEFAULT_POLICY, roles: "existing" }, core),
    ).rejects.toMatchObject({ code: "role_unknown", message: 'The core has no role "writer".' });
    await requireRoles(["writer", "reader"], { ...DEFAULT_POLICY, roles: "create" }, core);
    const { roles } = await core.part("listRoles", {});
    expect([...roles].sort()).toEqual(["reader", "writer"]);
    expect(await core.part("listPermissions", { role: "reader" })).toMatchObject({
      permissions: ["read"],
    });
  });

  test("are named up to ten", async () => {
    const roles = Array.from({ length: 12 }, (_, index) => `role ${index + 10}`);
    const stopped = requireRoles(roles, { ...DEFAULT_POLICY, roles: "existing" }, embeddedCore());
    await expect(stopped).rejects.toThrow(/"role 10".*"role 19" and 2 others\.$/);
  });
});
