import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FIELDS, plainName } from "../../../src/source/generic/field-names.js";
import { genericCsv, genericJson } from "../../../src/source/mapping/generic-files.js";
import { inferredMapping } from "../../../src/source/mapping/inferred-mapping.js";
import { parseMapping } from "../../../src/source/mapping/read-mapping.js";
import type { ColumnsRead, Source } from "../../../src/source/source.js";
import { listed } from "../../../src/source/word-lists.js";
import { repeated } from "../../support/repeated.js";
import { headOf } from "../read-users.js";
import { collect, pieces } from "../support.js";

const NOW = Date.parse("2026-11-22");
const BCRYPT = "$2a$04$851F/nQcrhTCgKGqW3vAEuawD2EcdaDSUm.4kze9Gdvaylx8AdJUm";
const RUNS = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 100, full: 3000 });

/** Meteor's are a credential's parts. */
const NAMES = [...listed(FIELDS.texts.hash), ...listed(FIELDS.unsure.hash)].filter(
  (name) => !name.startsWith("services"),
);
const FLAGS = ["ja", "nein", "1", "0", "true", "false", ""];
const DATES = ["03.04.2024", "31/12/2023", "2024-01-02", "2024-01-02T03:04:05Z", ""];
/** What may be a hash, a password in plain text, or the mark of a user without one. */
const OTHERS = [BCRYPT, "ann-sesame-7", "5f4dcc3b5aa765d61d8327deb882cf99", "1700000000", "x"];

type Users = readonly Readonly<Record<string, string>>[];

const FILES = [
  [
    "csv",
    genericCsv,
    (users: Users) =>
      [users[0] ?? {}, ...users]
        .map((user, at) => Object[at === 0 ? "keys" : "values"](user).join(";"))
        .join("\n"),
  ],
  ["json", genericJson, (users: Users) => JSON.stringify(users)],
] as const;

/** Which column is read as the hash, and which hash each user has. */
async function hashesIn(source: Source, text: string) {
  const told: ColumnsRead[] = [];
  const onColumns = (columns: ColumnsRead): void => void told.push(columns);
  const options = { map: new Map(), now: NOW, onColumns };
  const items = await collect(source.read("users", pieces(Buffer.from(text), 4096), options));
  const hashes = items.map((item) => (item.kind === "record" ? item.record.hash : item.kind));
  const column = told[0]?.read.find(({ as }) => as === "hash")?.name ?? null;
  return { column, hashes };
}

describe.each(FILES)(
  "a column of a %s file that is named like a password's hash",
  (_name, source, textOf) => {
    const usersOf = (columns: Readonly<Record<string, readonly string[]>>): Users => {
      const [values = []] = Object.values(columns);
      return values.map((_value, at) => ({
        email: `ann${at}@example.com`,
        ...Object.fromEntries(Object.entries(columns).map(([name, all]) => [name, all[at] ?? ""])),
      }));
    };
    const marks = fc
      .constantFrom(FLAGS, DATES, [...FLAGS, ...DATES])
      .chain((values) => fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: 6 }))
      .filter((values) => values.some((value) => value !== ""));

    test("is none where all that it holds is a date or a yes or no", async () => {
      const names = fc.uniqueArray(fc.constantFrom(...NAMES), {
        minLength: 2,
        maxLength: 2,
        selector: plainName,
      });
      await fc.assert(
        fc.asyncProperty(
          names,
          marks,
          fc.boolean(),
          async ([name = "", other = ""], values, hasHash) => {
            const hashes = hasHash ? { [other]: values.map(() => BCRYPT) } : {};
            const text = textOf(usersOf({ [name]: values, ...hashes }));
            expect(await hashesIn(source, text)).toEqual({
              column: hasHash ? other : null,
              hashes: values.map(() => (hasHash ? { kind: "text", text: BCRYPT } : null)),
            });
            const yaml = await inferredMapping(headOf(text), new Map(), {
              name: "own",
              hashes: "csv",
            });
            expect(parseMapping("own.yaml", yaml).hash).toMatchObject({
              value: [hasHash ? other : "''"],
            });
          },
        ),
        { numRuns: RUNS },
      );
    });

    test("is one as soon as one of its values may be", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...NAMES),
          marks,
          fc.constantFrom(...OTHERS),
          async (name, values, one) => {
            const text = textOf(usersOf({ [name]: [...values, one] }));
            expect((await hashesIn(source, text)).column).toBe(name);
          },
        ),
        { numRuns: RUNS },
      );
    });

    test("is one where the operator says so", async () => {
      const text = textOf(usersOf({ Passwort: ["ja", "nein"] }));
      const map = new Map([["hash", "Passwort"]]);
      const read = source.read("users", pieces(Buffer.from(text), 4096), { map, now: NOW });
      const items = await collect(read);
      expect(items.map((item) => item.kind === "record" && item.record.hash)).not.toContain(null);
    });

    test("stays what the whole export has shown, in its rejects", async () => {
      for (const [values, column] of [
        [["ja", "nein"], null],
        [["0", BCRYPT], "Passwort"],
      ] as const) {
        const text = textOf(usersOf({ Passwort: values }));
        const options = { map: new Map(), now: NOW, keepsRaw: true };
        const [first] = await collect(source.read("u", pieces(Buffer.from(text), 4096), options));
        const raw = first !== undefined && "raw" in first ? first.raw?.() : undefined;
        const reason = { code: "no_contact", hint: "", row: "row 1" };
        const rejects = `${raw?.form.opening}${raw?.form.write(raw, reason)}`;
        expect(await hashesIn(source, rejects)).toMatchObject({ column });
      }
    });
  },
);
