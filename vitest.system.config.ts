import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";
import { testedCode } from "./test/support/tested-code.js";
import { inOrder } from "./test/support/test-order.js";
import { leftOut } from "./test/system/support/require-programs.js";

const leftOutTests = leftOut();
/** What takes minutes, the longest first. */
const LONG = [
  "crash-points",
  "slurm",
  "postgres/processes",
  "postgres/restart",
  "packed",
  "deploy",
].map((name) => `test/system/${name}.test.ts`);
/** The place in that list; behind it where it isn't there. */
function rankOf(file: string): number {
  const place = LONG.findIndex((path) => file.endsWith(path));
  return place < 0 ? LONG.length : place;
}

/** What needs programs beside Node.js: the first half of `npm run test:system`. */
export default defineConfig(({ mode }) => {
  const { plugins, server } = testedCode(mode);
  return {
    plugins,
    test: {
      server,
      include: ["test/system/**/*.test.ts"],
      exclude: [...configDefaults.exclude, ...leftOutTests],
      passWithNoTests: leftOutTests.length > 0,
      globalSetup: ["test/system/support/require-programs.ts"],
      setupFiles: ["test/support/end-processes.ts"],
      sequence: { sequencer: inOrder(rankOf) },
      // Clusters, databases and terminals are waited for.
      maxWorkers: availableParallelism() + 1,
      // Each test is bounded by this alone: others load the machine, at a tenth of its speed.
      testTimeout: 600_000,
      hookTimeout: 600_000,
      expect: { poll: { timeout: 300_000 } },
    },
  };
});
