import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openInputs } from "../../src/source/inputs.js";
import { FILLED } from "../source/fields/filled-users.js";
import { type Planted, tableOf, VENDORS } from "../source/fields/planted-users.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { newMigration } from "./support/run.js";

const newPath = temporaryPaths();
const SECRET = "t0k3n";
const POLICY = { roles: "create", onLostFactor: "accept", include: ["unverified"] } as const;

/** Fields that no table names, as applications call what opens an account. */
const UNKNOWN = ["session_token", "reset_code", "recovery_codes", "auth.refresh_token"];
const MEANS = /token|backup|recovery|reset/i;

/** The fields of a table that may open an account and are no part of it. */
function ownOf({ tree }: Planted): string[] {
  return tree.places.nodes.flatMap(({ path, fate }) =>
    fate !== null && fate.kind !== "part" && MEANS.test(path) ? [path] : [],
  );
}

/** A user for each place where a secret is planted, each with everything else filled. */
function usersOf(vendor: Planted): object[] {
  const [, filled = {}] = FILLED.find(([name]) => name === vendor.name) ?? [];
  const paths = [...ownOf(vendor), ...UNKNOWN];
  const isTable = vendor.isTable === true;
  const planted = isTable ? paths.filter((path) => !path.includes("[]")) : paths;
  return planted.map((path, at) => {
    const text = JSON.stringify(vendor.userWith({ ...filled, [path]: `${SECRET}-${at}` }));
    return JSON.parse(
      text.replaceAll("ann@example.com", `ann${at}@example.com`).replaceAll('"u1"', `"u${at}"`),
    );
  });
}

/** Imports a file with all that a core takes. @returns what the core and the checkpoint hold */
async function imported(name: string, text: string, from: string) {
  const migration = newMigration(newPath, (core) => core);
  const file = migration.write(name, text);
  const { summary } = await migration.run([], {
    inputs: await openInputs([file], { from }),
    policy: POLICY,
  });
  const users = await migration.core.countUsers();
  await migration.core.close();
  const held = readFileSync(join(file, "..", "core.db")).toString("latin1");
  return { summary, users, held: held + readFileSync(migration.checkpoint).toString("latin1") };
}

describe("session tokens, reset codes and recovery codes in an export", () => {
  test.each(VENDORS.map((vendor) => [vendor.name, vendor] as const))(
    "of %s reach no core and no checkpoint, wherever they stand",
    async (name, vendor) => {
      const users = usersOf(vendor);
      const isTable = vendor.isTable === true;
      const text = isTable ? tableOf(users) : JSON.stringify(users);
      const { source } = vendor;
      const run = await imported(isTable ? "users.csv" : "users.json", text, source.name);
      expect(run.users).toBeGreaterThan(0);
      expect(run.held).not.toContain(SECRET);
      // What is carried of the same users is there.
      if (FILLED.some(([filled]) => filled === name)) expect(run.held).toMatch(/Blum|gold|editor/);
    },
  );

  test.each([
    ["csv", tableOf],
    ["json", (rows: readonly object[]) => JSON.stringify(rows)],
  ] as const)("of no vendor's form (%s) reach no core and no checkpoint", async (from, write) => {
    const user = { id: "u1", email: "ann@example.com", name: "Ann Blum" };
    const secrets = Object.fromEntries(UNKNOWN.map((path, at) => [path, `${SECRET}-${at}`]));
    const run = await imported(`users.${from}`, write([{ ...user, ...secrets }]), from);
    expect(run.summary.notices).toMatchObject({ mfa_not_migrated: 1 });
    expect(run.users).toBe(1);
    expect(run.held).not.toContain(SECRET);
    expect(run.held).toContain("Ann Blum");
  });
});
