import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { KNOWN_HASHES } from "../support/known-hashes.js";
import { runCli } from "../support/cli.js";
import { expectFailure, jsonLines, summaryOf, workFolders, writeInto } from "./support.js";

const newFolder = workFolders();
const HASH = KNOWN_HASHES.bcrypt.passwordHash;

/** A user who is sent, one who has no contact and one whose hash is cut off. */
const EXPORT = `id,email,password_hash\n1,ada@example.com,${HASH}\n2,,${HASH}\n3,cleo@example.com,${HASH.slice(0, -3)}\n`;

describe("auth-migrate import --rejects-out", () => {
  it("reads standard input, leaves the rejects, and imports them mended: to the end with 0", async () => {
    const cwd = newFolder();
    const first = await runCli(["import", "-", "--rejects-out", "rejects.csv"], {
      cwd,
      stdin: EXPORT,
    });
    expect(first.code, first.stderr).toBe(65);
    expect(first.stdout).toContain("Rejected and failed rows are in rejects.csv");
    expect(first.stdout).toMatch(/edit\s+rejects\.csv; then:\n.* import rejects\.csv /);
    expect(first.stdout).toMatch(
      / --from csv\nTo go on without .*:\n.* import - .*--accept-rejects 2\n$/,
    );
    const path = join(cwd, "rejects.csv");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const mended = readFileSync(path, "utf8")
      .replace("\n2,,", "\n2,ben@example.com,")
      .replace(`,${HASH.slice(0, -3)},`, `,${HASH},`);
    writeFileSync(path, mended);
    const second = await runCli(["import", "rejects.csv", "--from", "csv", "--json"], { cwd });
    expect(second.code, second.stderr).toBe(0);
    expect(summaryOf(second.stdout)).toMatchObject({ read: 2, imported: 2, rejectsFiles: [] });
  });

  it("is imported by the printed command alone, without the folder that the export was named by", async () => {
    const args = ["export", "--rejects-out", "rejects.csv"];
    for (const verb of ["validate", "import"]) {
      const cwd = newFolder();
      mkdirSync(join(cwd, "export"));
      writeInto(join(cwd, "export"), "users.csv", EXPORT);
      const { stdout } = await runCli([verb, ...args], { cwd });
      expect(stdout).toContain(` ${verb} rejects.csv --rejects-out rejects.csv --from csv\n`);
    }
  });

  it("has rows as text whose screen says what to do with them: mended they are brought, taken out not counted again", async () => {
    const cwd = newFolder();
    const shared = `1,new@example.com,${HASH}\n4,ada@example.com,${HASH}`;
    writeInto(cwd, "users.csv", `${EXPORT.replace(/3,cleo.*\n/, "")}${shared}\n`);
    const first = await runCli(["import", "users.csv", "--rejects-out", "rejects.csv"], { cwd });
    const said = first.stdout.replace(/\s+/g, " ");
    expect(said).toContain(
      "edit rejects.csv. Rows with duplicate, duplicate_contact stand there as text in auth_migrate_text",
    );
    const path = join(cwd, "rejects.csv");
    const again = ["import", "rejects.csv", "--from", "csv", "--json"];
    const left = summaryOf((await runCli(again, { cwd })).stdout);
    expect(left).toMatchObject({ rejects: { no_contact: 1, row_not_mended: 2 } });
    const mended = readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => !line.includes("no_contact") && !line.includes(",duplicate,"))
      .map((line) =>
        line.replace(/^,,,(duplicate_contact,.*),"4,ada@.*"$/, `4,dora@example.com,${HASH},$1,`),
      );
    writeFileSync(path, mended.join("\n"));
    const second = await runCli(again, { cwd });
    expect(second.code, second.stdout).toBe(0);
    expect(summaryOf(second.stdout)).toMatchObject({ read: 1, imported: 1, rejects: {} });
    const [status] = jsonLines((await runCli(["status", "--json"], { cwd })).stdout);
    expect(status).toMatchObject({ imported: 2, otherRows: { rejects: { duplicate: 1 } } });
  });

  it("says nothing of texts where every row stands in its cells", async () => {
    const cwd = newFolder();
    writeInto(cwd, "users.csv", EXPORT);
    const { stdout } = await runCli(["import", "users.csv", "--rejects-out", "out.csv"], { cwd });
    expect(stdout.replace(/\s+/g, " ")).toContain("To mend them, edit out.csv; then:");
  });

  it("of a part is read by the printed command as whose export the split was told it is", async () => {
    const cwd = newFolder();
    writeInto(cwd, "users.csv", EXPORT);
    const run = (command: string) => runCli(command.split(" "), { cwd });
    await run("split users.csv --from woltlab --shards 1 --out-dir parts");
    for (const more of ["--dry-run", "--yes"]) {
      const { stdout } = await run(`import parts/part-1 ${more} --rejects-out out.csv`);
      expect(stdout).toMatch(/\n {2}auth-migrate import .*out\.csv .*--from woltlab\n/);
    }
  });

  it("tells of a row what it tells without it, and keeps hashes and contacts to the file", async () => {
    const cwd = newFolder();
    writeInto(cwd, "users.csv", EXPORT);
    const plain = await runCli(["validate", "users.csv", "--json"], { cwd });
    const asked = await runCli(["validate", "users.csv", "--json", "--rejects-out", "out.csv"], {
      cwd,
    });
    const rejectsOf = (stdout: string) => jsonLines(stdout).filter(({ type }) => type === "reject");
    expect(rejectsOf(asked.stdout)).toEqual(rejectsOf(plain.stdout));
    for (const text of [asked.stdout, asked.stderr]) {
      expect(text).not.toContain("cleo@example.com");
      expect(text).not.toContain(HASH.slice(7, -3));
    }
  });

  it("is refused for what is no file, before anything is sent", async () => {
    const cwd = newFolder();
    writeInto(cwd, "users.csv", EXPORT);
    const expected = { code: "usage", says: /\/dev\/null/, next: /--rejects-out/ };
    await expectFailure(["import", "users.csv", "--rejects-out", "/dev/null"], { cwd }, expected);
    expect(readdirSync(cwd).filter((name) => name.includes("checkpoint"))).toEqual([]);
  });

  it("ends with 74 where the disk is full, though everything else went well", async () => {
    const cwd = newFolder();
    const rows = Array.from({ length: 1500 }, (_, index) => `${index},,${HASH}\n`);
    writeInto(cwd, "users.csv", `id,email,password_hash\n${rows.join("")}`);
    // In blocks of 512 bytes: a bound on what a file may hold stands for a disk that is full.
    await expectFailure(
      ["validate", "users.csv", "--rejects-out", "rejects.csv"],
      { cwd, limits: ["-f 512"] },
      { code: "disk", says: /rejects\.csv can't be written/, next: /room/ },
    );
  });
});
