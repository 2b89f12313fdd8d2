import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CORE_CONFIG_FIELDS } from "../../src/cli/core-config.js";
import { DIALECTS } from "../../src/core/dialect.js";
import { ROUTES } from "../../src/core/http/routes.js";
import { ROOT } from "./source-files.js";

const CORE = page("core/README.md");
const CONFIG = page("core/config.md");

function page(name: string): string {
  return readFileSync(join(ROOT, "docs", name), "utf8");
}

/** What the rows of a page's tables begin with, of those that are in code style. */
function rowsOf(text: string): string[] {
  return [...text.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = ""]) => name);
}

describe("docs/core/README.md", () => {
  it("has every endpoint with its method, and no other", () => {
    const served = ROUTES.map(({ method, path }) => `${method} ${path}`);
    expect(served.length).toBeGreaterThan(10);
    const tables = CORE.match(/^\| .*/gm)?.join("\n") ?? "";
    const endpoints = [...tables.matchAll(/`([A-Z]+ \/[^`]+)`/g)].map(([, name]) => name);
    expect(endpoints.sort()).toEqual([...served, "GET /hello"].sort());
  });

  it("has every name in which dialects differ", () => {
    const names = Object.values(DIALECTS).flatMap(({ name, userIdFields, ...rest }) => [
      `--dialect ${name}`,
      ...[rest.vendorScrypt, rest.signerKeyField, ...userIdFields],
    ]);
    expect(names.filter((name) => !CORE.includes(`\`${name}\``))).toEqual([]);
  });
});

describe("docs/core/config.md", () => {
  it("has every field once, and no other", () => {
    expect(rowsOf(CONFIG).sort()).toEqual([...CORE_CONFIG_FIELDS].sort());
  });
});
