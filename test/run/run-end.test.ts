import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import type { Finding } from "../../src/events/events.js";
import { openInputs } from "../../src/source/inputs.js";
import { isNoneMigrated } from "../../src/run/run-end.js";
import type { ReadingOptions } from "../../src/run/options.js";
import { validateUsers } from "../../src/run/validate-users.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { newMigration } from "./support/run.js";

const newPath = temporaryPaths();

const HEADER = "id,email,disabled\n";
const OUT = `${HEADER}1,ann@example.com,true\n2,bo@example.com,1\n`;
const IN = `${HEADER}3,cy@example.com,false\n`;
const ACCOUNT = { username: "service-account-shop", enabled: true, serviceAccountClientId: "shop" };
const REALM = JSON.stringify({ id: "1", realm: "acme", notBefore: 0, users: [ACCOUNT] });
const PART = { index: 2, count: 3, exportRows: 2, split: "0".repeat(64) };
const FIXTURE = JSON.stringify([{ model: "auth.group", pk: 1, fields: { name: "staff" } }]);

function newRun(files: Readonly<Record<string, string>>) {
  const { write, run } = newMigration(newPath);
  const paths = Object.entries(files).map(([name, text]) => write(name, text));
  return { paths, run: () => run(paths) };
}

async function validate(paths: readonly string[], changes: Partial<ReadingOptions> = {}) {
  const findings: Finding[] = [];
  const summary = await validateUsers({
    inputs: await openInputs(paths),
    onEvent: (event) => {
      // That these small files hold no password, and no mark, is no matter here.
      if (event.type !== "finding") return;
      if (!/^(no_hash_column|way_in_not_verified)$/.test(event.code)) findings.push(event);
    },
    ...changes,
  });
  return { summary, findings, codes: findings.map(({ code }) => code) };
}

describe("a file without a single user", () => {
  it.each([
    ["a header without rows", "users.csv", HEADER, "Export the users again"],
    ["an empty list", "users.json", "[]", "Export the users again"],
    ["a page behind the last one", "users.json", '{"total":0,"users":[]}', "Export"],
    ["a realm with accounts of applications alone", "realm.json", REALM, "REALM-users-0.json"],
    ["a realm without users", "realm.json", '{"id":"1","realm":"a","notBefore":0}', "users-0"],
    ["a fixture of other models alone", "dump.json", FIXTURE, "dumpdata auth.user"],
  ])("stops a dry run and an import: %s", async (_what, name, text, hint) => {
    const { paths, run } = newRun({ [name]: text });
    const refusal = { code: "no_users", hint: expect.stringContaining(hint) };
    await expect(validate(paths)).rejects.toMatchObject(refusal);
    await expect(run()).rejects.toMatchObject(refusal);
  });

  it("says what else is in it", async () => {
    const { paths } = newRun({ "realm.json": REALM });
    await expect(validate(paths)).rejects.toThrow(/no user, only accounts of applications \(1\)/);
  });

  it("among others is told, and stops nothing", async () => {
    const { paths } = newRun({ "users.csv": IN, "realm.json": REALM });
    const { summary, findings } = await validate(paths);
    expect(summary.ready.passwordless).toBe(1);
    expect(findings).toMatchObject([
      { code: "input_doubtful", count: 1, rows: [{ file: paths[1] }] },
    ]);
    expect(findings[0]?.hint).toContain("REALM-users-0.json");
  });

  it("stops a run of several only where all are so", async () => {
    const { paths } = newRun({ "a.csv": HEADER, "b.json": "[]" });
    await expect(validate(paths)).rejects.toThrow("None of the 2 files holds a user.");
  });

  it("is no fault of a shard, whose part may be empty", async () => {
    const { paths } = newRun({ "users.csv": HEADER });
    const { codes } = await validate(paths, { part: PART });
    expect(codes).toEqual([]);
  });

  it("is not said of a file whose rows can't be read", async () => {
    const { paths } = newRun({ "users.csv": `${HEADER}1;ann@example.com\n` });
    const { summary } = await validate(paths);
    expect(summary.rejected).toBe(1);
  });

  it("is not said of one that was cut off before its first user", async () => {
    const { paths } = newRun({ "users.json": '{"users":[{"localId":"a1"},' });
    const [path = ""] = paths;
    const cut = '{"realm":"acme","notBefore":0,"users":[';
    const { paths: realms } = newRun({ "realm.json": cut });
    expect(readdirSync(dirname(path))).toContain("users.json");
    const { summary } = await validate(realms);
    expect(summary.truncated).toEqual(realms);
  });
});

describe("a run whose users are all left out", () => {
  it("tells so with the reasons, and counts as nobody migrated", async () => {
    const { paths, run } = newRun({ "users.csv": OUT });
    const { summary, findings } = await validate(paths);
    expect(isNoneMigrated(summary)).toBe(true);
    expect(findings).toMatchObject([{ code: "nobody_migrated", count: 2, rows: [] }]);
    expect(findings[0]?.hint).toContain("disabled 2");
    const imported = await run();
    expect(isNoneMigrated(imported.summary)).toBe(true);
  });

  it("is another thing where one of them moves, now or earlier", async () => {
    const { paths, run } = newRun({ "out.csv": OUT, "in.csv": IN });
    expect(isNoneMigrated((await validate(paths)).summary)).toBe(false);
    await run();
    const { summary } = await run();
    expect(summary).toMatchObject({ unchanged: 1, skipped: 2 });
    expect(isNoneMigrated(summary)).toBe(false);
  });

  it("is not said of a shard, since others know more", async () => {
    const { paths } = newRun({ "users.csv": OUT });
    const { codes } = await validate(paths, { part: PART });
    expect(codes).toEqual([]);
  });
});
