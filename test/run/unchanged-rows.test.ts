import { describe, expect, it } from "vitest";
import { temporaryPaths } from "../support/temporary-folder.js";
import { bcryptOf } from "./support/hashes.js";
import { readers } from "./support/people.js";
import { csvOf, newMigration } from "./support/run.js";

const newPath = temporaryPaths();

describe("of rows that change nothing", () => {
  it("a later run names those as well whose users can't have the vendor's id", async () => {
    const migration = newMigration(newPath);
    const rows = readers(20).map((row) => ({ ...row, hash: bcryptOf(1) }));
    for (const { email = "" } of rows) {
      await migration.core.importUser({ email, passwordHash: bcryptOf(2) });
    }
    const file = migration.write("users.csv", csvOf(rows));
    const policy = { keepIds: true };
    const first = await migration.run([file], { policy });
    // The second run notes it as what is true of the row, so that the third one tells nothing new.
    await migration.run([file], { policy });
    const again = await migration.run([file], { policy });
    expect(again.summary).toMatchObject({ unchanged: 20, notices: { id_not_kept: 20 } });
    const [told] = first.findings.filter(({ code }) => code === "id_not_kept");
    expect(told).toMatchObject({
      count: 20,
      rows: expect.arrayContaining([{ file, number: 1, line: 2 }]),
    });
    expect(again.findings).toContainEqual(told);
  });

  it("a later run names with its line the one whose address another row claims by a better right", async () => {
    const migration = newMigration(newPath);
    const rows = readers(20).map((row) => ({ ...row, emailVerified: "false", hash: bcryptOf(1) }));
    const claims = { ...rows[9], id: "u-new", emailVerified: "true" };
    const policy = { include: ["unverified"] } as const;
    await migration.run([migration.write("users.csv", csvOf(rows))], { policy });
    const file = migration.write("newer.csv", csvOf([...rows, claims]));
    const { findings } = await migration.run([file], { policy });
    const rowsTold = [
      { file, number: 21, line: 22 },
      { file, number: 10, line: 11 },
    ];
    const code = "contact_claimed_unverified";
    expect(findings).toContainEqual(expect.objectContaining({ code, rows: rowsTold }));
  });
});
