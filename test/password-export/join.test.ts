import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import type { Part } from "../../src/events/shard.js";
import type { PasswordCoverage } from "../../src/events/summary.js";
import { loadPasswordExport } from "../../src/password-export/load-export.js";
import { DEFAULT_POLICY } from "../../src/plan/policy.js";
import { findUsers } from "../../src/prove/find-users.js";
import type { Input } from "../../src/source/inputs.js";
import { runs } from "../support/repeated.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import {
  hashNamed,
  type Joined,
  joinInputs,
  passwordLines,
  piped,
  type TestLine,
  type TestUser,
  userLines,
  withFiles,
} from "./support.js";

const newPath = temporaryPaths();
const MAIN = { connection: "main" };

type Result = Omit<Joined, "findings"> & { readonly findings: readonly string[] };

/** From files, by way of which all that is true of pipes as well is tried. */
function join(users: readonly TestUser[], lines: readonly TestLine[]): Promise<Result> {
  const texts = { users: userLines(users), lines: passwordLines(lines) };
  return withFiles(newPath, texts, async (inputs, passwords) => {
    const { findings, ...made } = await joinInputs(inputs, passwords);
    const fromPipe = await joinInputs(await piped(texts.users), passwords);
    expect(fromPipe).toMatchObject({ plans: made.plans, coverage: made.coverage });
    const codes = findings.map(({ code }) => code).filter((code) => code === "input_doubtful");
    expect(fromPipe.findings.filter(({ code }) => code === "input_doubtful")).toHaveLength(
      codes.length,
    );
    return { ...made, findings: codes };
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
    const users = [
      { id: "a1", email: "ann@example.com" },
      { id: "b1", email: "bob@example.com" },
    ];
    const { plans } = await join(users, [{ oid: "a1", hash: "h1" }]);
    const told = plans.map((plan) => "notices" in plan && plan.notices);
    expect(told).toEqual([
      expect.not.arrayContaining(["password_not_exported"]),
      expect.arrayContaining(["password_not_exported"]),
    ]);
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
    // The first one is left out.
    expect(hashes).toEqual([undefined, null]);
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
    const twice = ["h1", "h2"].map((hash) => ({ oid: "a1", hash }));
    const { plans } = await join([ann], twice);
    expect(plans).toMatchObject([{ kind: "reject", code: "credential_ambiguous" }]);
    expect(JSON.stringify(plans)).not.toContain("$2b$");
  });
});

test("every user finds what a look at all lines at once would give them", async () => {
  const name = fc.constantFrom("a", "b", "c", "d");
  const email = fc.option(fc.constantFrom("a@example.com", "B@example.com", "b@example.com"), {
    nil: undefined,
    freq: 8,
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
        for (const [index, hash] of hashes.entries()) {
          if (hash !== undefined) expect(hash).toBe(naive.hashes[index]);
        }
        expect(coverage).toEqual(naive.coverage);
      },
    ),
    { numRuns: runs(200) },
  );
});

/** The rules once more, over arrays. */
function joinNaively(
  users: readonly TestUser[],
  all: readonly TestLine[],
): { readonly hashes: readonly (string | null)[]; readonly coverage: PasswordCoverage } {
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

describe("a reading that is joined", () => {
  const users = [
    { id: "a1", email: "ann@example.com", ...MAIN },
    { id: "b1", email: "bob@example.com", ...MAIN },
  ];
  const texts = {
    users: userLines(users),
    lines: passwordLines([
      { oid: "a1", hash: "h1" },
      { oid: "65ff", email: "bob@example.com", ...MAIN, hash: "h2" },
    ]),
  };

  test("reads each input once", async () => {
    await withFiles(newPath, texts, async (inputs, passwords) => {
      let readings = 0;
      const counted = inputs.map((input) => ({
        ...input,
        read(...run: Parameters<Input["read"]>) {
          readings += 1;
          return input.read(...run);
        },
      }));
      expect((await joinInputs(counted, passwords)).hashes).toEqual(["h1", "h2"]);
      expect(readings).toBe(1);
    });
  });

  test("can be followed by another one of the same export, or by a proof", async () => {
    await withFiles(newPath, texts, async (inputs, passwords) => {
      const first = await joinInputs(inputs, passwords);
      expect(await joinInputs(inputs, passwords)).toEqual(first);
      const options = { policy: DEFAULT_POLICY, passwordExport: passwords };
      const names = ["bob@example.com", "ann@example.com", "nobody"];
      const found = await findUsers(inputs, names, options);
      const [bob, ann, nobody] = found.map((user) => user?.record.hash);
      expect([bob, ann]).toEqual(
        ["h2", "h1"].map((name) => ({ kind: "text", text: hashNamed(name) })),
      );
      expect(nobody).toBeUndefined();
    });
  });

  test("of a part looks for nobody by email, and says so", async () => {
    const part: Part = { index: 0, count: 2, exportRows: 4, split: "ab".repeat(32) };
    await withFiles(newPath, texts, async (inputs, passwords) => {
      const { hashes, coverage, findings } = await joinInputs(inputs, passwords, part);
      expect(hashes).toEqual(["h1", null]);
      expect(coverage).toMatchObject({ users: 2, matched: 1, unused: 1 });
      expect(findings.filter(({ code }) => code === "input_doubtful")).toMatchObject([
        { count: 1, rows: [{ number: 2 }], hint: expect.stringMatching(/another part/) },
      ]);
    });
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
    expect(passwords.table.find("id a1")).toEqual([{ id: 1, hash: hashNamed("h1") }]);
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
