import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadVerbs } from "../../src/cli/program.js";
import { SOURCES } from "../../src/source/registry.js";
import { ROOT } from "./source-files.js";

const NAMES = SOURCES.map(({ name }) => name);

describe("every source", () => {
  it("has a name of its own, and comes before the generic ones unless it is one", () => {
    expect(new Set(NAMES).size).toBe(NAMES.length);
    const generic = SOURCES.map((source) => source.generic);
    expect([...generic].sort()).toEqual(generic);
  });

  it("has a folder of fixtures", () => {
    const without = NAMES.filter((name) => !existsSync(join(ROOT, "fixtures/sources", name)));
    expect(without).toEqual([]);
  });

  it("is named by the help of --from", async () => {
    const verbs = [...(await loadVerbs()).values()];
    const helps = verbs.flatMap(({ options }) => options.from?.help ?? []);
    const reading = helps.filter((help) => help.includes("export instead of"));
    expect(reading.length).toBeGreaterThan(2);
    for (const help of reading) expect(help.endsWith(`: ${NAMES.join(", ")}`)).toBe(true);
  });
});
