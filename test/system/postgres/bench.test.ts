import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { ROOT } from "../../laws/source-files.js";

const run = promisify(execFile);

it("the benchmark's part runs both sides, and says how they compare", async () => {
  const { PATH = "" } = process.env;
  const env = { PATH, BENCH_ROUNDS: "1", BENCH_POSTGRES_USERS: "300" };
  const { stdout } = await run(process.execPath, [join(ROOT, "bench/run.js"), "postgres"], { env });
  const { results }: { results: { postgres: { checks: { what: string; median: number }[] }[] } } =
    JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
  const [result] = results.postgres;
  const [ratio, rate] = result?.checks ?? [];
  expect(ratio?.what).toBe("import / unnest loop");
  expect(ratio?.median).toBeGreaterThan(0);
  expect(rate?.median).toBeGreaterThan(0);
});
