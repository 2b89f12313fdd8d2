import { describe, expect, it } from "vitest";
import { CHECKPOINT_APPLICATION_ID, CHECKPOINT_MIGRATIONS } from "../../src/checkpoint/schema.js";
import { openReport } from "../../src/checkpoint/report-source.js";
import { SYSTEM_TIMING } from "../../src/calls/timing.js";
import type { Core } from "../../src/core/core.js";
import type { MigrationEvent } from "../../src/events/events.js";
import { makeReport } from "../../src/report/report.js";
import { recordCutover } from "../../src/run/cutover.js";
import { importUsers } from "../../src/run/import-users.js";
import { type Input, openInputs } from "../../src/source/inputs.js";
import { openForReading } from "../../src/sqlite/reading.js";
import { randomFrom } from "../support/random.js";
import { repeated } from "../support/repeated.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { edit, type Line, newUser, type Said, textOf } from "./support/random-exports.js";
import { type Migration, newMigration, type RunOptions } from "./support/run.js";

/** How many histories are played; each has data files of its own. */
const HISTORIES = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 9, full: 1000 });
/** So many to a test, which has a time of its own. */
const IN_A_TEST = 50;
const TESTS = Array.from({ length: Math.ceil(HISTORIES / IN_A_TEST) }, (_, index) => index);
const newPath = temporaryPaths();

/** How often progress is told and noted would depend on the machine. */
const NO_TIME = { ...SYSTEM_TIMING, now: () => 0 };

/** One run of a history: the files' texts and what is asked for. */
interface Step {
  readonly files: readonly { readonly name: string; readonly text: string }[];
  readonly policy: NonNullable<RunOptions["policy"]>;
  readonly cutsOver: boolean;
}

function historyOf(seed: number): Step[] {
  const random = randomFrom(seed);
  const oddity = random.pick([1000, 100, 20]);
  let number = 0;
  const fresh = (): Said => {
    number += 1;
    return newUser(random, number, oddity);
  };
  const lines: Line[] = Array.from({ length: 25 + random.below(60) }, fresh);
  let policy: Step["policy"] = random.pick([
    {},
    { keepIds: true },
    { carry: [] },
    { onUnusableHash: "passwordless" },
    { includeUnverified: true },
  ]);
  return Array.from({ length: 2 + random.below(3) }, (_, run): Step => {
    const edits = run === 0 ? random.below(4) : random.below(7);
    for (let count = 0; count < edits; count += 1) edit(lines, random, fresh);
    if (random.chance(1, 12)) policy = { ...policy, includeDisabled: random.chance(1, 2) };
    if (random.chance(1, 12)) policy = { ...policy, carry: [] };
    const cut = random.chance(1, 4) ? random.below(lines.length) : lines.length;
    const parts = [lines.slice(0, cut), lines.slice(cut)].filter((part) => part.length > 0);
    const ordered = random.chance(1, 4) ? parts.toReversed() : parts;
    const name = random.chance(1, 2) ? "export" : `export-${run}`;
    const files = ordered.map((part, index) => ({
      name: `${name}.${index}.csv`,
      text: textOf(part),
    }));
    return { files, policy, cutsOver: random.chance(1, 12) };
  });
}

/** The calls of a core, as they were made. */
function noting(core: Core, calls: string[]): Core {
  const note =
    <Given extends unknown[], Answer>(name: string, call: (...given: Given) => Answer) =>
    (...given: Given): Answer => {
      calls.push(`${name} ${JSON.stringify(given.filter((one) => typeof one === "object"))}`);
      return call(...given);
    };
  return {
    ...core,
    findUsers: note("find", core.findUsers),
    importUser: note("import", core.importUser),
    importAccount: note("account", core.importAccount),
    createCode: note("code", core.createCode),
    updateUser: note("update", core.updateUser),
  };
}

/** The input as of a source whose rows can't be left out, so that every row is read twice. */
function readWhole(input: Input): Input {
  return { ...input, source: { ...input.source, rowsStandAlone: false } };
}

/** One side of the comparison: the same history, with rows passed over or not. */
class Side {
  readonly #migration: Migration = newMigration(newPath);
  readonly #isWhole: boolean;
  /** How many rows were left out of a reading. */
  passed = 0;

  constructor(isWhole: boolean) {
    this.#isWhole = isWhole;
  }

  /** @returns all that a run tells, calls and leaves behind */
  async run({ files, policy, cutsOver }: Step): Promise<unknown> {
    const migration = this.#migration;
    const paths = files.map(({ name, text }) => migration.write(name, text));
    const inputs = (await openInputs(paths)).map((input) =>
      this.#isWhole ? readWhole(input) : this.#counting(input),
    );
    const calls: string[] = [];
    const events: MigrationEvent[] = [];
    const core = noting(migration.core, calls);
    const onEvent = (event: MigrationEvent): void => void events.push(event);
    const options = await migration.options([], { core, inputs, policy, onEvent, timing: NO_TIME });
    const ran = await importUsers(options).then(summaryOf, (error: unknown) => `${error}`);
    if (cutsOver) recordCutover(migration.checkpoint);
    const told = events.filter(({ type }) => type !== "progress").map(withoutLineOfFirst);
    const left = { users: await migration.users(), checkpoint: this.#checkpoint() };
    return this.#plain({ ran, told: sorted(told), calls: sorted(calls), ...left });
  }

  close(): Promise<void> {
    return this.#migration.close();
  }

  #counting(input: Input): Input {
    return {
      ...input,
      read: (run) => {
        for (const { rows } of run.leftOut ?? []) this.passed += rows;
        return input.read(run);
      },
    };
  }

  /** Without what is each side's own: its folder, and the ids and times of its core. */
  #plain(value: unknown): unknown {
    const folder = this.#migration.checkpoint.replace(/checkpoint$/, "");
    const text = JSON.stringify(value, withoutSamples).replaceAll(folder, "");
    return JSON.parse(
      text
        .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|"[0-9a-f]{32}"/g, (id) =>
          id.length === 34 ? '"an id"' : "an id",
        )
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "a time")
        .replaceAll(/"(timeJoined|elapsedMs|begunAt|writtenAt|beganMs|endedMs)":\d+/g, '"$1":0'),
    );
  }

  #checkpoint(): unknown {
    const path = this.#migration.checkpoint;
    const database = openForReading(path, {
      applicationId: CHECKPOINT_APPLICATION_ID,
      migrations: CHECKPOINT_MIGRATIONS,
    });
    const report = openReport(path);
    try {
      const tables = TABLES.map((sql) => database.prepare(sql).all());
      return { tables, made: makeReport(report) };
    } finally {
      report.close();
      database.close();
    }
  }
}

/** The line of a row before is told only until that row's user is written, which is a matter of time. */
function withoutLineOfFirst(event: MigrationEvent): MigrationEvent {
  if (event.type !== "finding" || event.code !== "contact_claimed_unverified") return event;
  return { ...event, rows: event.rows.map(({ file, number }) => ({ file, number })) };
}

/** They depend on the machine. */
function withoutSamples(name: string, value: unknown): unknown {
  return name === "samples" ? null : value;
}

/** What a checkpoint holds, without what is salted. */
const TABLES = [
  `SELECT u.id, f.path, number, state, saw_nobody, keyed, source_id, code, mapped, kind, scope, ranks,
     n."row", n.calls, email IS NULL, phone IS NULL FROM users u
     LEFT JOIN files f ON f.id = u.file LEFT JOIN notice_sets n ON n.id = u.notices ORDER BY u.id`,
  `SELECT f.path, number, run, type, code, hint, source_id, user, identity IS NULL
     FROM other_rows LEFT JOIN files f ON f.id = file ORDER BY f.path, number`,
  "SELECT f.path, number, line FROM row_lines LEFT JOIN files f ON f.id = file ORDER BY 1, 2",
  "SELECT user, kind, mark FROM contacts WHERE listed = 1 OR mark <> 0 ORDER BY 1, 2, 3",
  "SELECT run, topic, name, count FROM run_counts WHERE name <> 'total' ORDER BY 1, 2, 3",
  "SELECT run, place, code, count, hint FROM run_findings ORDER BY 1, 2",
  "SELECT run, place, algorithm, cost, length, count FROM run_hashes ORDER BY 1, 2",
] as const;

function sorted(values: readonly unknown[]): string[] {
  return values.map((value) => JSON.stringify(value)).sort();
}

function summaryOf(summary: object): object {
  return { ...summary, elapsedMs: 0 };
}

/** Plays a history on both sides. @returns how many rows were read once alone */
async function play(seed: number): Promise<number> {
  const [quick, whole] = [new Side(false), new Side(true)];
  for (const [index, step] of historyOf(seed).entries()) {
    const told = await quick.run(step);
    expect(told, `history ${seed}, run ${index + 1}`).toEqual(await whole.run(step));
  }
  await Promise.all([quick.close(), whole.close()]);
  expect(whole.passed).toBe(0);
  return quick.passed;
}

describe("rows that change nothing are read once, and a run", () => {
  it.each(TESTS)(
    "counts, tells, sends and notes the same as by two readings (%i)",
    async (test) => {
      let passed = 0;
      const last = Math.min(HISTORIES, (test + 1) * IN_A_TEST);
      for (let seed = test * IN_A_TEST; seed < last; seed += 1) passed += await play(seed);
      expect(passed).toBeGreaterThan(0);
    },
  );
});
