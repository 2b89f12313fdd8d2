import { fstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { rowOf } from "../../src/errors/place.js";
import { planItem } from "../../src/stage/plan-row.js";
import { ALL_OFFERED, carriedBy } from "../../src/plan/carried.js";
import { createDigester } from "../../src/plan/digests.js";
import { DEFAULT_POLICY } from "../../src/plan/policy.js";
import { SOURCES } from "../../src/source/registry.js";
import type { Source, SourceItem } from "../../src/source/source.js";
import { Stage } from "../../src/stage/stage.js";
import type { StagedRow } from "../../src/stage/staged-row.js";
import { HASH_CONFIG } from "../hash/support/vendor-hashes.js";
import { inputOf } from "../run/support/batches.js";
import { email, planningContext, record, planAlone } from "../run/support/records.js";
import { fixturesOf } from "../source/fixtures.js";
import { collect } from "../source/support.js";
import { runs } from "../support/repeated.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const newPath = temporaryPaths();
const digester = createDigester("salt");
const POLICY = { ...DEFAULT_POLICY, onUnusableHash: "bridge", keepIds: true } as const;
const context = {
  ...planningContext(digester),
  policy: POLICY,
  hashConfig: HASH_CONFIG,
  carried: carriedBy(POLICY, ALL_OFFERED),
};

function newStage(): Stage {
  const folder = newPath("stage");
  mkdirSync(folder);
  const stage = new Stage(folder);
  onTestFinished(() => stage.close());
  return stage;
}

function staged(file: string, items: readonly SourceItem[]) {
  return items.map((item) => {
    if (item.kind === "truncated") return null;
    const row = rowOf(file, item);
    if (item.kind === "record") return planAlone(item.record, row, context);
    return planItem(item, row, context);
  });
}

/** The rows of a fixture, with all that is theirs. */
function itemsOf(source: Source, fixture: ReturnType<typeof fixturesOf>[number]) {
  const { path, bytes, options } = fixture;
  async function* whole() {
    yield bytes;
  }
  return collect(source.read(path, whole(), { ...options, keepsRaw: true, keepsAccount: "all" }));
}

function takeAll(
  stage: Stage,
  input: Parameters<Stage["take"]>[0],
  items: readonly SourceItem[],
  users: readonly Parameters<Stage["take"]>[2][],
): void {
  for (const [at, item] of items.entries()) stage.take(input, item, users[at] ?? null);
}

const rowsOf = (pages: Iterable<readonly StagedRow[]>): StagedRow[] => [...pages].flat();

/** The files without a name that this process has open. */
function openScratch(): string[] {
  return readdirSync("/proc/self/fd").flatMap((name) => {
    try {
      const path = `/proc/self/fd/${name}`;
      return readlinkSync(path).endsWith("/scratch (deleted)") ? [path] : [];
    } catch {
      return [];
    }
  });
}

describe("the stage", () => {
  it.each(SOURCES.map((source) => [source.name, source] as const))(
    "hands back every row of %s as it was read and planned",
    async (_name, source) => {
      for (const fixture of fixturesOf(source)) {
        const { path } = fixture;
        const items = await itemsOf(source, fixture);
        const users = staged(path, items);
        const input = inputOf(path, [], [1]);
        const stage = newStage();
        takeAll(stage, input, items, users);
        stage.settle(digester);
        const rows = rowsOf(stage.read(input)).map(({ among: _among, ...row }) => row);
        expect(rows.map(({ user }) => user)).toEqual(users);
        for (const [at, { raw, user: _user, ...row }] of rows.entries()) {
          const item = items[at];
          expect({ code: "", hint: "", ...item }).toMatchObject(row);
          if (item?.kind !== "truncated") expect(raw?.()).toEqual(item?.raw?.());
        }
      }
    },
  );

  /** The rows of a stage in which some were planned after all were read, some of these in the second turn. */
  function rowsWith(
    path: string,
    items: readonly SourceItem[],
    waits: (at: number) => boolean,
  ): unknown[] {
    const stage = newStage();
    const users = staged(path, items);
    const taken = items.map((item, at) =>
      item.kind === "record" && waits(at)
        ? { record: item.record, verdict: null }
        : (users[at] ?? null),
    );
    const input = inputOf(path, [], [1]);
    takeAll(stage, input, items, taken);
    stage.planWaiting((_input, row, waiting) =>
      row.number % 3 === 0 ? waiting : planAlone(waiting.record, row, context),
    );
    stage.planWaiting((_input, row, { record }) => planAlone(record, row, context));
    stage.settle(digester);
    return rowsOf(stage.read(input)).map(({ raw, ...row }) => ({ ...row, text: raw?.() }));
  }

  it.each(SOURCES.map((source) => [source.name, source] as const))(
    "hands back rows of %s that waited as if they had been planned at once",
    async (_name, source) => {
      for (const fixture of fixturesOf(source)) {
        const { path } = fixture;
        const items = await itemsOf(source, fixture);
        const atOnce = rowsWith(path, items, () => false);
        expect(rowsWith(path, items, (at) => at % 2 === 0)).toEqual(atOnce);
      }
    },
  );

  it("says of rows that waited what it says of all others, whichever they are", () => {
    const items = Array.from({ length: 1300 }, (_, index) => ({
      kind: "record" as const,
      number: index + 1,
      // Each is another's duplicate.
      record: record({
        sourceId: `r-${index % 650}`,
        email: email(`ann-${index % 650}@example.com`),
      }),
    }));
    const atOnce = rowsWith("a.csv", items, () => false);
    const bools = fc.array(fc.boolean(), { minLength: 7, maxLength: 11 });
    const rows = fc.record({ pattern: bools, from: fc.nat(1300), to: fc.nat(1300) });
    fc.assert(
      fc.property(rows, ({ pattern, from, to }) => {
        const waits = (at: number) =>
          at >= from && at <= to && pattern[at % pattern.length] === true;
        expect(rowsWith("a.csv", items, waits)).toEqual(atOnce);
      }),
      { numRuns: runs(8), examples: [[{ pattern: [true], from: 0, to: 1300 }]] },
    );
  });

  it("hands out the rows that are asked for, of the input that is asked for", () => {
    const first = inputOf("a.csv", [], [1]);
    const second = { ...first };
    const items = Array.from({ length: 1700 }, (_, index) => ({
      kind: "record" as const,
      number: index + 1,
      record: record({ sourceId: `r-${index + 1}` }),
    }));
    const stage = newStage();
    takeAll(stage, first, items, staged("a.csv", items));
    takeAll(stage, second, items.slice(0, 3), staged("a.csv", items.slice(0, 3)));
    stage.settle(digester);
    const numbers = items.map(({ number }) => number);
    const found = (...given: Parameters<typeof stage.read>): number[] =>
      rowsOf(stage.read(...given)).map(({ number }) => number);
    expect(found(second)).toEqual([1, 2, 3]);
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 1800 }), { maxLength: 6 }), (some) => {
        const chosen = new Set(some);
        expect(found(first, { only: chosen })).toEqual(numbers.filter((one) => chosen.has(one)));
        const others = numbers.filter((one) => !chosen.has(one));
        expect(found(first, { allBut: chosen })).toEqual(others);
      }),
      { numRuns: 20 },
    );
  });

  it.runIf(process.platform === "linux")("has no name and shows no contact, id or hash", () => {
    const before = openScratch();
    const stage = newStage();
    const secrets = ["ada.canary@example.com", "+15550100777", "canary-id", "canaryhash"];
    const [email = "", phone = "", sourceId = "", hash = ""] = secrets;
    const items = Array.from({ length: 600 }, (_, index) => ({
      kind: "record" as const,
      number: index + 1,
      record: record({
        sourceId,
        email: { value: email, verified: true },
        phone: { value: phone, verified: true },
        hash: { kind: "text", text: hash },
      }),
    }));
    takeAll(stage, inputOf("a.csv", [], [1]), items, staged("a.csv", items));
    const [file = ""] = openScratch().filter((path) => !before.includes(path));
    const bytes = readFileSync(file);
    expect(bytes.length).toBeGreaterThan(30_000);
    for (const secret of secrets) expect(bytes.includes(secret)).toBe(false);
    const { mode, nlink } = fstatSync(Number(file.split("/").at(-1)));
    expect([mode & 0o777, nlink]).toEqual([0o600, 0]);
  });
});
