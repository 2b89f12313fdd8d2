import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { SYSTEM_TIMING } from "../../src/events/timing.js";
import type { MigrationEvent } from "../../src/events/events.js";
import type { GivenValidation } from "../../src/run/defaults.js";
import { importUsers } from "../../src/run/import-users.js";
import { validateUsers } from "../../src/run/validate-users.js";
import type { Input } from "../../src/source/inputs.js";
import { type Random, randomFrom } from "../support/random.js";
import { repeated } from "../support/repeated.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { edit, type Line, newUser, textOf } from "./support/random-exports.js";
import { opened, WAYS, withoutPlaces } from "./support/opened-once.js";
import { newMigration } from "./support/run.js";

const EXPORTS = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 15, full: 500 });
const newPath = temporaryPaths();

/** How often progress is told would depend on the machine. */
const NO_TIME = { ...SYSTEM_TIMING, now: () => 0 };

type Policy = NonNullable<GivenValidation["policy"]>;

const POLICIES: readonly Policy[] = [
  {},
  {},
  { keepIds: true },
  { carry: [] },
  { onUnusableHash: "passwordless" },
  { include: ["unverified"] },
  { include: ["disabled"] },
];

/** What is validated. */
interface Export {
  readonly files: Readonly<Record<string, string>>;
  readonly policy: Policy;
  readonly namespace: string;
}

function exportOf(random: Random): Export {
  const oddity = random.pick([1000, 100, 20, 5]);
  let number = 0;
  const fresh = () => {
    number += 1;
    return newUser(random, number, oddity);
  };
  const lines: Line[] = Array.from({ length: 10 + random.below(80) }, fresh);
  const edits = random.pick([0, 0, 1, 4, 20]);
  for (let count = 0; count < edits; count += 1) edit(lines, random, fresh);
  for (let rivals = random.pick([0, 0, 0, 3]); rivals > 0; rivals -= 1) {
    const id = random.pick(["", `rival-${rivals}`]);
    const verified = random.pick(["true", "false", ""]);
    const rival = { ...newUser(random, 1 + random.below(number), oddity), id, verified };
    lines.splice(random.below(lines.length), 0, rival);
  }
  const cut = random.chance(1, 3) ? random.below(lines.length) : lines.length;
  const files: Record<string, string> = { "users.csv": textOf(lines.slice(0, cut)) };
  if (cut < lines.length) files["more-users.csv"] = textOf(lines.slice(cut));
  if (random.chance(1, 6)) files["others.json"] = jsonOf(fresh, random);
  return { files, policy: random.pick(POLICIES), namespace: random.pick(["", "shop"]) };
}

/** A document, cut off now and then. */
function jsonOf(fresh: () => object, random: Random): string {
  const text = JSON.stringify([fresh(), fresh(), fresh()]);
  return random.chance(1, 2) ? text : text.slice(0, -20);
}

/** All that a run tells, in its order, and how it ends. */
async function toldBy(
  work: (given: Pick<GivenValidation, "inputs" | "timing" | "onEvent">) => Promise<unknown>,
  inputs: readonly Input[],
): Promise<unknown> {
  const events: MigrationEvent[] = [];
  const onEvent = (event: MigrationEvent): void => void events.push(event);
  const ended = await work({ inputs, timing: NO_TIME, onEvent }).catch(
    (error: unknown) => `${error}`,
  );
  return { events: JSON.parse(JSON.stringify(events)), ended: JSON.parse(JSON.stringify(ended)) };
}

describe("an export that is read once", () => {
  it("means the same as a file, gzipped and out of a pipe, in a dry run and an import", async () => {
    for (let seed = 0; seed < EXPORTS; seed += 1) {
      const { files, ...options } = exportOf(randomFrom(seed));
      const runs = await Promise.all(
        WAYS.map(async (way) => {
          const migration = newMigration(newPath);
          const folder = newPath("export");
          mkdirSync(folder);
          const inputs = () => opened(files, folder, way);
          const dry = await toldBy(
            (given) => validateUsers({ ...given, ...options }),
            await inputs(),
          );
          const given = await migration.options([]);
          const run = await toldBy(
            (more) => importUsers({ ...given, ...more, ...options }),
            await inputs(),
          );
          const users = await migration.users();
          await migration.close();
          const there = users.map(({ email, phoneNumber }) => [email, phoneNumber]);
          return withoutPlaces({ dry, run, there }, [dirname(migration.checkpoint), folder]);
        }),
      );
      const [file, ...others] = runs;
      for (const other of others) expect(other, `export ${seed}`).toEqual(file);
    }
  });
});
