import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SYSTEM_TIMING } from "../../src/calls/timing.js";
import type { MigrationEvent } from "../../src/events/events.js";
import type { GivenValidation } from "../../src/run/defaults.js";
import { validateUsers } from "../../src/run/validate-users.js";
import { type Input, openInputs } from "../../src/source/inputs.js";
import { type Random, randomFrom } from "../support/random.js";
import { repeated } from "../support/repeated.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { edit, type Line, newUser, textOf } from "./support/random-exports.js";
import { csvOf } from "./support/run.js";

const EXPORTS = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 60, full: 1000 });
const newPath = temporaryPaths();

/** How often progress is told would depend on the machine. */
const NO_TIME = { ...SYSTEM_TIMING, now: () => 0 };

/** A limit that no export reaches: with any limit, all rows are read a second time. */
const READ_TWICE = { limit: Number.MAX_SAFE_INTEGER };

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

/** All that a dry run tells, in its order, and how often its files were read. */
async function validating(
  { files, policy, namespace }: Export,
  options: Pick<GivenValidation, "limit" | "timing"> = {},
): Promise<{ readonly told: unknown; readonly readings: number }> {
  const folder = newPath("export");
  mkdirSync(folder);
  const paths = Object.entries(files).map(([name, text]) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  });
  let readings = 0;
  const counting = (input: Input): Input => ({
    ...input,
    read(run) {
      readings += 1;
      return input.read(run);
    },
  });
  const inputs = (await openInputs(paths)).map(counting);
  const events: MigrationEvent[] = [];
  const onEvent = (event: MigrationEvent): void => void events.push(event);
  const given = { inputs, policy, namespace, timing: NO_TIME, onEvent, ...options };
  const ended = await validateUsers(given).catch((error: unknown) => `${error}`);
  const told = JSON.parse(JSON.stringify({ events, ended }).replaceAll(folder, "folder"));
  return { told, readings: readings / inputs.length };
}

describe("a dry run that reads its files once", () => {
  it("tells the same in the same order as by two readings", async () => {
    const readings: number[] = [];
    for (let seed = 0; seed < EXPORTS; seed += 1) {
      const given = exportOf(randomFrom(seed));
      const once = await validating(given);
      const twice = await validating(given, READ_TWICE);
      expect(once.told, `export ${seed}`).toEqual(twice.told);
      readings.push(once.readings);
    }
    // Beside the look at the start of each file.
    expect(readings).toEqual(expect.arrayContaining([2, 3]));
  });

  it("tells the progress of that reading alone", async () => {
    let now = 0;
    const timing = {
      ...SYSTEM_TIMING,
      now() {
        now += 1000;
        return now;
      },
    };
    const rows = [{ id: "ada", email: "ada@example.com" }, { id: "nobody" }];
    const given = { files: { "users.csv": csvOf(rows) }, policy: {}, namespace: "" };
    const { told, readings } = await validating(given, { timing });
    expect(readings).toBe(2);
    expect(told).toMatchObject({ ended: { rejected: 1 } });
    const { events } = told as { readonly events: readonly MigrationEvent[] };
    const phases = events.flatMap((event) => (event.type === "progress" ? event.phase : []));
    expect(new Set(phases)).toEqual(new Set(["census"]));
  });

  it("reads them a second time where a contact is contested", async () => {
    const email = "ceo@example.com";
    const stranger = { id: "1", email, emailVerified: "false" };
    const owner = { id: "2", email, emailVerified: "true" };
    const users = (...rows: Parameters<typeof csvOf>[0]) => ({
      files: { "users.csv": csvOf(rows) },
      policy: { include: ["unverified"] } as const,
      namespace: "",
    });
    expect((await validating(users(stranger, owner))).readings).toBe(3);
    expect((await validating(users(stranger, { ...owner, emailVerified: "false" }))).readings).toBe(
      2,
    );
  });

  it.each([
    [10_000, 2],
    [10_001, 3],
  ])("keeps %i refusals until their end (%i readings with the look)", async (refused, expected) => {
    const nobody = Array.from({ length: refused }, (_, index) => ({ id: `u-${index}` }));
    const given = {
      files: { "users.csv": csvOf([...nobody, { id: "ada", email: "ada@example.com" }]) },
      policy: {},
      namespace: "",
    };
    const once = await validating(given);
    expect(once.readings).toBe(expected);
    expect(once.told).toEqual((await validating(given, READ_TWICE)).told);
  });
});
