import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RunError } from "../../../src/errors/run-error.js";
import { genericCsv, genericJson } from "../../../src/source/mapping/generic-files.js";
import { meaningOf, plainName } from "../../../src/source/generic/field-names.js";
import type { GivenMap } from "../../../src/source/generic/field-map.js";
import type { Source } from "../../../src/source/source.js";
import { repeated } from "../../support/repeated.js";
import { collect, pieces } from "../support.js";
import { columnsOf } from "../fields/columns.js";

const NOW = Date.parse("2026-11-22");
const BCRYPT = "$2a$04$851F/nQcrhTCgKGqW3vAEuawD2EcdaDSUm.4kze9Gdvaylx8AdJUm";
const RUNS = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 100, full: 3000 });

/** What is decided of each user, or the code of what the run stopped at. */
async function decided(source: Source, text: string, map: GivenMap): Promise<unknown> {
  const bytes = pieces(Buffer.from(text), 4096);
  try {
    const items = await collect(source.read("users", bytes, { map, now: NOW }));
    return items.map((item) => {
      if (item.kind !== "record") return item.kind === "reject" ? item.code : item.kind;
      const { because = {}, ...record } = item.record;
      return { ...record, because: Object.keys(because).sort() };
    });
  } catch (error) {
    if (error instanceof RunError) return error.code;
    throw error;
  }
}

function asCsv(user: Readonly<Record<string, string>>): string {
  const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  return [Object.keys(user), Object.values(user)].map((row) => row.map(cell).join(",")).join("\n");
}

/** Names that a table and a document take alike: of each field a table has one column, and no lists. */
const NAMES = [
  ...["out", "unverified", "hashes"].flatMap(columnsOf).map(({ name }) => name),
  ...columnsOf("harmless").map(({ name }) => name),
  ..."role groups provider google_id mfa_enabled totp_secret username login algorithm pepper".split(
    " ",
  ),
].filter((name) => !/[.[\]]/.test(name) && !["text", "list"].includes(meaningOf(name).kind));

const VALUES = [
  ...["1", "0", "true", "active", "banned", "pending", "google", "saml", "totp", "nologin", "bot"],
  ...["2024-01-02 03:04:05", "2030-01-01T00:00:00Z", "JBSWY3DPEHPK3PXP", "admin", "x", BCRYPT],
];

describe("a user means the same in a table and in a document", () => {
  test("whatever its columns are and hold", async () => {
    const columns = fc.uniqueArray(
      fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom(...VALUES)),
      {
        selector: ([name]) => plainName(name),
        minLength: 1,
        maxLength: 5,
      },
    );
    await fc.assert(
      fc.asyncProperty(columns, fc.constantFrom("", BCRYPT), async (more, hash) => {
        const user = { id: "7", email: "ann@example.com", password_hash: hash };
        const whole = { ...user, ...Object.fromEntries(more) };
        const said = await decided(genericCsv, asCsv(whole), new Map());
        expect(said).toEqual(await decided(genericJson, JSON.stringify([whole]), new Map()));
      }),
      { numRuns: RUNS },
    );
  });

  test.each([
    ["id=email", { id: "", email: "ann@example.com" }, { sourceId: "ann@example.com" }],
    ["salt=id", { id: "7", email: "ann@example.com", pass: BCRYPT }, { sourceId: "7" }],
    [
      "username=",
      { login: "a@example.com", username: "ann", email: "a@example.com" },
      { notices: ["username_not_migrated"] },
    ],
  ])("where --map gives a field a second meaning: %s", async (given, user, known) => {
    const [field = "", name = ""] = given.split("=");
    const map = new Map(name === "" ? [] : [[field, name]]);
    const email = { value: user.email };
    const said = await decided(genericCsv, asCsv(user), map);
    expect(said).toMatchObject([{ ...known, email }]);
    expect(await decided(genericJson, JSON.stringify([user]), map)).toEqual(said);
  });
});
