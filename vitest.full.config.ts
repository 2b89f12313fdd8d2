import { readdirSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { testedCode } from "./test/support/tested-code.js";
import { doesRepeat, IN_FULL } from "./test/support/repeated.js";

/** Of `npm test`, those that do a few of what is done here in full. */
const counted = readdirSync("test", { recursive: true, encoding: "utf8" })
  .map((name) => `test/${name.replaceAll("\\", "/")}`)
  .filter((path) => path.endsWith(".test.ts") && doesRepeat(path));

/** What `npm test` does a few times, in numbers: the second half of `npm run test:system`. */
export default defineConfig(({ mode }) => {
  const { plugins, server } = testedCode(mode);
  return {
    plugins,
    test: {
      server,
      include: counted,
      isolate: false,
      globalSetup: ["test/support/memory-folder.ts"],
      env: { [IN_FULL]: "yes" },
      setupFiles: ["test/support/end-processes.ts", "test/support/seed.ts"],
      maxWorkers: "100%",
      maxConcurrency: 1,
      testTimeout: 600_000,
      hookTimeout: 600_000,
      expect: { poll: { timeout: 300_000 } },
    },
  };
});
