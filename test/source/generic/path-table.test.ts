import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { genericCsv, genericJson } from "../../../src/source/mapping/generic-files.js";
import { normalizeHash } from "../../../src/hash/normalize.js";
import type { ReadOptions } from "../../../src/source/source.js";
import { runs } from "../../support/repeated.js";
import { headOf, readUsers } from "../read-users.js";
import { PLAIN } from "../support.js";

const BCRYPT = "$2a$10$851F/nQcrhTCgKGqW3vAEuawD2EcdaDSUm.4kze9Gdvaylx8AdJUm";
const ARGON2 =
  "$argon2id$v=19$m=19456,t=2,p=1$KQjPe8psEWjqOn6Jlt/Muw$E/yOEEhUQeMRobxaHoMv+4WMMx2HxRH0P1wYdAnmlaM";

function mapped(fields: Record<string, string>): ReadOptions {
  return { ...PLAIN, map: new Map(Object.entries(fields)) };
}

/** A user as the columns that `mongoexport --fields` would name. */
function flat(value: unknown, path = ""): readonly (readonly [string, string])[] {
  if (typeof value !== "object" || value === null) return [[path, String(value)]];
  return Object.entries(value).flatMap(([name, held]) =>
    flat(held, path === "" ? name : `${path}.${name}`),
  );
}

function tableOf(user: object): string {
  const cells = flat(user);
  return `${cells.map(([name]) => name).join(",")}\n${cells.map(([, text]) => `"${text}"`).join(",")}\n`;
}

describe("a table whose columns are paths", () => {
  test("says of each user what JSON would", async () => {
    const hash = fc.constantFrom<Record<string, object>>(
      { services: { password: { bcrypt: BCRYPT } } },
      { services: { password: { argon2: ARGON2 } } },
      { auth: { passwordHash: BCRYPT } },
      { local: { password: BCRYPT } },
    );
    const contact = fc.constantFrom<Record<string, object>>(
      { emails: [{ address: "ann@example.com", verified: true }] },
      { emails: [{ address: "ann@example.com", verified: false }] },
      { profile: { email: "ann@example.com", name: "Ann" } },
      { user: { email: "ann@example.com" }, security: { mfa_enabled: true } },
      { local: { email: "ann@example.com" }, account: { disabled: true } },
    );
    const rest = fc.constantFrom(
      {},
      { createdAt: "2024-01-01T10:00:00.000Z" },
      { extra: { a: { b: "c" } } },
    );
    await fc.assert(
      fc.asyncProperty(contact, hash, rest, async (...parts) => {
        const [contacts, hashes, others] = parts;
        const local = { ...contacts.local, ...hashes.local };
        const both = Object.keys(local).length === 0 ? {} : { local };
        const user = { _id: "m1", ...contacts, ...hashes, ...others, ...both };
        const table = tableOf(user);
        expect(genericCsv.recognize(headOf(table))).not.toBeNull();
        const [ofTable] = await readUsers(genericCsv, table);
        const [ofJson] = await readUsers(genericJson, JSON.stringify([user]));
        expect(ofTable).toEqual(ofJson);
      }),
      { numRuns: runs(100) },
    );
  });

  test("is read by the paths and by the names of --map, and a mistyped one is said", async () => {
    const table = tableOf({ _id: "m1", emails: [{ address: "ann@example.com", verified: true }] });
    for (const email of ["emails.0.address", "emails[0].address"]) {
      expect(await readUsers(genericCsv, table, mapped({ email }))).toMatchObject([
        { sourceId: "m1", email: { value: "ann@example.com", verified: true } },
      ]);
    }
    await expect(
      readUsers(genericCsv, table, mapped({ email: "emails.1.address" })),
    ).rejects.toThrow(/has no column "emails.1.address"/);
  });

  test("keeps columns apart of which one leads through another", async () => {
    const table = "id,email,email.verified\n7,ann@example.com,false\n";
    expect(await readUsers(genericCsv, table)).toMatchObject([
      { email: { value: "ann@example.com", verified: false } },
    ]);
  });
});

describe("a hash under Meteor's name for it", () => {
  const TABLE = `id,email,services_password_bcrypt\n7,ann@example.com,${BCRYPT}\n`;
  const DOTTED = TABLE.replaceAll("_", ".");
  const LINE = { id: "7", email: "ann@example.com", services: { password: { argon2: ARGON2 } } };
  test.each([
    ["a plain table", genericCsv, TABLE, PLAIN],
    ["a table of paths", genericCsv, DOTTED, PLAIN],
    ["a table by --map", genericCsv, DOTTED, mapped({ hash: "services.password.bcrypt" })],
    ["JSON", genericJson, `${JSON.stringify(LINE)}\n`, PLAIN],
    [
      "JSON by --map",
      genericJson,
      `${JSON.stringify(LINE)}\n`,
      mapped({ hash: "services.password.argon2" }),
    ],
  ])("is of a changed password: in %s", async (_what, source, text, options) => {
    const [user] = await readUsers(source, text, options);
    if (user === undefined || typeof user === "string" || user.hash === null) throw new Error();
    expect(normalizeHash(user.hash, { allowHash: ["as-typed"] })).toMatchObject({
      code: "prehashed_unmarked",
    });
  });
});
