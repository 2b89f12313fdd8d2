import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import type { MigrationEvent } from "../../src/events/events.js";
import { openInputs } from "../../src/source/inputs.js";
import { validateUsers } from "../../src/run/validate-users.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { newMigration } from "../run/support/run.js";

const newPath = temporaryPaths();
const HASH = KNOWN_HASHES.bcrypt.passwordHash;

async function eventsOf(
  files: readonly string[],
  stdin?: string,
  map: object = {},
): Promise<MigrationEvent[]> {
  const events: MigrationEvent[] = [];
  const input = stdin === undefined ? {} : { stdin: Readable.from([Buffer.from(stdin)]) };
  await validateUsers({
    inputs: await openInputs(files, { ...input, map: new Map(Object.entries(map)) }),
    onEvent: (event) => events.push(event),
  });
  return events.filter(({ type }) => type !== "progress");
}

function codesOf(events: readonly MigrationEvent[]): string[] {
  return events.flatMap((event) => (event.type === "finding" ? [event.code] : []));
}

describe("a file of anybody's making", () => {
  it("is told of by its columns, with how many rows fill them", async () => {
    const { write } = newMigration(newPath);
    const text = `nr,e-mail,pw,gesperrt,city\n1,ann@example.com,${HASH},0,Fresno\n2,bo@example.com,,0,\n`;
    const file = write("users.csv", text);
    const [columns] = await eventsOf([file]);
    expect(columns).toEqual({
      type: "columns",
      file,
      rows: 2,
      read: [
        { name: "e-mail", as: "email", filled: 2 },
        { name: "pw", as: "hash", filled: 1 },
        { name: "gesperrt", as: "disabled", filled: 2 },
      ],
      unread: [
        { name: "nr", filled: 2 },
        { name: "city", filled: 1 },
      ],
      mapping: null,
    });
  });

  it("is told of by the properties that were met, by their paths", async () => {
    const { write } = newMigration(newPath);
    const users = [
      { id: 1, profile: { email: "ann@example.com", city: "Fresno" }, pw: HASH },
      { id: 2, profile: { email: "bo@example.com" }, tags: ["a"] },
    ];
    const [columns] = await eventsOf([write("users.json", JSON.stringify(users))]);
    expect(columns).toMatchObject({
      rows: 2,
      read: [
        { name: "id", as: "id", filled: 2 },
        { name: "profile.email", as: "email", filled: 2 },
        { name: "pw", as: "hash", filled: 1 },
      ],
      unread: [
        { name: "profile.city", filled: 1 },
        { name: "tags", filled: 1 },
      ],
    });
  });

  it("has no data told for a name", async () => {
    const { write } = newMigration(newPath);
    const users = [{ email: "ann@example.com", "ann@example.com": true, "+15550100001": 1 }];
    const told = JSON.stringify(await eventsOf([write("users.json", JSON.stringify(users))]));
    expect(told).not.toMatch(/ann@|5550100001/);
  });

  it("is told whose way in by a code nothing shows to be verified, an email or a phone alike", async () => {
    const { write } = newMigration(newPath);
    const marked = ["true,", ",true", "true,true"].map(
      (marks, at) => `${at},p${at}@example.com,+1555010000${at},${marks},`,
    );
    const users = [
      ...marked,
      "3,p3@example.com,,,,",
      "4,,+15550100004,,,",
      "5,p5@example.com,,true,,",
      "6,,+15550100006,,true,",
      `7,p7@example.com,+15550100007,,,${HASH}`,
    ];
    const columns = "id,email,phone,email_verified,phone_verified,password_hash";
    const file = write("users.csv", [columns, ...users].join("\n"));
    const found = (await eventsOf([file])).flatMap((event) => {
      return event.type === "finding" && event.code === "way_in_not_verified" ? [event] : [];
    });
    expect(found.map(({ count, rows }) => [count, rows.map(({ number }) => number)])).toEqual([
      [4, [1, 2, 4]],
    ]);
  });

  it("without a hash is told to have none, once", async () => {
    const { write } = newMigration(newPath);
    for (const [header, hint] of [
      ["password", '"password" is empty. No row'],
      ["town", "no column or property holds passwords. No row"],
    ] as const) {
      const rows = "1,ann@example.com,\n2,bo@example.com,\n";
      const file = write(`${header}.csv`, `id,email,${header}\n${rows}`);
      const findings = (await eventsOf([file])).filter((event) => {
        return "code" in event && event.code === "no_hash_column";
      });
      expect(findings).toMatchObject([{ count: 2, rows: [] }]);
      expect(findings).toMatchObject([{ hint: expect.stringContaining(hint) }]);
    }
  });

  it("is told to lack a value that --map names for a flag, since the users whom it should keep out are let in", async () => {
    const { write } = newMigration(newPath);
    const users = [
      { email: "ann@example.com", estado: "Activo" },
      { email: "bo@example.com", estado: "Inactivo" },
    ];
    const table = ["email,estado", ...users.map(({ email, estado }) => `${email},${estado}`)];
    for (const file of [
      write("users.csv", table.join("\n")),
      write("users.json", JSON.stringify(users)),
    ]) {
      const codesFor = async (value: string) =>
        codesOf(await eventsOf([file], undefined, { disabled: `estado=${value}` }));
      expect(await codesFor("Inactiv")).toContain("input_doubtful");
      expect(await codesFor("inactivo")).not.toContain("input_doubtful");
    }
  });

  it("that can be read but once is told of as well", async () => {
    const text = `id,email,password_hash\n1,ann@example.com,${HASH}\n`;
    const events = await eventsOf(["-"], text);
    expect(events[0]).toMatchObject({ type: "columns", file: "-", rows: 1 });
    expect(events.some((event) => "code" in event && event.code === "no_hash_column")).toBe(false);
  });

  it.each([
    ["flag_frobs_banned", "1", "column_unclear"],
    ["emailVerified", "2024-01-02", "column_unclear"],
    ["mystery", HASH, "hash_column_unread"],
  ])("whose last row shows that %s must be explained sends nobody", async (name, value, code) => {
    const migration = newMigration(newPath);
    const rows = Array.from({ length: 3000 }, (_, index) => `${index},u${index}@example.com,,`);
    const text = `id,email,password_hash,${name}\n${rows.join("\n")}\nz,z@example.com,,${value}\n`;
    await expect(migration.run([migration.write("users.csv", text)])).rejects.toMatchObject({
      code,
    });
    expect(await migration.users()).toEqual([]);
  });

  it("says in a skip which column decided", async () => {
    const { write, run } = newMigration(newPath);
    const text = "id,email,block,deleted_at\n1,a@example.com,1,\n2,b@example.com,0,2024-01-02\n";
    const { events } = await run([write("users.csv", text)]);
    expect(events).toMatchObject(
      [
        { type: "skip", code: "disabled", hint: /^The column "block" says 1\./ },
        { type: "skip", code: "deleted", hint: /^The column "deleted_at" says a date\./ },
      ].map((event) => ({ ...event, hint: expect.stringMatching(event.hint) })),
    );
  });

  it("of a vendor's is told of by its own reader alone", async () => {
    const { write } = newMigration(newPath);
    const user = { localId: "a1", email: "ann@example.com", emailVerified: true };
    const events = await eventsOf([write("users.json", JSON.stringify({ users: [user] }))]);
    expect(events.some(({ type }) => type === "columns")).toBe(false);
  });
});
