import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { openReport } from "../../src/checkpoint/report-source.js";
import { standingOf } from "../../src/report/results.js";
import { validateUsers } from "../../src/run/validate-users.js";
import { openInputs } from "../../src/source/inputs.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { type Migration, newMigration } from "./support/run.js";

const newPath = temporaryPaths();

const HEADER = "id,email,email_verified";
const TABLE = `${HEADER}
ada,ada@example.com,true
ben,ben@@example,true
cleo,cleo@example.com,true,one too many
`;
const LINES = `{"id":"ada","email":"ada@example.com","email_verified":true}
{"id":"ben","email":"ben@@example","email_verified":true}
{"id":"cleo","email":"cleo@example.com" "email_verified":true}
`;

/** Each form: the export, how Ben's row is mended, and how Cleo's is put in place of its text. */
const FORMS = [
  [
    "a table",
    "users.csv",
    TABLE,
    (text: string) =>
      text.replace(/^,,,.*,"cleo.*$/m, 'cleo,cleo@example.com,true,,,"row 3 of FILE",'),
  ],
  [
    "JSON",
    "users.ndjson",
    LINES,
    (text: string) =>
      text.replace(
        /^.*cleo.*$/m,
        '{"auth_migrate":{"row":"row 3 of FILE"},"id":"cleo","email":"cleo@example.com","email_verified":true}',
      ),
  ],
] as const;

/** What the checkpoint says of rows that aren't migrated. */
function standing({ checkpoint }: Migration): string[] {
  const source = openReport(checkpoint);
  try {
    return [...source.refused()].map(
      ({ row, code }) => `${row.file.split("/").pop()} ${row.number} ${code}`,
    );
  } finally {
    source.close();
  }
}

describe.each(FORMS)(
  "rejects of %s that are mended and imported",
  (_form, name, text, mendCleo) => {
    async function begin() {
      const migration = newMigration(newPath);
      const file = migration.write(name, text);
      const rejectsOut = join(dirname(migration.checkpoint), "rejects");
      await migration.run([file], { rejectsOut });
      const mend = (change: (text: string) => string): void =>
        writeFileSync(
          rejectsOut,
          change(readFileSync(rejectsOut, "utf8")).replaceAll("FILE", file),
        );
      return { migration, rejectsOut, mend };
    }
    const mendBen = (rejects: string): string => rejects.replace("ben@@example", "ben@example.com");
    const gone = (run: Awaited<ReturnType<Migration["run"]>>): unknown[] =>
      run.findings.filter(({ code }) => code === "gone_since_last_export");

    it("are told once each, whatever file names them, and no more when they are at the core", async () => {
      const { migration, rejectsOut, mend } = await begin();
      const cleo = `${name} 3 row_malformed`;
      expect(standing(migration)).toEqual([`${name} 2 email_invalid`, cleo]);
      mend(mendBen);
      await migration.run([rejectsOut]);
      expect(standing(migration)).toEqual([cleo]);
      mend(mendCleo);
      await migration.run([rejectsOut]);
      expect(standing(migration)).toEqual([]);
      expect((await migration.users()).map(({ email }) => email)).toEqual([
        "ada@example.com",
        "ben@example.com",
        "cleo@example.com",
      ]);
    });

    it("stand in the report with the line of the export, as an editor counts", async () => {
      const { migration, rejectsOut } = await begin();
      await migration.run([rejectsOut]);
      const source = openReport(migration.checkpoint);
      onTestFinished(source.close);
      const header = name.endsWith(".csv") ? 1 : 0;
      const lines = new Map([...source.refused()].map(({ code, row }) => [code, row.line]));
      expect(lines).toEqual(
        new Map([
          ["email_invalid", header + 1],
          ["row_malformed", header + 3],
        ]),
      );
    });

    it("make nobody a user who is gone from the export, however often they are imported", async () => {
      const { migration, rejectsOut, mend } = await begin();
      mend(mendBen);
      expect(gone(await migration.run([rejectsOut]))).toEqual([]);
      expect(gone(await migration.run([rejectsOut]))).toEqual([]);
    });

    it("name the export's row again where they are rejected again", async () => {
      const { migration, rejectsOut } = await begin();
      const again = `${rejectsOut}.again`;
      const { events } = await migration.run([rejectsOut], { rejectsOut: again });
      expect(events.map(({ row }) => row.origin?.number)).toEqual([2, 3]);
      expect(readFileSync(again, "utf8")).toMatch(new RegExp(`row 2 .*of .*${name}`));
      expect(readFileSync(again, "utf8")).not.toContain("of rejects");
    });
  },
);

const CONTESTED = `${HEADER}
ada,ada@example.com,true
ben,ben@example.com,true
cleo,ada@example.com,true
dora,ben@example.com,
`;

/** How the rows of Cleo and Dora are mended, whose contacts other users have. */
const MENDED = `${HEADER},auth_migrate_code,auth_migrate_hint,auth_migrate_row,auth_migrate_text
cleo,cleo@example.com,true,,,"row 3 of FILE",
dora,dora@example.com,,,,"row 4 of FILE",
`;

describe("rows whose contact another user has, mended and imported", () => {
  const rejects = ({ events }: Awaited<ReturnType<Migration["run"]>>): readonly string[] =>
    events.map(({ row, code }) => `${row.number} ${code}`);
  const BOTH = ["3 duplicate_contact", "4 duplicate_contact"];

  async function begin() {
    const migration = newMigration(newPath);
    const file = migration.write("users.csv", CONTESTED);
    const mended = migration.write("rejects.csv", MENDED.replaceAll("FILE", file));
    return { migration, file, mended };
  }

  it("are no rejects where a newer export has them as they were, in any order and more than once", async () => {
    const { migration, file, mended } = await begin();
    expect(rejects(await migration.run([file]))).toEqual(BOTH);
    await migration.run([mended]);
    const users = await migration.users();
    const [header = "", ...rows] = CONTESTED.trimEnd().split("\n");
    const newer = migration.write("newer.csv", [header, ...rows.reverse()].join("\n"));
    for (const again of [newer, file, newer]) {
      const { summary, events, findings } = await migration.run([again]);
      expect(events).toEqual([]);
      expect(summary).toMatchObject({ unchanged: 4, notices: { finished_otherwise: 2 } });
      expect(findings.filter(({ code }) => code === "gone_since_last_export")).toEqual([]);
      expect(await migration.users()).toEqual(users);
    }
  });

  it("are one user with the mended ones, however often and in whichever order an export has them", async () => {
    const { migration, file, mended } = await begin();
    await migration.run([file]);
    await migration.run([mended]);
    const { core, checkpoint } = migration;
    const binding = { kind: "embedded", coreId: core.coreId } as const;
    const asks = {
      core,
      checkpoint,
      binding,
      concurrency: 4,
      targetMoved: false,
      checkExisting: 9,
    };
    const rows = [CONTESTED, MENDED].flatMap((text) => text.trimEnd().split("\n").slice(1));
    const row = fc.constantFrom(...rows.map((text) => text.split(",").slice(0, 3).join(",")));
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 8 }), async (chosen) => {
        const both = migration.write("both.csv", [HEADER, ...chosen].join("\n"));
        const dry = standingOf(await validateUsers({ inputs: await openInputs([both]), asks }));
        const users = new Set(chosen.map((text) => text.split(",")[0])).size;
        expect(dry).toMatchObject({ users, there: 0, already: users, rejected: 0, skipped: 0 });
        await migration.run([both]);
        expect(await migration.users()).toHaveLength(4);
      }),
      { numRuns: 30 },
    );
  });

  it("are rejects until they are mended, and where they have another user's contact since", async () => {
    const { migration, file, mended } = await begin();
    await migration.run([file]);
    expect(rejects(await migration.run([file]))).toEqual(BOTH);
    await migration.run([mended]);
    const other = migration.write("newer.csv", CONTESTED.replace("cleo,ada", "cleo,ben"));
    expect(rejects(await migration.run([other]))).toEqual(["3 duplicate_contact"]);
  });

  it("are rejects of users whom another row than a mended one has brought", async () => {
    const { migration, file } = await begin();
    await migration.run([file]);
    const whole = migration.write("whole.csv", CONTESTED.replace("cleo,ada", "cleo,cleo"));
    expect(rejects(await migration.run([whole]))).toEqual(["4 duplicate_contact"]);
    expect(rejects(await migration.run([file]))).toEqual(BOTH);
  });
});
