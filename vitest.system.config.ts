import { readdirSync, readFileSync } from "node:fs";
import { configDefaults, defineConfig } from "vitest/config";
import { compiledWorkers } from "./test/support/compiled-workers.js";
import { IN_FULL } from "./test/support/repeated.js";
import { leftOut } from "./test/system/support/require-programs.js";

const leftOutTests = leftOut();
/** Of `npm test`, those that do a few of what is done here in full. */
const counted = readdirSync("test", { recursive: true, encoding: "utf8" })
  .map((name) => `test/${name.replaceAll("\\", "/")}`)
  .filter((path) => path.endsWith(".test.ts") && readFileSync(path, "utf8").includes("repeated({"));

/** What needs programs beside Node.js, and what takes long: `npm run test:system`. */
export default defineConfig({
  plugins: [compiledWorkers],
  test: {
    include: ["test/system/**/*.test.ts", ...counted],
    exclude: [...configDefaults.exclude, ...leftOutTests],
    globalSetup: ["test/system/support/require-programs.ts"],
    env: { [IN_FULL]: "yes" },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
