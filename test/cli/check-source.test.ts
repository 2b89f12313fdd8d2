import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../support/cli.js";
import { expectFailure, jsonLines, workFolders, writeInto } from "./support.js";

const workFolder = workFolders();

const MODULE = `import { writeFileSync } from "node:fs";
writeFileSync(new URL("ran", import.meta.url), "");
export default {
  name: "acme", title: "Acme", recognize: [["acmeId", "locked"]],
  fields: { pages: ["https://acme.example.com"], read: { id: "acmeId", contact: "mail", flag: "locked" }, meaningless: {} },
  user: ({ acmeId, mail, locked }) => ({ id: acmeId, email: mail, keptOut: locked ? ["disabled"] : [] }),
};`;
const USERS = JSON.stringify([
  { acmeId: "a1", mail: "ann@example.com", locked: false },
  { acmeId: "a2", mail: "bob@example.com", locked: true },
]);

function prepared(): string {
  const cwd = workFolder();
  writeInto(cwd, "acme.mjs", MODULE);
  writeInto(cwd, "users.json", USERS);
  return cwd;
}

describe.concurrent("a module of one's own", () => {
  it("reads the files, and the command says first that its code is run", async () => {
    const { code, stdout, stderr } = await runCli(
      ["validate", "users.json", "--from", "./acme.mjs"],
      { cwd: prepared() },
    );
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/^Running the code of \.\/acme\.mjs/);
    expect(stdout).toContain("1 of 2 users are ready (50 %), 1 skipped");
  });

  it("is named by the import that setup prints, and not by the configuration", async () => {
    const cwd = prepared();
    const given = ["--from", "./acme.mjs", "--data", "own.db", "--no-input", "--skip-proof"];
    const setup = await runCli(["setup", "users.json", ...given], { cwd });
    expect(setup.stderr).toMatch(/^Running the code of \.\/acme\.mjs/);
    const command = "auth-migrate import users.json --from ./acme.mjs";
    expect(setup.stdout).toContain(`  ${command}\n`);
    const imported = await runCli(command.split(" ").slice(1), { cwd });
    expect(imported.code, imported.stderr).toBe(0);
  });

  it.each([
    ["a variable", { AUTH_MIGRATE_FROM: "./acme.mjs" }, "{}"],
    ["a configuration file", {}, '{"from":"./acme.mjs"}'],
  ])("is not run because of %s", async (_what, env, config) => {
    const cwd = prepared();
    writeInto(cwd, "auth-migrate.config.json", config);
    await expectFailure(
      ["validate", "users.json"],
      { cwd, env },
      {
        code: "config_invalid",
        says: /names a file of code outside the command line/,
        next: /type the option/,
      },
    );
    expect(existsSync(join(cwd, "ran"))).toBe(false);
  });

  it("is checked by check-source, which writes what is expected where it is asked to", async () => {
    const cwd = prepared();
    const args = ["check-source", "./acme.mjs", "users.json"];
    const json = async (...more: readonly string[]) => {
      const { code, stdout } = await runCli([...args, "--json", ...more], { cwd });
      return { code, lines: jsonLines(stdout) };
    };
    expect((await runCli(args, { cwd })).stdout).toContain("every row is read, nothing at fault");
    const checked = { type: "checked", file: "users.json", users: 2, rows: 2, faults: [] };
    expect(await json("--write-expected")).toEqual({
      code: 0,
      lines: [{ v: 1, ...checked, expected: true }],
    });
    writeInto(cwd, "users.json", USERS.replace("true", "false"));
    expect(await json()).toMatchObject({
      code: 65,
      lines: [{ faults: [{ code: "not_as_expected", says: expect.stringContaining("row 2") }] }],
    });
    const rewritten = await runCli([...args, "--write-expected"], { cwd });
    expect(rewritten).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("users.json.expected.json is what each is to be from now on"),
    });
    expect(await json()).toMatchObject({ code: 0 });
    expect(statSync(join(cwd, "users.json.expected.json")).mode & 0o777).toBe(0o600);
  });

  it("keeps what was expected where the file can't be read, and tells what can't be written", async () => {
    const cwd = prepared();
    const args = ["check-source", "./acme.mjs", "users.json", "--write-expected"];
    expect((await runCli(args, { cwd })).code).toBe(0);
    const before = readFileSync(join(cwd, "users.json.expected.json"), "utf8");
    for (const [users, fault] of [
      ["acmeId,locked,mail,mail\na1,0,ann@example.com,ann@example.com\n", "reading_failed"],
      ["[]", "no_user"],
    ] as const) {
      writeInto(cwd, "users.json", users);
      const { code, stdout } = await runCli(args, { cwd });
      expect([code, stdout]).toEqual([65, expect.stringContaining(fault)]);
      expect(readFileSync(join(cwd, "users.json.expected.json"), "utf8")).toBe(before);
    }
    writeInto(cwd, "more.json", USERS);
    mkdirSync(join(cwd, "more.json.expected.json"));
    const wanted = { code: "disk", says: /can't be written/, next: /writable/ };
    await expectFailure([...args.slice(0, 2), "more.json", ...args.slice(3)], { cwd }, wanted);
  });
});
