import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { comparable } from "../../../src/cli/setup/written-mapping.js";
import { shown } from "../../../src/conformance/expectation.js";
import { openFile, readHead } from "../../../src/source/bytes/file.js";
import { isJson } from "../../../src/source/format.js";
import { SOURCES } from "../../../src/source/registry.js";
import { fixturesOf } from "../fixtures.js";
import { inferredMapping } from "../../../src/source/mapping/inferred-mapping.js";
import { RunError } from "../../../src/errors/run-error.js";
import { genericCsv, genericJson } from "../../../src/source/mapping/generic-files.js";
import { mappedSource } from "../../../src/source/mapping/mapped-source.js";
import { parseMapping } from "../../../src/source/mapping/read-mapping.js";
import type { ReadOptions, Source } from "../../../src/source/source.js";
import { columnsOf } from "../fields/columns.js";
import { headOf } from "../read-users.js";
import { collect, pieces } from "../support.js";
import { repeated } from "../../support/repeated.js";

const NOW = Date.parse("2026-11-22");
const BCRYPT = "$2a$04$851F/nQcrhTCgKGqW3vAEuawD2EcdaDSUm.4kze9Gdvaylx8AdJUm";
const RUNS = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 50, full: 3000 });

/** Of two reasons to reject a user either may be told. */
const UNCLEAR: ReadonlySet<string> = new Set(["field_ambiguous", "flag_invalid"]);

/** What is decided of each user, or null where the run is stopped. What is told of fields differs, and no user does. */
async function decided(source: Source, text: string): Promise<unknown> {
  try {
    const bytes = pieces(Buffer.from(text), 4096);
    const items = await collect(source.read("users", bytes, { map: new Map(), now: NOW }));
    return items.map((item) => {
      if (item.kind === "reject") return UNCLEAR.has(item.code) ? "unclear" : item.code;
      if (item.kind !== "record") return item.kind;
      const { sourceId, email, phone, hash, exclusions } = item.record;
      return { sourceId, email, phone, hash, exclusions };
    });
  } catch (error) {
    if (error instanceof RunError) return null;
    throw error;
  }
}

function asCsv(users: readonly Readonly<Record<string, string>>[]): string {
  const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const rows = [Object.keys(users[0] ?? {}), ...users.map(Object.values)];
  return rows.map((row: readonly string[]) => row.map(cell).join(",")).join("\n");
}

const NAMES = [
  ...["out", "unverified", "hashes"].flatMap(columnsOf).map(({ name }) => name),
  ...columnsOf("harmless").map(({ name }) => name),
  ..."role provider mfa_enabled username salt pepper hash_type algorithm temp_password status mail emails phones mobile password hash login_email".split(
    " ",
  ),
].filter((name) => !/[.[\]]/.test(name));

const VALUES = [
  ...["zoe@example.com", "ann0@example.com", "+15550100101"],
  ...["", "1", "0", "true", "active", "banned", "pending", "google", "saml", "nologin", "admin"],
  ...["2024-01-02 03:04:05", "2030-01-01T00:00:00Z", "x", "7", BCRYPT],
];

describe("the mapping that is inferred of a file reads the same users", () => {
  test.each([
    [genericCsv, asCsv],
    [genericJson, JSON.stringify],
  ] as const)("whatever its columns are and hold", async (source, written) => {
    const columns = fc.uniqueArray(fc.constantFrom(...NAMES), {
      selector: (name) => name.toLowerCase(),
      minLength: 1,
      maxLength: 5,
    });
    const values = fc.array(fc.array(fc.constantFrom(...VALUES), { minLength: 5, maxLength: 5 }), {
      minLength: 1,
      maxLength: 4,
    });
    let same = 0;
    await fc.assert(
      fc.asyncProperty(columns, values, async (names, rows) => {
        const users = rows.map((row, at) => ({
          id: String(at),
          email: `ann${at}@example.com`,
          password_hash: at === 1 ? "" : BCRYPT,
          ...Object.fromEntries(names.map((name, index) => [name, row[index] ?? ""])),
        }));
        const text = written(users);
        const said = await decided(source, text);
        if (said === null) return;
        const naming = { name: "own", hashes: source.name };
        const mapping = await inferredMapping(headOf(text), new Map(), naming);
        same += 1;
        expect(await decided(mappedSource(parseMapping("own.yaml", mapping)), text)).toEqual(said);
      }),
      { numRuns: RUNS },
    );
    expect(same).toBeGreaterThan(RUNS / 10);
  });
});

test.each([
  ["no field of all users", '[{"email":"ann@example.com"},{"mail":"bob@example.com"}]', {}],
  ["no hash", "id,email\n7,ann@example.com\n", {}],
  ["a column through another", "id,email,email.verified\n7,ann@example.com,false\n", {}],
  ["a list's element", `id,emails.0.address\n7,ann@example.com\n`, { email: "emails.0.address" }],
  [
    "a time in a list's element",
    "id,emails.0.address,emails.0.verified_at\n7,ann@example.com,2024-01-02\n",
    { email: "emails.0.address" },
  ],
])("a mapping that is inferred of a file with %s reads it so", async (_what, text, given) => {
  const map = new Map(Object.entries(given));
  const naming = { name: "own", hashes: "csv" };
  const head = headOf(text);
  const source = isJson(head) ? genericJson : genericCsv;
  const mapped = mappedSource(parseMapping("own.yaml", await inferredMapping(head, map, naming)));
  const readBy = (source: Source, map: ReadOptions["map"]) =>
    collect(source.read("users", pieces(Buffer.from(text), 4096), { map, now: NOW }));
  const users = await readBy(source, map);
  expect(users[0]).toMatchObject({ record: { email: { value: "ann@example.com" }, notices: [] } });
  expect(await readBy(mapped, new Map())).toEqual(users);
});

/** What an inferred mapping reads otherwise, and why. */
const OTHERWISE: Readonly<Record<string, string>> = {
  "mattermost/users.csv":
    "a secret whose flag says that it isn't in use is kept: asked for no less",
};

describe("the mapping that is inferred of each fixture reads the same users", () => {
  const files = SOURCES.flatMap((source) =>
    fixturesOf(source).map(
      (fixture) => [`${source.name}/${fixture.file}`, source, fixture] as const,
    ),
  );
  test.each(files)("%s", async (name, { generic, name: hashes }, { path, options }) => {
    const head = await readHead(path);
    const source = isJson(head) ? genericJson : genericCsv;
    const map = generic ? options.map : new Map();
    const readBy = async (one: Source, given: ReadOptions["map"]): Promise<unknown[]> => {
      const reading = { ...options, map: given, keepsAccount: "all" } as const;
      return (await collect(one.read(path, openFile(path), reading))).map((item) =>
        comparable(shown(item)),
      );
    };
    let said: unknown[];
    try {
      said = await readBy(source, map);
    } catch (error) {
      // A vendor's own file says too little by its names.
      if (!(error instanceof RunError) || generic) throw error;
      return;
    }
    const text = await inferredMapping(head, map, { name: "own", hashes });
    const mapped = mappedSource(parseMapping("own.yaml", text));
    expect(mapped.recognize(head)).not.toBeNull();
    const read = await readBy(mapped, new Map());
    if (name in OTHERWISE) expect(read).not.toEqual(said);
    else expect(read).toEqual(said);
  });
});
