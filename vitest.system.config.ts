import { defineConfig } from "vitest/config";

/** What needs programs beside Node.js: `npm run test:system`. */
export default defineConfig({
  test: {
    include: ["test/system/**/*.test.ts"],
    globalSetup: ["test/system/support/require-programs.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
