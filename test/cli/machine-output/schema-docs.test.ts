import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../../laws/source-files.js";
import { readSchemas } from "./schemas.js";

it("docs/json.md names every line that there is a schema of", () => {
  const page = readFileSync(join(ROOT, "docs/json.md"), "utf8");
  const types = Object.keys(readSchemas())
    .map((name) => name.replace(/^\w+-(?=summary)|-(?:accepted|refused|none)|\.json$/g, ""))
    .filter((type) => type !== "line");
  expect(types.length).toBeGreaterThan(20);
  expect(types.filter((type) => !page.includes(`\`${type}\``))).toEqual([]);
});
