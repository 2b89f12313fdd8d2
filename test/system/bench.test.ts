import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { ROOT } from "../laws/source-files.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const newPath = temporaryPaths();
const run = promisify(execFile);

/** So few users that nothing is measured, and everything is run. */
const TINY = {
  BENCH_ROUNDS: "1",
  BENCH_USERS: "300",
  BENCH_REMOTE_USERS: "300",
  BENCH_SCRIPT_USERS: "100",
  BENCH_LIMITED_USERS: "200",
  BENCH_SERVED_USERS: "250",
  BENCH_SHARDS: "2",
  BENCH_SHARD_USERS: "300",
  BENCH_GROWTH: "200,300",
  BENCH_GROWTH_ROUNDS: "1",
  BENCH_BRIDGE_USERS: "4",
  BENCH_BRIDGE_ITERATIONS: "1000",
  BENCH_PROFILE: "embedded",
  BENCH_PROFILE_USERS: "300",
};

async function bench(file: string, parameters: readonly string[], environment = {}) {
  const { PATH } = process.env;
  const options = { env: { PATH, ...environment }, maxBuffer: 2 ** 24 };
  const { stdout } = await run(
    process.execPath,
    [join(ROOT, "bench", file), ...parameters],
    options,
  );
  return stdout;
}

interface Result {
  readonly title: string;
  readonly sides?: readonly {
    readonly side: string;
    readonly usersPerSecond: { median: number };
  }[];
  readonly rows?: readonly { readonly cost: string }[];
  readonly checks?: readonly { readonly what: string; readonly median: number }[];
}

describe("the benchmark", () => {
  it("runs every side of the parts that are named, and ends with what --json holds", async () => {
    const file = newPath("figures.json");
    const parts = [
      "validate",
      "embedded",
      "accounts",
      "bridge",
      "remote",
      "growth",
      "shards",
      "profile",
    ];
    const stdout = await bench("run.js", ["--json", file, ...parts], TINY);
    const told = JSON.parse(readFileSync(file, "utf8"));
    expect(JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "")).toEqual(told);
    expect(told.machine).toMatchObject({ cores: expect.any(Number), cpu: expect.any(String) });
    expect(told.versions).toMatchObject({
      node: process.versions.node,
      sqlite: expect.stringMatching(/^3\./),
    });
    expect(Object.keys(told.results)).toEqual(parts);

    const results: Result[] = Object.values<Result[]>(told.results).flat();
    for (const { sides = [] } of results) {
      for (const { usersPerSecond } of sides) expect(usersPerSecond.median).toBeGreaterThan(0);
    }
    const sidesOf = (part: string): string[][] =>
      told.results[part].map(({ sides }: Result) => sides?.map(({ side }) => side));
    expect(sidesOf("validate")).toEqual([["validate", "csv-parse"]]);
    const [{ sides, checks }] = told.results.validate;
    const [ours, reference] = sides.map(
      ({ usersPerSecond }: { usersPerSecond: { median: number } }) => usersPerSecond.median,
    );
    expect(checks[0]).toMatchObject({ what: "validate / csv-parse", target: "at least 0.4" });
    expect(checks[0].median).toBeCloseTo(ours / reference, 1);
    expect(checks[0].isMet).toBe(checks[0].median >= 0.4);
    expect(sidesOf("embedded")).toEqual([
      ["store alone", "import", "store alone, passwords", "import --carry none"],
    ]);
    expect(sidesOf("remote")).toEqual([
      ["undici loop", "import", "today's script"],
      ["import", "today's script"],
      ["undici loop", "import"],
      ["undici loop", "import", "today's script"],
    ]);
    expect(sidesOf("growth")).toEqual(
      Array.from({ length: 2 }, () => ["store alone", "import", "validate", "resume"]),
    );
    expect(sidesOf("shards")).toEqual([
      ["split into 2 parts", "one process", "2 processes with a part each"],
    ]);
    expect(results.at(-2)?.rows?.map(({ cost }) => cost)).toContain("loading modules");
  });

  it("refuses a part that it doesn't have, and names those that it has", async () => {
    await expect(bench("run.js", ["throughput"])).rejects.toThrow(
      /no part is called throughput.*reading.*growth/,
    );
  });

  it("refuses a size that is none", async () => {
    const given = bench("run.js", ["validate"], { BENCH_USERS: "many" });
    await expect(given).rejects.toThrow(/BENCH_USERS must be a positive whole number/);
  });
});

/** A call tree of V8's, of functions by name and file, with the milliseconds spent in each. */
function profileOf(stacks: readonly (readonly [string, string, number])[][]) {
  const nodes: { id: number; callFrame: object; children: number[] }[] = [];
  const samples: number[] = [];
  const timeDeltas: number[] = [];
  for (const stack of stacks) {
    for (const [index, [functionName, url, milliseconds]] of stack.entries()) {
      const id = nodes.length + 1;
      if (index > 0) nodes.at(-1)?.children.push(id);
      nodes.push({ id, callFrame: { functionName, url }, children: [] });
      samples.push(id);
      timeDeltas.push(milliseconds * 1000);
    }
  }
  return { nodes, samples, timeDeltas };
}

it("a profile's table says for whom SQLite works, and gives what has no file to its caller", async () => {
  const libsql = "/x/node_modules/libsql/index.js";
  const [store, checkpoint] = ["core/embedded/sqlite/sqlite-store", "checkpoint/user-rows"];
  const file = newPath("CPU.20260101.101010.77.2.001.cpuprofile");
  const profile = profileOf([
    [
      ["", `file:///x/dist/${store}.js`, 0],
      ["attempt", "file:///x/dist/sqlite/driver.js", 0],
      ["run", libsql, 40],
    ],
    [
      ["admit", `file:///x/dist/${checkpoint}.js`, 0],
      ["get", libsql, 30],
    ],
    [
      ["normalize", "file:///x/dist/hash/normalize.js", 0],
      ["toString", "", 20],
    ],
    [["(garbage collector)", "", 10]],
    [["(idle)", "", 900]],
  ]);
  writeFileSync(file, JSON.stringify(profile));
  const [title = "", ...lines] = (await bench("profile.js", [file])).split("\n");
  expect(title).toContain("worker 2 10 % busy");
  const table = lines.filter((line) => /\d/.test(line));
  expect(table.slice(0, 4).map((line) => line.split(/ {2,}/))).toEqual([
    ["SQLite: write rows, embedded core", "worker 2", "40", "40"],
    ["SQLite: read rows, checkpoint", "worker 2", "30", "30"],
    ["judging records, contacts and hashes", "worker 2", "20", "20"],
    ["garbage collection", "worker 2", "10", "10"],
  ]);
});
