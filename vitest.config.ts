import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";
import { testedCode } from "./test/support/tested-code.js";
import { doesRepeat, inFull } from "./test/support/repeated.js";
import { inOrder } from "./test/support/test-order.js";

/** What looks at the memory or the timers of its process, or has a client that is one for a process. */
const MEASURED = [
  "events/timing",
  "run/event-stream",
  "cli/migrated-account",
  "cli/bridged-application",
].map((name) => `test/${name}.test.ts`);
/** What starts processes. To start one from a worker that has grown to a gigabyte takes 25 ms of processor time, and 7 from one of 200 MB, as it stays with these alone. */
const COMMANDS = ["cli", "docs", "recovery"].map((folder) => `test/${folder}/**/*.test.ts`);
/** How V8 runs what is short and many. */
const SHORT_LIVED = [
  // Room for objects that are soon garbage: 6 % less processor time than with half of it.
  "--max-semi-space-size=32",
  // A function is compiled for speed four times later than by default: most run too few times to pay it back. It saves a tenth. Later versions have no such option.
  ...(process.versions.node.startsWith("20.") ? ["--interrupt-budget=270000"] : []),
];
/** What needs more than Node.js has a configuration of its own. */
const ELSEWHERE = [...configDefaults.exclude, "test/system/**"];

export default defineConfig(({ mode }) => {
  const { plugins, server } = testedCode(mode);
  return {
    plugins,
    test: {
      server,
      globalSetup: ["test/support/memory-folder.ts"],
      setupFiles: ["test/support/end-processes.ts", "test/support/seed.ts"],
      // One more than there are processors, since a worker is idle a sixth of its time: it waits.
      maxWorkers: availableParallelism() + 1,
      sequence: { sequencer: inOrder((file) => (doesRepeat(file) ? 0 : 1)) },
      // A test waits for the working directory while another one has it; its time begins with its turn.
      maxConcurrency: 1,
      // Real servers, real files and real kills: a slow shared machine must not fail a right program.
      testTimeout: inFull ? 600_000 : 60_000,
      hookTimeout: inFull ? 600_000 : 60_000,
      // Half of it, so that what is waited for is told.
      expect: { poll: { timeout: inFull ? 300_000 : 30_000 } },
      projects: [
        { extends: true, test: { name: "measured", include: MEASURED } },
        // Files share a process, and so the modules that it has loaded: half of what a short one costs.
        {
          extends: true,
          test: {
            name: "commands",
            isolate: false,
            execArgv: SHORT_LIVED,
            include: COMMANDS,
            exclude: [...ELSEWHERE, ...MEASURED],
          },
        },
        {
          extends: true,
          test: {
            name: "shared",
            isolate: false,
            execArgv: SHORT_LIVED,
            include: ["test/**/*.test.ts"],
            exclude: [...ELSEWHERE, ...MEASURED, ...COMMANDS],
          },
        },
      ],
    },
  };
});
