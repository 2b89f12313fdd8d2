import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { temporaryPaths } from "../support/temporary-folder.js";
import { played } from "./support/histories.js";
import { newMigration } from "./support/run.js";

const newPath = temporaryPaths();
const FOLDER = new URL("histories/", import.meta.url);

/** Each history: a line with its title behind `#`, and its steps, each with what became of it. */
describe.each(readdirSync(FOLDER))("%s", (file) => {
  const [, ...histories] = readFileSync(new URL(file, FOLDER), "utf8").split(/^# /m);
  const titled = histories.map((text) => text.trimEnd().split(/\n(.*)/s) as [string, string]);
  it.each(titled)("%s", async (_title, steps) => {
    expect(await played(newMigration(newPath), steps)).toBe(steps);
  });
});
