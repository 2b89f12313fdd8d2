import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { RunError } from "../../src/errors/run-error.js";
import type { Finding, MigrationEvent } from "../../src/events/events.js";
import { VENDORS } from "../../src/hash/vendors.js";
import { validateUsers } from "../../src/run/validate-users.js";
import { openInputs } from "../../src/source/inputs.js";
import { SOURCES } from "../../src/source/registry.js";
import { fixturesOf } from "../source/fixtures.js";
import { tried } from "../support/repeated.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { bcryptOf } from "./support/hashes.js";
import { csvOf, type Migration, newMigration } from "./support/run.js";

const newPath = temporaryPaths();
const SYSTEMS = SOURCES.filter(({ generic }) => !generic);
const NAMES = [...new Set([...SYSTEMS, ...VENDORS].map(({ name }) => name))];
const ROWS = [1, 2, 3].map((n) => ({
  id: `m-${n}`,
  email: `member.${n}@example.com`,
  hash: bcryptOf(n),
}));
const HOME_MADE = {
  "members.csv": csvOf(ROWS),
  "members.json": JSON.stringify(ROWS.map(({ hash, ...row }) => ({ ...row, password_hash: hash }))),
};

/** What a dry run says of a file of nobody's form that is named as a vendor's: how many hashes would be sent, and the findings; null where it is refused. */
async function dryRun({ options }: Migration, file: string, from: string) {
  const findings: Finding[] = [];
  const onEvent = (event: MigrationEvent): void => {
    if (event.type === "finding") findings.push(event);
  };
  try {
    const inputs = await openInputs([file], { from });
    const { ready } = await validateUsers(await options([], { inputs, onEvent }));
    return { sent: ready.import, findings };
  } catch (error) {
    if (error instanceof RunError) return null;
    throw error;
  }
}

it("a file without a vendor's marks keeps its doubts, whatever vendor --from names", async () => {
  const migration = newMigration(newPath);
  const silent: string[] = [];
  let told = 0;
  for (const [name, text] of Object.entries(HOME_MADE)) {
    const file = newPath(name);
    writeFileSync(file, text);
    for (const from of tried(NAMES, 16)) {
      const said = await dryRun(migration, file, from);
      if (said === null || said.sent === 0) continue;
      const doubt = said.findings.find(({ code }) => code === "prehash_possible");
      if (doubt?.count === 3 && doubt.hint.includes("--from")) told += 1;
      else silent.push(`${name} as ${from}`);
    }
  }
  expect(silent).toEqual([]);
  expect(told).toBeGreaterThan(8);
});

it("a file that is recognized needs no word", async () => {
  for (const source of SYSTEMS) {
    for (const { path, options } of fixturesOf(source)) {
      const found = await openInputs([path], { map: options.map }).catch(() => []);
      if (found[0]?.source !== source) continue;
      const inputs = await openInputs([path], { from: source.name, map: options.map });
      expect(inputs.map(({ onWord }) => onWord)).toEqual([false]);
    }
  }
});
