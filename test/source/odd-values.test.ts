import { writeFileSync } from "node:fs";
import { extname } from "node:path";
import { parse } from "csv-parse/sync";
import { expect, it } from "vitest";
import { RunError } from "../../src/errors/run-error.js";
import { validateUsers } from "../../src/run/validate-users.js";
import { openInputs } from "../../src/source/inputs.js";
import { SOURCES } from "../../src/source/registry.js";
import type { Source } from "../../src/source/source.js";
import { type Random, randomFrom } from "../support/random.js";
import { repeated } from "../support/repeated.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { type Fixture, fixturesOf } from "./fixtures.js";

/** How many values are planted in the fixtures of all sources. */
const PLANTED = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 8, full: 1500 });
const newPath = temporaryPaths();

const DEEP = `${"[".repeat(4000)}${"]".repeat(4000)}`;
const DEEP_OBJECT = `${'{"a":'.repeat(4000)}1${"}".repeat(4000)}`;
/** As JSON writes them: most can't be had otherwise. */
const ODD_JSON = [
  DEEP,
  DEEP_OBJECT,
  JSON.stringify(DEEP),
  JSON.stringify(DEEP_OBJECT),
  '"\\ud800"',
  '"\\u0000"',
  '{"__proto__":{"admin":true},"constructor":1,"toString":null}',
  "1e400",
  "-0.0",
  "12345678901234567890123",
  "[]",
  "[[]]",
  "{}",
  '[null,[],{"":[]}]',
  "null",
  "false",
  JSON.stringify("x".repeat(70_000)),
  `{"${"n".repeat(70_000)}":1}`,
  JSON.stringify("$2a$".repeat(500)),
  '"-5"',
  '"2021-02-30"',
  '"otpauth://totp/%"',
];

/** Everything in a document that a value can be planted in: properties and elements. */
function placesIn(value: unknown, found: [object, string][] = []): [object, string][] {
  if (typeof value !== "object" || value === null) return found;
  for (const [name, held] of Object.entries(value)) {
    found.push([value, name]);
    placesIn(held, found);
  }
  return found;
}

/** A fixture with one odd value; null where it is of another form. */
function planted({ file, bytes }: Fixture, random: Random): string | null {
  const odd = random.pick(ODD_JSON);
  const text = bytes.toString();
  if (extname(file) === ".csv") {
    const rows: string[][] = parse(text, { relax_column_count: true, relax_quotes: true });
    const row = rows[1 + random.below(Math.max(1, rows.length - 1))];
    if (row === undefined) return null;
    const cell: unknown = JSON.parse(odd);
    row[random.below(row.length)] = typeof cell === "string" ? cell : odd;
    const quoted = (one: string) => `"${one.replaceAll('"', '""')}"`;
    return rows.map((cells) => cells.map(quoted).join(",")).join("\n");
  }
  const lines = text.trim().split("\n");
  const isLines = lines.length > 1 && lines.every((line) => line.startsWith("{"));
  const documents: unknown[] = isLines ? lines.map((line) => JSON.parse(line)) : [JSON.parse(text)];
  const places = placesIn(documents);
  const [holder, name] = random.pick(places);
  Reflect.set(holder, name, "PLANTED");
  const written = documents.map((one) => JSON.stringify(one).replace('"PLANTED"', () => odd));
  return written.join("\n");
}

const FIXTURES: readonly { readonly source: Source; readonly fixture: Fixture }[] = SOURCES.flatMap(
  (source) => fixturesOf(source).map((fixture) => ({ source, fixture })),
).filter(({ fixture: { file } }) => /\.(?:csv|json|jsonl|ndjson)$/.test(file));

it("a file with an odd value in any field ends in rows and codes, whatever the source", async () => {
  const random = randomFrom(17);
  let read = 0;
  for (let at = 0; at < PLANTED; at += 1) {
    const { source, fixture } = random.pick(FIXTURES);
    let text: string | null;
    try {
      text = planted(fixture, random);
    } catch {
      continue;
    }
    if (text === null) continue;
    const path = newPath(`planted${extname(fixture.file)}`);
    writeFileSync(path, text);
    const where = `${source.name} ${fixture.file} of number ${at}`;
    try {
      const map = fixture.options.map ?? new Map();
      const inputs = await openInputs([path], { from: source.name, map });
      await validateUsers({ inputs });
      read += 1;
    } catch (error) {
      expect(error, where).toBeInstanceOf(RunError);
      expect(error, where).not.toMatchObject({ code: "internal" });
    }
  }
  expect(read).toBeGreaterThan(PLANTED / 4);
});
