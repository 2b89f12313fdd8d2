import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { normalizeHash } from "../../src/hash/normalize.js";
import type { ProgressEvent } from "../../src/events/events.js";
import type { PasswordCoverage } from "../../src/events/summary.js";
import { openInputs } from "../../src/source/inputs.js";
import { joinPasswords } from "../../src/password-export/join.js";
import { loadPasswordExport } from "../../src/password-export/load-export.js";
import { SYSTEM_TIMING } from "../../src/calls/timing.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { collect } from "../source/support.js";
import {
  hashOf,
  joined,
  passwordLines,
  recordsOf,
  type TestLine,
  type TestUser,
  userLines,
} from "./support.js";

const newPath = temporaryPaths();
const MAIN = { connection: "main" };

interface Result {
  /** Of each user: their hash, `ambiguous`, or null. */
  readonly hashes: readonly (string | null)[];
  readonly coverage: PasswordCoverage;
  readonly findings: readonly string[];
}

function join(users: readonly TestUser[], lines: readonly TestLine[]): Promise<Result> {
  const texts = { users: userLines(users), lines: passwordLines(lines) };
  return joined(newPath, texts, async (made) => {
    const hashes = (await recordsOf(made)).map(hashOf);
    const findings = made.findings.map(({ code }) => code);
    // A later pass gives the same: nobody is counted or used up by being read.
    expect((await recordsOf(made)).map(hashOf)).toEqual(hashes);
    return { hashes, coverage: made.coverage(), findings };
  });
}

describe("a user of a database finds their hash", () => {
  test.each([
    ["by the id that Auth0 gave", { oid: "a1" }],
    ["by the id of the customer's own", { oid: "65ff", altId: "a1" }],
    ["by their email in the same connection", { oid: "65ff", email: "ann@example.com", ...MAIN }],
    ["whatever the case of their email", { oid: "65ff", email: "Ann@Example.com", ...MAIN }],
  ])("%s", async (_title, line) => {
    const users = [{ id: "a1", email: "ann@example.com", ...MAIN }];
    expect(await join(users, [{ ...line, hash: "h1" }])).toMatchObject({
      hashes: ["h1"],
      coverage: { lines: 1, users: 1, matched: 1, ambiguous: 0, unused: 0 },
      findings: [],
    });
  });

  test("and is no longer said to have none", async () => {
    const texts = {
      users: userLines([{ id: "a1" }]),
      lines: passwordLines([{ oid: "a1", hash: "h1" }]),
    };
    await joined(newPath, texts, async (made) => {
      expect(await recordsOf(made)).toMatchObject([{ notices: [] }]);
    });
  });

  test("where neither side names a connection", async () => {
    const users = [{ id: "a1", email: "ann@example.com" }];
    const line = { oid: "65ff", email: "ann@example.com", hash: "h1" };
    expect((await join(users, [line])).hashes).toEqual(["h1"]);
    expect((await join(users, [{ ...line, ...MAIN }])).hashes).toEqual([null]);
    expect((await join([{ ...users[0], id: "a1", ...MAIN }], [line])).hashes).toEqual([null]);
  });
});

describe("a user finds no hash", () => {
  const ann = { id: "a1", email: "ann@example.com", ...MAIN };
  const byEmail = { oid: "65ff", email: "ann@example.com", ...MAIN, hash: "h1" };

  test("of another connection's user with the same email", async () => {
    const { hashes, coverage } = await join([ann], [{ ...byEmail, connection: "other" }]);
    expect(hashes).toEqual([null]);
    expect(coverage).toMatchObject({ users: 1, matched: 0, unused: 1 });
  });

  test("by email that is somebody else's by id, in whatever order they stand", async () => {
    const owner = { id: "65ff", email: "old@example.com", ...MAIN };
    expect((await join([ann, owner], [byEmail])).hashes).toEqual([null, "h1"]);
    expect((await join([owner, ann], [byEmail])).hashes).toEqual(["h1", null]);
  });

  test("by email where their id has a line without one", async () => {
    expect((await join([ann], [byEmail, { oid: "a1" }])).hashes).toEqual([null]);
  });

  test("where they sign in by an organization or a code", async () => {
    const others = [
      { ...ann, provider: "samlp" },
      { ...ann, id: "a2", provider: "sms" },
    ];
    const { hashes, coverage, findings } = await join(others, [byEmail, { oid: "a1", hash: "h2" }]);
    expect(hashes).toEqual([null, null]);
    expect(coverage).toMatchObject({ users: 0, matched: 0, unused: 2 });
    expect(findings).toEqual(["input_doubtful"]);
  });

  test("in place of the one that they bring along, which nobody else gets either", async () => {
    const bob = { id: "b1", email: "ann@example.com", ...MAIN };
    const line = { ...byEmail, oid: "a1" };
    const { hashes, coverage } = await join([{ ...ann, hash: "own" }, bob], [line]);
    expect(hashes).toEqual(["own", null]);
    expect(coverage).toMatchObject({ users: 1, matched: 0, unused: 0 });
  });
});

describe("a hash that may be another's is given to nobody", () => {
  const ann = { id: "a1", email: "ann@example.com", ...MAIN };
  const line = { oid: "65ff", email: "ann@example.com", ...MAIN };

  test.each([
    [
      "two lines of one id differ",
      [ann],
      [
        { oid: "a1", hash: "h1" },
        { oid: "a1", hash: "h2" },
      ],
    ],
    [
      "an id is one line's and another's of the customer's own",
      [ann],
      [
        { oid: "a1", hash: "h1" },
        { oid: "x", altId: "a1", hash: "h2" },
      ],
    ],
    [
      "two lines of one email differ",
      [ann],
      [
        { ...line, hash: "h1" },
        { ...line, oid: "66", hash: "h2" },
      ],
    ],
  ])("where %s", async (_title, users, lines) => {
    const { hashes, coverage, findings } = await join(users, lines);
    expect(hashes).toEqual(["ambiguous"]);
    expect(coverage).toMatchObject({ users: 1, matched: 0, ambiguous: 1, unused: 0 });
    expect(findings).toEqual(["input_doubtful"]);
  });

  test("where two users have its email, and it is neither's by id", async () => {
    const { hashes, coverage } = await join([ann, { ...ann, id: "a2" }], [{ ...line, hash: "h1" }]);
    expect(hashes).toEqual(["ambiguous", "ambiguous"]);
    expect(coverage).toMatchObject({ users: 2, matched: 0, ambiguous: 2, unused: 0 });
  });

  test("but the same hash twice is one", async () => {
    const lines = [{ oid: "a1", hash: "h1" }, { oid: "a1", hash: "h1" }, { oid: "a1" }];
    expect((await join([ann], lines)).hashes).toEqual(["h1"]);
  });

  test("and is refused as any hash that can't be used", async () => {
    const texts = {
      users: userLines([ann]),
      lines: passwordLines([
        { oid: "a1", hash: "h1" },
        { oid: "a1", hash: "h2" },
      ]),
    };
    await joined(newPath, texts, async (made) => {
      const [record] = await recordsOf(made);
      const verdict = normalizeHash(record?.hash ?? { kind: "text", text: "" }, {
        vendor: "auth0",
      });
      expect(verdict).toMatchObject({ verdict: "refused", code: "credential_ambiguous" });
      expect(JSON.stringify(verdict)).not.toMatch(/h1|h2/);
    });
  });
});

test("every user finds what a look at all lines at once would give them", async () => {
  const name = fc.constantFrom("a", "b", "c", "d");
  const email = fc.option(fc.constantFrom("a@example.com", "B@example.com", "b@example.com"), {
    nil: undefined,
  });
  const connection = fc.option(fc.constantFrom("main", "other"), { nil: undefined });
  const hash = fc.option(fc.constantFrom("h1", "h2", "h3"), { nil: undefined });
  const user = fc.record({
    ...{ id: name, email, connection },
    provider: fc.constantFrom("auth0", "auth0", "auth0", "sms"),
    hash: fc.option(fc.constant("own"), { nil: undefined, freq: 8 }),
  });
  const line = fc.record({
    oid: fc.option(name, { nil: undefined }),
    altId: fc.option(name, { nil: undefined, freq: 3 }),
    ...{ email, connection },
    hash,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(user, { minLength: 1, maxLength: 6 }),
      fc.array(line, { maxLength: 6 }),
      async (users, some) => {
        // One line at least is one; others name nobody or hold nothing.
        const lines: TestLine[] = [{ oid: "zz", hash: "h9" }, ...some];
        const { hashes, coverage } = await join(users, lines);
        const naive = joinNaively(users, lines);
        expect(hashes).toEqual(naive.hashes);
        expect(coverage).toEqual(naive.coverage);
      },
    ),
    { numRuns: 120 },
  );
});

/** The rules once more, over arrays. */
function joinNaively(
  users: readonly TestUser[],
  all: readonly TestLine[],
): Pick<Result, "hashes" | "coverage"> {
  const isLine = ({ oid, altId, email, hash }: TestLine): boolean =>
    (oid ?? altId ?? hash) !== undefined && (oid ?? altId ?? email) !== undefined;
  const lines = all.filter(isLine);
  const isSeeker = ({ provider = "auth0" }: TestUser): boolean => provider === "auth0";
  const byId = ({ id }: TestUser): TestLine[] =>
    lines.filter(({ oid, altId }) => oid === id || altId === id);
  const seekers = users.filter(isSeeker);
  const owned = new Set(seekers.flatMap(byId));
  const wanting = seekers.filter((user) => user.hash === undefined && byId(user).length === 0);
  const sameLogin = (one: TestUser | TestLine, other: TestUser | TestLine): boolean =>
    one.email !== undefined &&
    one.email.toLowerCase() === other.email?.toLowerCase() &&
    one.connection === other.connection;
  const used = new Set(owned);
  const answers = users.map((user) => {
    if (!isSeeker(user) || user.hash !== undefined) return user.hash ?? null;
    const own = byId(user);
    const free =
      own.length > 0 ? own : lines.filter((line) => sameLogin(user, line) && !owned.has(line));
    for (const line of free) used.add(line);
    const hashes = new Set(free.flatMap(({ hash }) => hash ?? []));
    const rivals = own.length > 0 ? 1 : wanting.filter((other) => sameLogin(user, other)).length;
    if (hashes.size === 0) return null;
    return hashes.size > 1 || rivals > 1 ? "ambiguous" : [...hashes].join("");
  });
  const seeking = answers.filter((_, index) => {
    const user = users[index];
    return user !== undefined && isSeeker(user) && user.hash === undefined;
  });
  return {
    hashes: answers,
    coverage: {
      lines: lines.length,
      unreadable: all.length - lines.length,
      users: seeking.length,
      matched: seeking.filter((answer) => answer !== null && answer !== "ambiguous").length,
      ambiguous: seeking.filter((answer) => answer === "ambiguous").length,
      unused: lines.length - used.size,
    },
  };
}

describe("what can be read only once", () => {
  test("is joined while it is read, by ids alone", async () => {
    const path = newPath("passwords.ndjson");
    writeFileSync(
      path,
      passwordLines([
        { oid: "a1", hash: "h1" },
        { oid: "65ff", email: "bob@example.com", ...MAIN, hash: "h2" },
      ]),
    );
    const users = userLines([{ id: "a1" }, { id: "b1", email: "bob@example.com", ...MAIN }]);
    async function* stdin(): AsyncGenerator<Buffer> {
      yield Buffer.from(users);
    }
    const passwords = await loadPasswordExport([path]);
    try {
      const inputs = await openInputs(["-"], { stdin: stdin() });
      const made = await joinPasswords(inputs, passwords);
      expect(made.coverage()).toMatchObject({ users: 0 });
      expect(made.findings.map(({ code }) => code)).toEqual(["input_doubtful"]);
      expect((await recordsOf(made)).map(hashOf)).toEqual(["h1", null]);
      expect(made.coverage()).toMatchObject({ users: 2, matched: 1, unused: 1 });
    } finally {
      passwords.close();
    }
  });
});

describe("the loading", () => {
  const before = process.env.TMPDIR;
  afterEach(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  });

  test("leaves no file that anybody could open, not even while it is used", async () => {
    const folder = newPath("private");
    mkdirSync(folder);
    const path = newPath("passwords.ndjson");
    writeFileSync(path, passwordLines([{ oid: "a1", hash: "h1" }]));
    process.env.TMPDIR = folder;
    const passwords = await loadPasswordExport([path]);
    expect(readdirSync(folder)).toEqual([]);
    expect(passwords.table.find("id a1")).toEqual([{ id: 1, hash: "h1" }]);
    passwords.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  test("counts lines that can't be read and keeps their numbers", async () => {
    const path = newPath("passwords.ndjson");
    writeFileSync(path, `${passwordLines([{ oid: "a1", hash: "h1" }])}{}\nnothing\n`);
    const passwords = await loadPasswordExport([path]);
    passwords.close();
    expect(passwords).toMatchObject({
      lines: 1,
      unreadable: {
        count: 2,
        rows: [
          { file: path, number: 2 },
          { file: path, number: 3 },
        ],
      },
    });
  });

  test("tells how far it is, and takes several files", async () => {
    const paths = ["a1", "a2"].map((oid) => {
      const path = newPath("passwords.ndjson");
      writeFileSync(path, passwordLines([{ oid, hash: "h1" }]));
      return path;
    });
    const told: [string, number][] = [];
    const onLines = (file: string, lines: number): void => void told.push([file, lines]);
    const passwords = await loadPasswordExport(paths, { onLines });
    expect(passwords.lines).toBe(2);
    expect(passwords.table.find("id a2")).toHaveLength(1);
    passwords.close();
    expect(told).toEqual(paths.map((path) => [path, 1]));
  });

  test("refuses a file without a line of a password export", async () => {
    const path = newPath("users.ndjson");
    writeFileSync(path, userLines([{ id: "a1", email: "ann@example.com" }]));
    await expect(loadPasswordExport([path])).rejects.toMatchObject({
      code: "input_unrecognized",
    });
  });
});

test("one export can be joined with inputs again and again", async () => {
  const users = userLines([{ id: "a1", email: "ann@example.com", ...MAIN }]);
  const line = { oid: "65ff", email: "ann@example.com", ...MAIN, hash: "h1" };
  await joined(newPath, { users, lines: passwordLines([line]) }, async (_first, passwords) => {
    const path = newPath("users.ndjson");
    writeFileSync(path, users);
    const anew = await joinPasswords(await openInputs([path]), passwords);
    expect((await recordsOf(anew)).map(hashOf)).toEqual(["h1"]);
    expect(anew.coverage()).toMatchObject({ users: 1, matched: 1, unused: 0 });
  });
});

test("ending the reading early ends that of the input", async () => {
  const users = userLines(Array.from({ length: 2000 }, (_, index) => ({ id: `u${index}` })));
  const lines = passwordLines([{ oid: "u1", hash: "h1" }]);
  await joined(newPath, { users, lines }, async ({ inputs }) => {
    for (const input of inputs) {
      for await (const items of input.read({})) {
        expect(items.length).toBeGreaterThan(0);
        break;
      }
      expect(await collect(input.read({ signal: AbortSignal.abort() }))).toEqual([]);
    }
  });
});

test("the first reading of the users tells how far it is, at most once a second", async () => {
  const path = newPath("users.ndjson");
  writeFileSync(path, userLines(Array.from({ length: 2000 }, (_, index) => ({ id: `u${index}` }))));
  const lines = newPath("passwords.ndjson");
  writeFileSync(lines, passwordLines([{ oid: "u1", hash: `$2b$10$${"a".repeat(53)}` }]));
  const passwords = await loadPasswordExport([lines]);
  let now = 0;
  const tick = (): number => {
    now += 400;
    return now;
  };
  const timing = { ...SYSTEM_TIMING, now: tick };
  const events: ProgressEvent[] = [];
  const onProgress = (event: ProgressEvent) => void events.push(event);
  await joinPasswords(await openInputs([path]), passwords, { timing, onProgress });
  passwords.close();
  expect(events.length).toBeGreaterThan(1);
  expect(events.length).toBeLessThan(now / 1000);
  expect(events.at(-1)).toMatchObject({ phase: "join", totalBytes: statSync(path).size });
  expect(events.at(-1)?.read).toBeGreaterThan(events[0]?.read ?? 0);
});
