import { readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import type { Finding, RowEvent } from "../../src/events/events.js";
import type { ReadingOptions } from "../../src/run/options.js";
import { openInputs } from "../../src/source/inputs.js";
import { validateUsers } from "../../src/run/validate-users.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { csvOf, newMigration, told } from "./support/run.js";

const newPath = temporaryPaths();
const HASH = KNOWN_HASHES.bcrypt.passwordHash;
const DEMO = new URL("../../fixtures/demo/", import.meta.url).pathname;

async function validate(files: readonly string[], changes: Partial<ReadingOptions> = {}) {
  const events: RowEvent[] = [];
  const findings: Finding[] = [];
  const summary = await validateUsers({
    inputs: await openInputs(files),
    onEvent: (event) => {
      if (event.type === "finding") findings.push(event);
      else if ("row" in event) events.push(event);
    },
    ...changes,
  });
  return { summary, events, findings };
}

const USERS = new URL("../../fixtures/sources/", import.meta.url).pathname;

describe("a dry run", () => {
  it.each([
    [
      "appwrite/users.json",
      { argon2: 6, bcrypt: 5 },
      { appwrite_phpass: 1, contact_unverified: 1, factor_lost: 1 },
    ],
    ["akamai/records.json", {}, {}],
    ["wordpress/wp_users.json", {}, {}],
  ])(
    "reads %s by itself, with its hashes and who is kept out",
    async (file, algorithms, rejects) => {
      const { summary } = await validate([`${USERS}${file}`]);
      expect(summary).toMatchObject({ algorithms, rejects, skips: { disabled: 2 } });
    },
  );

  it("says of every row what an import would do", async () => {
    const { write } = newMigration(newPath);
    const file = write(
      "users.csv",
      csvOf([
        { id: "1", email: "ada@example.com", phone: "+15550100001", hash: HASH },
        { id: "2", phone: "+15550100002" },
        { id: "3", email: "cleo@example.com", disabled: "true" },
        { id: "4" },
        { id: "1", email: "ada@example.org", hash: HASH },
      ]),
    );
    const { summary, events } = await validate([file]);
    expect(summary).toMatchObject({
      command: "validate",
      source: "csv",
      core: null,
      checkpoint: null,
      read: 5,
      ready: { import: 1, passwordless: 1 },
      skipped: 1,
      rejected: 2,
      algorithms: { bcrypt: 1 },
      rejects: { no_contact: 1, duplicate: 1 },
      skips: { disabled: 1 },
      notices: { phone_not_migrated: 1 },
      truncated: [],
      limited: false,
      interrupted: false,
    });
    expect(events.map(told)).toEqual([
      "3 skip disabled",
      "4 reject no_contact",
      "5 reject duplicate",
    ]);
  });

  it("agrees with the import of the shipped export that has problems", async () => {
    const file = `${DEMO}users-with-problems.csv`;
    const { summary, events } = await validate([file]);
    const real = await newMigration(newPath).run([file]);
    expect(summary).toMatchObject({
      read: real.summary.read,
      rejects: real.summary.rejects,
      skips: real.summary.skips,
      notices: real.summary.notices,
      ready: { import: real.summary.imported, passwordless: real.summary.created },
    });
    expect(events.map(told).sort()).toEqual(real.events.map(told).sort());
  });

  it("leaves nothing behind, not even a temporary file", async () => {
    const { write } = newMigration(newPath);
    const file = write("users.csv", csvOf([{ id: "1", email: "ada@example.com", hash: HASH }]));
    const ours = (): string[] =>
      readdirSync(tmpdir())
        .filter((name) => name.startsWith("auth-migrate-"))
        .sort();
    const [beside, temporary, bytes] = [readdirSync(dirname(file)), ours(), readFileSync(file)];
    await validate([file]);
    expect(readdirSync(dirname(file))).toEqual(beside);
    expect(readFileSync(file).equals(bytes)).toBe(true);
    // Other test files come and go in the temporary folder; none of what is new may hold a database.
    const leftover = ours().filter((name) => !temporary.includes(name));
    expect(leftover.filter((name) => holdsDatabase(`${tmpdir()}/${name}`))).toEqual([]);
  });

  it("stops where the vendor's parameters are missing, as an import does", async () => {
    const { write } = newMigration(newPath);
    const users = [
      { localId: "a", email: "ada@example.com", passwordHash: "aGFzaA==", salt: "c2FsdA==" },
    ];
    const file = write("users.json", JSON.stringify({ users }));
    await expect(validate([file])).rejects.toMatchObject({ code: "hash_config_missing" });
  });

  it("finds a duplicate far from its first row", async () => {
    const { write } = newMigration(newPath);
    const many = Array.from({ length: 12_000 }, (_, index) => ({
      id: `r-${index}`,
      email: `reader.${index}@example.com`,
    }));
    const again = many.slice(0, 3).map((one) => ({ ...one, email: `of.${one.email}` }));
    const file = write("users.csv", csvOf([...many, ...again]));
    const { summary, events } = await validate([file]);
    expect(summary).toMatchObject({ read: 12_003, rejects: { duplicate: 3 } });
    expect(
      events.map(({ row, hint }) => [row.number, hint.includes(`row ${row.number - 12_000};`)]),
    ).toEqual([
      [12_001, true],
      [12_002, true],
      [12_003, true],
    ]);
  });
});

function holdsDatabase(folder: string): boolean {
  try {
    return readdirSync(folder).includes("temporary.db");
  } catch {
    return false;
  }
}
