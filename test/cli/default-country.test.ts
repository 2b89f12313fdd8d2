import { describe, expect, it } from "vitest";
import { bcryptOf } from "../run/support/hashes.js";
import { runCli } from "../support/cli.js";
import { expectFailure, jsonLines, summaryOf, workFolders, writeInto } from "./support.js";

const workFolder = workFolders();

/** Members of a German club, out of a spreadsheet that took some signs off. */
const MEMBERS = [
  "id,email,phone,phone_verified",
  "1,anna@example.com,0151 12345678,true",
  "2,bernd@example.com,0049 30 123456,true",
  "3,,030 1234567,true",
  "4,,15123456789,true",
  "5,,1.55501E+10,true",
  "6,,+15550100006,true",
  "7,Anna@example.com,,",
  "8,\u0430nna@example.com,,",
].join("\n");

/** A working directory with the members in it. */
function club(): string {
  const cwd = workFolder();
  writeInto(cwd, "members.csv", `${MEMBERS}\n`);
  return cwd;
}

const VALIDATE = ["validate", "members.csv", "--json"];

describe.concurrent("validate of numbers without their +", () => {
  it("rejects them where no country is named, with the flag in the hint and no number", async () => {
    const { code, stdout } = await runCli(VALIDATE, { cwd: club() });
    expect(code).toBe(65);
    expect(summaryOf(stdout)).toMatchObject({
      rejects: { phone_country_missing: 2, phone_scientific_notation: 1, duplicate_contact: 1 },
      notices: { phone_country_missing: 2, email_lookalike: 1 },
    });
    const [reject] = jsonLines(stdout).filter(({ code: one }) => one === "phone_country_missing");
    expect(reject).toMatchObject({
      type: "reject",
      row: { file: "members.csv", number: 3 },
      hint: expect.stringContaining("--default-country"),
    });
    expect(stdout).not.toMatch(/1234567|nna@/);
  });

  it.each([
    ["--default-country DE", ["--default-country", "DE"], {}],
    ["--default-country de", ["--default-country=de"], {}],
    ["AUTH_MIGRATE_DEFAULT_COUNTRY", [], { AUTH_MIGRATE_DEFAULT_COUNTRY: "DE" }],
  ])("reads them in the country of %s, and refuses to guess", async (_how, args, env) => {
    const { code, stdout } = await runCli([...VALIDATE, ...args], { cwd: club(), env });
    expect(code).toBe(65);
    expect(summaryOf(stdout)).toMatchObject({
      ready: { import: 0, passwordless: 5 },
      rejects: { phone_country_unclear: 1, phone_scientific_notation: 1, duplicate_contact: 1 },
      notices: { contact_mended: 3, email_lookalike: 1 },
    });
  });

  it("stops with 2 at what is no country", async () => {
    await expectFailure(
      ["validate", "members.csv", "--default-country", "UK"],
      { cwd: club() },
      { exitCode: 2, code: "usage", says: /--default-country.*"UK"/, next: /ISO 3166-1.*GB/ },
    );
  });
});

describe.concurrent("setup", () => {
  it("keeps the country for the import", async () => {
    const cwd = workFolder();
    writeInto(
      cwd,
      "members.csv",
      `id,phone,email,hash\n1,0151 12345678,a@example.com,${bcryptOf(1)}\n`,
    );
    const args = ["--default-country", "DE", "--data", "core.db", "--skip-proof", "--no-input"];
    const { code, stderr } = await runCli(["setup", "members.csv", ...args], { cwd });
    expect([code, stderr]).toMatchObject([0, expect.any(String)]);
    const { stdout } = await runCli(["validate", "members.csv", "--json"], { cwd });
    expect(summaryOf(stdout)).toMatchObject({ notices: { contact_mended: 1 } });
  });
});

const IMITATING = expect.stringMatching(/^One of them looks exactly like another user's/);

describe.concurrent("findings on contacts", () => {
  it("are told by a dry run and before an import's first call, also of users without a hash", async () => {
    const cwd = club();
    const args = ["members.csv", "--json", "--default-country", "DE"];
    for (const command of ["validate", "import"]) {
      const { stdout } = await runCli([command, ...args], { cwd });
      const findings = jsonLines(stdout).filter(({ type }) => type === "finding");
      expect(findings).toMatchObject([
        { code: "no_hash_column" },
        { code: "email_lookalike", count: 1, rows: [{ number: 8 }], hint: IMITATING },
        { code: "email_lookalike", count: 1, rows: [{ number: 7 }] },
      ]);
    }
  });
});
