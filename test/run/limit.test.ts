import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLimit } from "../../src/run/limit.js";
import { validateUsers } from "../../src/run/validate-users.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { EVERY_KIND, prepareMigration, readers } from "./support/people.js";
import { type Migration, outcomes } from "./support/run.js";

const newPath = temporaryPaths();
const RUNS = Number(process.env.AUTH_MIGRATE_TEST_RUNS ?? 200);

/** A row that is sent or not, by its number. */
interface Row {
  readonly number: number;
  readonly isSent: boolean;
}

function* inBatches(rows: readonly Row[], size: number): Generator<readonly Row[]> {
  for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size);
}

describe("a limit", () => {
  it("ends the reading right behind the last user, however rows come in batches", () => {
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { maxLength: 60 }),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 12 }),
        (sent, size, most) => {
          const rows = sent.map((isSent, index) => ({ number: index, isSent }));
          const limit = createLimit(most);
          const taken: Row[] = [];
          for (const piece of limit.cut(inBatches(rows, size))) {
            taken.push(...piece);
            limit.take(piece.filter(({ isSent }) => isSent).length);
          }
          const last = rows.filter(({ isSent }) => isSent)[most - 1]?.number ?? rows.length - 1;
          expect(taken).toEqual(rows.slice(0, last + 1));
          expect(limit.hasCut).toBe(last + 1 < rows.length);
        },
      ),
      { numRuns: RUNS },
    );
  });

  it("holds for all files together", () => {
    const limit = createLimit(3);
    const rows = [0, 1].map((number) => ({ number, isSent: true }));
    const taken: number[] = [];
    for (const _file of ["one", "two", "three"]) {
      for (const piece of limit.cut(inBatches(rows, 2))) {
        taken.push(piece.length);
        limit.take(piece.length);
      }
    }
    expect(taken).toEqual([2, 1]);
  });
});

describe("a pilot", () => {
  async function contactsOf(migration: Migration): Promise<string[]> {
    const users = await migration.users();
    return users.map(({ email, phoneNumber }) => `${email} ${phoneNumber}`).sort();
  }

  it("sends so many users, and the next run without it the rest, each once", async () => {
    const { migration, file } = prepareMigration(newPath);
    const pilot = await migration.run([file], { limit: 2 });
    expect(outcomes(pilot.summary)).toEqual({ imported: 1, created: 1 });
    expect(pilot.summary).toMatchObject({ read: 2, limited: true, interrupted: false });
    expect(await contactsOf(migration)).toEqual([
      "ada@example.com undefined",
      "ben@example.com undefined",
    ]);

    const rest = await migration.run([file]);
    expect(outcomes(rest.summary)).toEqual({ created: 2, skipped: 1, rejected: 6, unchanged: 2 });
    expect(rest.summary).toMatchObject({ read: EVERY_KIND.length, limited: false });

    const clean = prepareMigration(newPath);
    await clean.migration.run([clean.file]);
    expect(await contactsOf(migration)).toEqual(await contactsOf(clean.migration));
  });

  it("goes further by so many users each time it is run", async () => {
    const { migration, file } = prepareMigration(newPath, readers(300));
    for (const sent of [120, 240, 300]) {
      const { summary } = await migration.run([file], { limit: 120 });
      expect(summary.limited).toBe(sent < 300);
      expect(await migration.users()).toHaveLength(sent);
      expect(summary.imported + summary.created + summary.unchanged).toBe(summary.read);
    }
  });

  it("that reaches the files' end exactly isn't limited", async () => {
    const { migration, file } = prepareMigration(newPath, readers(40));
    const { summary } = await migration.run([file], { limit: 40 });
    expect(summary).toMatchObject({ read: 40, limited: false });
  });

  it("has the numbers that a dry run with the same limit has, findings and all", async () => {
    const rows = [...EVERY_KIND.slice(4), ...EVERY_KIND.slice(0, 4), ...readers(50)];
    const { migration, file } = prepareMigration(newPath, rows);
    const findings: string[] = [];
    const dry = await validateUsers(
      await migration.options([file], {
        limit: 12,
        onEvent: (event) => void (event.type === "finding" && findings.push(event.code)),
      }),
    );
    const pilot = await migration.run([file], { limit: 12 });
    const { read, limited, rejects, skips, algorithms, skipped } = pilot.summary;
    expect(dry).toMatchObject({ read, limited, rejects, skips, algorithms, skipped });
    expect(dry.ready).toEqual({
      import: pilot.summary.imported,
      passwordless: pilot.summary.created,
      thirdparty: 0,
    });
    expect(dry.ready.import + dry.ready.passwordless).toBe(12);
    expect(findings).toEqual(pilot.findings.map(({ code }) => code));
  });
});
