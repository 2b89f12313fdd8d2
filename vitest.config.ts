import { configDefaults, defineConfig } from "vitest/config";
import { compiledWorkers } from "./test/support/compiled-workers.js";

export default defineConfig({
  plugins: [compiledWorkers],
  test: {
    include: ["test/**/*.test.ts"],
    // What needs more than Node.js has a configuration of its own.
    exclude: [...configDefaults.exclude, "test/system/**"],
    // By default one processor is left idle, and on two that doubles the time.
    maxWorkers: "100%",
    // Real servers, real files and real kills: a slow shared machine must not fail a right program.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
