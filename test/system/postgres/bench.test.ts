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
  const { results } = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
  const some = { median: expect.toSatisfy((rate) => rate > 0) };
  // A ratio of so few users may be less than is told of it: the whole import counts, its start too.
  expect(results.postgres).toMatchObject([
    {
      sides: [
        { side: "unnest loop", usersPerSecond: some },
        { side: "import", usersPerSecond: some },
      ],
      checks: [{ what: "import / unnest loop", median: expect.any(Number) }, some],
    },
  ]);
});
