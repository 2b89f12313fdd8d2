import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openReport } from "../../src/checkpoint/report-source.js";
import { openInputs } from "../../src/source/inputs.js";
import { validateUsers } from "../../src/run/validate-users.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { byRow, EVERY_KIND_ENDS, prepareMigration, readers } from "./support/people.js";
import { csvOf, type Migration, newMigration, outcomes, type Row, told } from "./support/run.js";
import { refusingCore } from "./support/refusing-core.js";

const newPath = temporaryPaths();
const HASH = KNOWN_HASHES.bcrypt.passwordHash;
const NAME = "rejects.csv";

function outOf({ checkpoint }: Migration): string {
  return join(dirname(checkpoint), NAME);
}

/** Cells of a table whose cells hold no line break, by column. */
function tableOf(path: string): Record<string, string>[] {
  const [header = "", ...lines] = readFileSync(path, "utf8").slice(1).trimEnd().split("\n");
  const cellsOf = (line: string): string[] =>
    [...`,${line}`.matchAll(/,("(?:[^"]|"")*"|[^,]*)/g)].map(([, cell = ""]) =>
      cell.replace(/^"(.*)"$/, "$1").replaceAll('""', '"'),
    );
  const names = cellsOf(header);
  return lines.map((line) =>
    Object.fromEntries(cellsOf(line).map((cell, index) => [names[index], cell])),
  );
}

function namesOf(paths: readonly string[]): string[] {
  return paths.map((path) => basename(path));
}

describe("a file of rejects", () => {
  it("holds rejects as they stood, and neither who is skipped nor who is sent", async () => {
    const { migration, file } = prepareMigration(newPath);
    const rejectsOut = outOf(migration);
    const { summary, events } = await migration.run([file], { rejectsOut });
    expect(outcomes(summary)).toEqual(EVERY_KIND_ENDS);
    expect(summary.rejectsFiles).toEqual([rejectsOut]);
    const table = tableOf(rejectsOut);
    const rejects = events.filter(({ type }) => type === "reject");
    expect(table.map((row) => row.auth_migrate_code)).toEqual(rejects.map(({ code }) => code));
    expect(table.map((row) => row.auth_migrate_hint)).toEqual(rejects.map(({ hint }) => hint));
    expect(table.map((row) => row.auth_migrate_row)).toEqual(
      rejects.map(({ row }) => `row ${row.number} (line ${row.number + 1}) of ${file}`),
    );
    expect(table[0]).toMatchObject({ id: "6", email: "fay@example.com" });
    const lines = readFileSync(rejectsOut, "utf8").split("\n");
    expect(lines[1]).toMatch(
      new RegExp(
        `^6,fay@example\\.com,,,${HASH.slice(0, -3).replaceAll("$", "\\$")},,bcrypt_length,`,
      ),
    );
  });

  it("is its owner's alone", async () => {
    const { migration, file } = prepareMigration(newPath);
    const rejectsOut = outOf(migration);
    await migration.run([file], { rejectsOut });
    expect(statSync(rejectsOut).mode & 0o777).toBe(0o600);
  });

  it("is written by a dry run as by an import", async () => {
    const { migration, file } = prepareMigration(newPath);
    const rejectsOut = outOf(migration);
    const dry = await validateUsers(await migration.options([file], { rejectsOut }));
    const { summary } = await migration.run([file], { rejectsOut });
    // The same rows need no second file.
    expect(namesOf([...dry.rejectsFiles, ...summary.rejectsFiles])).toEqual([NAME, NAME]);
  });

  it("isn't left where nobody was rejected", async () => {
    const { migration, file } = prepareMigration(newPath, readers(3));
    const rejectsOut = outOf(migration);
    const { summary } = await migration.run([file], { rejectsOut });
    expect(summary.rejectsFiles).toEqual([]);
    expect(existsSync(rejectsOut)).toBe(false);
  });

  it("is not there, and nothing is told of it, where nobody asks for it", async () => {
    const { migration, file } = prepareMigration(newPath);
    expect((await migration.run([file])).summary.rejectsFiles).toEqual([]);
  });

  it("holds users whom the core refused, and those who failed", async () => {
    const { migration, file } = prepareMigration(newPath, readers(700));
    const core = refusingCore(migration.core, {
      refused: ["reader.2@example.com", "reader.698@example.com"],
      failing: ["reader.4@example.com"],
    });
    const rejectsOut = outOf(migration);
    const timing = { now: () => 0, random: () => 0, sleep: async () => {} };
    const { summary } = await migration.run([file], { rejectsOut, core, timing });
    expect(outcomes(summary)).toEqual({ imported: 347, created: 350, rejected: 2, failed: 1 });
    const ids = tableOf(rejectsOut).map(
      ({ id, auth_migrate_code }) => `${id} ${auth_migrate_code}`,
    );
    expect(ids.sort()).toEqual(["r-2 core_refused", "r-4 core_broken", "r-698 core_refused"]);
  });

  it("never goes over a file, whoever wrote it", async () => {
    const { migration, file } = prepareMigration(newPath);
    const rejectsOut = outOf(migration);
    writeFileSync(rejectsOut, "half mended");
    const { summary } = await migration.run([file], { rejectsOut });
    expect(namesOf(summary.rejectsFiles)).toEqual(["rejects-2.csv"]);
    expect(readFileSync(rejectsOut, "utf8")).toBe("half mended");
  });

  it("is that of before where the same rows are rejected, also by mended rejects, and another where not", async () => {
    const { migration, file } = prepareMigration(newPath);
    const rejectsOut = outOf(migration);
    const filesOf = async (input: string): Promise<string[]> =>
      namesOf((await migration.run([input], { rejectsOut })).summary.rejectsFiles);
    for (const input of [file, file, rejectsOut]) {
      expect(await filesOf(input)).toEqual(["rejects.csv"]);
    }
    // Of the same length: half of the mending is as good as none.
    const text = readFileSync(rejectsOut, "utf8");
    writeFileSync(rejectsOut, text.replace("not-an-address", "not.an-address"));
    for (const input of [file, file, rejectsOut]) {
      expect(await filesOf(input)).toEqual([input === file ? "rejects-2.csv" : "rejects.csv"]);
    }
    expect(readFileSync(join(dirname(rejectsOut), "rejects-2.csv"), "utf8")).toBe(text);
    expect(existsSync(join(dirname(rejectsOut), "rejects-3.csv"))).toBe(false);
  });

  it("holds what was rejected before the run was stopped by an error", async () => {
    const { migration, file } = prepareMigration(newPath);
    const rejectsOut = outOf(migration);
    const stopped = migration.run([file], {
      rejectsOut,
      onEvent: ({ type }) => {
        if (type === "reject") throw new Error("the caller's own");
      },
    });
    await expect(stopped).rejects.toThrow("the caller's own");
    expect(tableOf(rejectsOut)).toHaveLength(1);
  });

  it.each([
    ["a folder", (path: string) => mkdirSync(path)],
    ["a link", (path: string) => symlinkSync("/dev/null", path)],
  ])("can't be %s", async (_what, make) => {
    const { migration, file } = prepareMigration(newPath);
    const rejectsOut = outOf(migration);
    make(rejectsOut);
    await expect(migration.run([file], { rejectsOut })).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining(NAME),
    });
    expect(await migration.core.countUsers()).toBe(0);
  });

  it("needs a folder that is there, and says so before anybody is sent", async () => {
    const { migration, file } = prepareMigration(newPath);
    const rejectsOut = join(dirname(migration.checkpoint), "nowhere", NAME);
    await expect(migration.run([file], { rejectsOut })).rejects.toMatchObject({
      code: "disk",
      message: expect.stringContaining("ENOENT"),
    });
    expect(existsSync(migration.checkpoint)).toBe(false);
  });
});

describe("rows of several inputs", () => {
  it("are in one file where their columns are the same, else in one file for each", async () => {
    const migration = newMigration(newPath);
    const one = migration.write("one.csv", csvOf([{ id: "1" }]));
    const same = migration.write("same.csv", csvOf([{ id: "2" }]));
    const other = migration.write("other.csv", "id;email;name\n3;;Cleo\n");
    const lines = migration.write("users.ndjson", '{"id":"4","email":"","name":"Dora"}\n');
    const { summary } = await migration.run([one, same, other, lines], {
      rejectsOut: outOf(migration),
    });
    const { rejectsFiles } = summary;
    expect(namesOf(rejectsFiles)).toEqual([NAME, "rejects-2.csv", "rejects-3.csv"]);
    expect(tableOf(rejectsFiles[0] ?? "").map(({ id }) => id)).toEqual(["1", "2"]);
    const inputs = await openInputs(rejectsFiles, { from: undefined });
    expect(inputs.map(({ source }) => source.name)).toEqual(["csv", "csv", "json"]);
  });
});

describe("rows of two vendors", () => {
  it("are in two files, though both vendors write JSON", async () => {
    const migration = newMigration(newPath);
    const firebase = migration.write("firebase.json", '{"users":[{"localId":"1"}]}');
    const own = migration.write("own.json", '[{"id":"2","email":"x"}]');
    const { summary } = await migration.run([firebase, own], {
      rejectsOut: outOf(migration),
      policy: { include: ["disabled"] },
    });
    const inputs = await openInputs(summary.rejectsFiles);
    expect(inputs.map(({ source }) => source.name)).toEqual(["firebase", "json"]);
  });
});

describe("importing a file of rejects", () => {
  /** The file with cells of the rows of some ids replaced. */
  function mend(path: string, change: (text: string) => string): void {
    writeFileSync(path, change(readFileSync(path, "utf8")));
  }

  it("sends nobody of those whom nobody has mended", async () => {
    const { migration, file } = prepareMigration(newPath);
    const rejectsOut = outOf(migration);
    await migration.run([file], { rejectsOut });
    const before = await migration.users();
    const { summary, events } = await migration.run([rejectsOut]);
    expect(events.map(told).sort(byRow)).toEqual([
      "1 reject bcrypt_length",
      "2 reject contact_unverified",
      "3 reject no_contact",
      "4 reject email_invalid",
      "5 reject row_not_mended",
      "6 reject row_not_mended",
    ]);
    expect(outcomes(summary)).toEqual({ rejected: 6 });
    expect(await migration.users()).toEqual(before);
  });

  it("sends just those who were mended, and knows everybody once", async () => {
    const { migration, file } = prepareMigration(newPath);
    const rejectsOut = outOf(migration);
    await migration.run([file], { rejectsOut });
    mend(rejectsOut, (text) =>
      text
        .replace(`,${HASH.slice(0, -3)},`, `,${HASH},`)
        .replace(",not-an-address,", ",ivy@example.com,"),
    );
    const { summary } = await migration.run([rejectsOut]);
    expect(outcomes(summary)).toEqual({ imported: 1, created: 1, rejected: 4 });
    // Not for our columns, which are nobody's profile.
    expect(summary.notices).toEqual({ prehash_possible: 1 });
    const emails = (await migration.users()).map(({ email }) => email);
    expect(emails).toEqual(expect.arrayContaining(["fay@example.com", "ivy@example.com"]));
    // The whole export says of them what it said before, and nobody is sent again.
    const again = await migration.run([rejectsOut]);
    expect(outcomes(again.summary)).toEqual({ unchanged: 2, rejected: 4 });
  });

  it("takes a row that stood as text once somebody has written it out", async () => {
    const migration = newMigration(newPath);
    const file = migration.write("users.csv", 'id,email\n1,ann@example.com\n2,"ben@example.com\n');
    const rejectsOut = outOf(migration);
    await migration.run([file], { rejectsOut });
    expect(tableOf(rejectsOut)).toMatchObject([
      {
        id: "",
        email: "",
        auth_migrate_code: "row_malformed",
        auth_migrate_text: '2,"ben@example.com',
      },
    ]);
    mend(rejectsOut, (text) =>
      text.replace("\n,,", "\n2,ben@example.com,").replace(/,"2,""ben@example\.com"\n$/, ",\n"),
    );
    const { summary } = await migration.run([rejectsOut]);
    expect(outcomes(summary)).toEqual({ created: 1 });
  });

  it("sends nobody another one's hash: a duplicate is decided by somebody, not by the file", async () => {
    const rows: Row[] = [
      { id: "1", email: "ada@example.com", hash: HASH },
      { id: "1", email: "ada@example.com", hash: KNOWN_HASHES.argon2.passwordHash },
    ];
    const { migration, file } = prepareMigration(newPath, rows);
    const rejectsOut = outOf(migration);
    await migration.run([file], { rejectsOut });
    const { summary } = await migration.run([rejectsOut]);
    expect(outcomes(summary)).toEqual({ rejected: 1 });
    expect(summary.calls.import).toBe(0);
  });

  it("refuses argon2 hashes that look whole by chance, though no other row shows it", async () => {
    // 16 bytes, at the end of which one hash in sixteen has no stray bits.
    const cut = KNOWN_HASHES.argon2.passwordHash.slice(0, -21);
    const rows = [cut, cut, `${cut.slice(0, -1)}A`].map((hash, index) => ({
      id: String(index),
      email: `reader.${index}@example.com`,
      hash: `"${hash}"`,
    }));
    const { migration, file } = prepareMigration(newPath, rows);
    const rejectsOut = outOf(migration);
    const first = await migration.run([file], { rejectsOut });
    expect(first.summary.rejects).toEqual({ argon2_base64: 2, column_truncated: 1 });
    // The two others are mended, and nothing in the file shows any more what the third one is.
    mend(rejectsOut, (text) => text.replaceAll(`"${cut}"`, HASH));
    const { summary } = await migration.run([rejectsOut]);
    expect(outcomes(summary)).toEqual({ imported: 2, rejected: 1 });
    expect(summary.rejects).toEqual({ row_not_mended: 1 });
  });

  it.each([
    ["the first row's", "true", "true"],
    ["the better verified row's", "true", "false"],
  ])(
    "of a row that isn't mended is told once, where the contact is %s",
    async (_whose, one, two) => {
      const migration = newMigration(newPath);
      const row = (id: string, verified: string) =>
        `${id},reader@example.com,${verified},"${HASH}"\n`;
      const text = `id,email,email_verified,hash\n${row("1", one)}${row("2", two)}`;
      const file = migration.write("users.csv", text);
      const rejectsOut = outOf(migration);
      await migration.run([file], { rejectsOut });
      for (let again = 0; again < 2; again += 1) {
        const { summary } = await migration.run([rejectsOut]);
        expect(summary.rejects).toEqual({ row_not_mended: 1 });
        const report = openReport(migration.checkpoint);
        const rows = Array.from(report.refused(), ({ row: { file, number } }) => [file, number]);
        report.close();
        expect(rows).toEqual([[file, 2]]);
      }
    },
  );

  it("reads cells as they stood, also those that a spreadsheet would run", async () => {
    const migration = newMigration(newPath);
    const row = "=cmd|' /C calc'!A0,+15550100001x,'@SUM(1+1)";
    const file = migration.write("users.csv", `id,phone,name\n${row}\n`);
    const rejectsOut = outOf(migration);
    await migration.run([file], { rejectsOut });
    expect(readFileSync(rejectsOut, "utf8").split("\n")[1]).toMatch(
      /^=cmd\|' \/C calc'!A0,\+15550100001x,'@SUM\(1\+1\),/,
    );
  });

  it.each([
    [
      "a table",
      "users.csv",
      "id,email,emailVerified\n1,ann@example.com,2024-01-02T03:04:05Z\n2,ben@example.com,\n",
    ],
    [
      "a JSON array",
      "users.json",
      '[{"id":"1","email":"ann@example.com","emailVerified":"2024-01-02T03:04:05Z"},{"id":"2","email":"ben@example.com","emailVerified":null},{"id":"3","email":"cleo@example.com"}]',
    ],
  ])(
    "lets no address in that the export's other rows show to be unverified: %s",
    async (_what, name, text) => {
      const migration = newMigration(newPath);
      const rejectsOut = outOf(migration);
      const first = await migration.run([migration.write(name, text)], { rejectsOut });
      const { rejected } = first.summary;
      expect(first.summary.rejects).toEqual({ contact_unverified: rejected });
      const second = await migration.run([rejectsOut], { rejectsOut });
      expect(second.summary.rejects).toEqual({ contact_unverified: rejected });
      const third = await migration.run(second.summary.rejectsFiles);
      expect(third.summary.rejects).toEqual({ contact_unverified: rejected });
    },
  );

  it("knows nobody for active whose flag the export's other rows have", async () => {
    const migration = newMigration(newPath);
    const users = [
      { id: "1", email: "ann@example.com", active: true },
      { id: "2", email: "ben@example.com" },
    ];
    const file = migration.write("users.json", JSON.stringify({ members: users }));
    const rejectsOut = outOf(migration);
    const first = await migration.run([file], { rejectsOut });
    expect(first.summary.rejects).toEqual({ flag_invalid: 1 });
    expect((await migration.run([rejectsOut])).summary.rejects).toEqual({ flag_invalid: 1 });
  });

  it("reads it by the flags of the whole export's command", async () => {
    const migration = newMigration(newPath);
    const text = Buffer.from(
      '{"leute":[{"nr":1,"wer":"zoë"},{"nr":2,"wer":"ann@example.com"}]}',
      "latin1",
    );
    const file = migration.write("users.json", "");
    writeFileSync(file, text);
    const map = new Map([
      ["users", "leute"],
      ["email", "wer"],
      ["id", "nr"],
    ]);
    const options = { from: "json", map, encoding: "windows-1252" };
    const rejectsOut = outOf(migration);
    const first = await migration.run([], {
      rejectsOut,
      inputs: await openInputs([file], options),
    });
    expect(outcomes(first.summary)).toEqual({ created: 1, rejected: 1 });
    expect(readFileSync(rejectsOut, "utf8")).toMatch(
      /^\uFEFF\{"auth_migrate":\{.*\},"nr":1,"wer":"zoë"\}\n$/,
    );
    mend(rejectsOut, (written) => written.replace("zoë", "zoe@example.com"));
    const second = await migration.run([], { inputs: await openInputs([rejectsOut], options) });
    expect(outcomes(second.summary)).toEqual({ created: 1 });
  });

  it("reads ids that JSON can't keep as they stood", async () => {
    const migration = newMigration(newPath);
    const file = migration.write(
      "users.json",
      '[{"id":12345678901234567890,"email":"ann@example.com"}]',
    );
    const rejectsOut = outOf(migration);
    await migration.run([file], { rejectsOut });
    mend(rejectsOut, (text) => text.replace("12345678901234567890", '"12345678901234567890"'));
    const { summary } = await migration.run([rejectsOut]);
    expect(outcomes(summary)).toEqual({ created: 1 });
  });
});
