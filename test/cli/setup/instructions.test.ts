import { expect, it } from "vitest";
import { importCommandOf } from "../../../src/cli/setup/instructions.js";
import type { Answers } from "../../../src/cli/setup/steps.js";
import { valuesOf } from "./support/ask.js";

it("the import is told what is read of a database, which no configuration is for other files", () => {
  const answers = {
    look: { inputs: [{ path: "postgres://reader@db/app" }] },
    core: { kind: "embedded", data: "auth-core.db" },
    options: {},
    mapping: null,
  } as unknown as Answers;
  const places = { config: "auth-migrate.config.json", coreConfig: "auth-core.yaml" };
  const values = valuesOf({ table: "app.members", inputPasswordFile: "reader.txt" });
  expect(importCommandOf(answers, places, values)).toBe(
    "auth-migrate import postgres://reader@db/app --table app.members --input-password-file reader.txt",
  );
});
