/** One side of a comparison: a history of runs, of which one side reads fewer rows than the other. All that a run tells, calls and leaves behind has to be the same. */

import {
  CHECKPOINT_APPLICATION_ID,
  CHECKPOINT_MIGRATIONS,
} from "../../../src/checkpoint/schema.js";
import { rowColumns } from "../../../src/checkpoint/row-places.js";
import { openReport } from "../../../src/checkpoint/report-source.js";
import { SYSTEM_TIMING } from "../../../src/calls/timing.js";
import type { Core } from "../../../src/core/core.js";
import type { MigrationEvent } from "../../../src/events/events.js";
import type { InspectionSizes } from "../../../src/inspect/inspection.js";
import { makeReport } from "../../../src/report/report.js";
import { recordCutover } from "../../../src/run/cutover.js";
import { importUsers } from "../../../src/run/import-users.js";
import { type Input, openInputs } from "../../../src/source/inputs.js";
import type { Database } from "../../../src/sqlite/database.js";
import { openForReading } from "../../../src/sqlite/reading.js";
import { type Migration, newMigration, type RunOptions } from "./run.js";

/** How often progress is told and noted would depend on the machine. */
const NO_TIME = { ...SYSTEM_TIMING, now: () => 0 };

/** One run of a history: the files' texts and what is asked for. */
export interface Step {
  readonly files: readonly { readonly name: string; readonly text: string }[];
  readonly policy: NonNullable<RunOptions["policy"]>;
  readonly cutsOver: boolean;
  /** When the files are read, in epoch milliseconds; the time that it is by default. */
  readonly now?: number;
  /** How much an inspection remembers. */
  readonly sizes?: InspectionSizes;
}

/** Which rows are read: all twice; those that change nothing once; or of known pieces none. */
export type Reading = "twice" | "once" | "changed";

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

export class Side {
  readonly #migration: Migration;
  readonly #reading: Reading;
  /** How many rows were left out of a second reading. */
  passed = 0;
  /** How many rows were left out of a first reading. */
  known = 0;
  /** How many of these weren't compared either. */
  uncompared = 0;
  /** How often its inputs were read. */
  readings = 0;

  /** @param newPath from `temporaryPaths` */
  constructor(reading: Reading, newPath: (name: string) => string) {
    this.#reading = reading;
    this.#migration = newMigration(newPath);
  }

  /** @returns all that a run tells, calls and leaves behind */
  async run({ files, policy, cutsOver, now, sizes }: Step): Promise<{ readonly told: string[] }> {
    const migration = this.#migration;
    const paths = files.map(({ name, text }) => migration.write(name, text));
    const opened = await openInputs(paths, now === undefined ? {} : { now });
    const inputs = opened.map((input) =>
      this.#reading === "twice" ? readWhole(input) : this.#counting(input),
    );
    const calls: string[] = [];
    const events: MigrationEvent[] = [];
    const core = noting(migration.core, calls);
    const onEvent = (event: MigrationEvent): void => void events.push(event);
    const readAllRows = this.#reading !== "changed";
    const given = { core, inputs, policy, onEvent, readAllRows, sizes, timing: NO_TIME };
    const options = await migration.options([], given);
    const ran = await importUsers(options).then(summaryOf, (error: unknown) => `${error}`);
    if (cutsOver) recordCutover(migration.checkpoint);
    const told = events.filter(({ type }) => type !== "progress").map(withoutLineOfFirst);
    // Of those in flight together any may be the first.
    const users = sorted(this.#plain(await migration.users()));
    const left = { users, checkpoint: this.#checkpoint() };
    return this.#plain({ ran, told: sorted(told), calls: sorted(calls), ...left });
  }

  /** @returns what the checkpoint's file answers */
  ask(sql: string): unknown {
    const migrations = CHECKPOINT_MIGRATIONS;
    const options = { applicationId: CHECKPOINT_APPLICATION_ID, migrations };
    const database = openForReading(this.#migration.checkpoint, options);
    try {
      return database.prepare(sql).get()?.[0];
    } finally {
      database.close();
    }
  }

  close(): Promise<void> {
    return this.#migration.close();
  }

  #counting(input: Input): Input {
    return {
      ...input,
      read: (run) => {
        this.readings += 1;
        const isFirst = run.filledThere !== undefined;
        for (const { rows, ...left } of run.leftOut ?? []) {
          if (isFirst) this.known += rows;
          else this.passed += rows;
          if ("compared" in left && left.compared === null) this.uncompared += rows;
        }
        return input.read(run);
      },
    };
  }

  /** Without what is each side's own: its folder, and the ids and times of its core. */
  #plain<Value>(value: Value): Value {
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
      const tables = tablesOf(database).map((sql) => database.prepare(sql).all());
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
function tablesOf(database: Database): string[] {
  const { file, number } = rowColumns(database, "u");
  return [
    `SELECT u.id, f.path, ${number}, state, saw_nobody, keyed, source_id, code, mapped, kind, scope, ranks,
     n."row", n.calls, email IS NULL, phone IS NULL FROM users u
     LEFT JOIN files f ON f.id = ${file} LEFT JOIN notice_sets n ON n.id = u.notices ORDER BY u.id`,
    `SELECT f.path, number, run, type, code, hint, source_id, user, identity IS NULL
     FROM other_rows LEFT JOIN files f ON f.id = file ORDER BY f.path, number`,
    "SELECT f.path, number, line FROM row_lines LEFT JOIN files f ON f.id = file ORDER BY 1, 2",
    "SELECT user, kind, mark FROM contacts WHERE listed = 1 OR mark <> 0 ORDER BY 1, 2, 3",
    "SELECT run, topic, name, count FROM run_counts WHERE name <> 'total' ORDER BY 1, 2, 3",
    "SELECT run, place, code, count, hint FROM run_findings ORDER BY 1, 2",
    "SELECT run, place, algorithm, cost, length, count FROM run_hashes ORDER BY 1, 2",
  ];
}

function sorted(values: readonly unknown[]): string[] {
  return values.map((value) => JSON.stringify(value)).sort();
}

function summaryOf(summary: object): object {
  return { ...summary, elapsedMs: 0 };
}
