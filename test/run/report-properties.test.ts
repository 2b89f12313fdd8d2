import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openReport } from "../../src/checkpoint/report-source.js";
import { readStatus } from "../../src/checkpoint/status.js";
import { recordCutover } from "../../src/run/cutover.js";
import { makeReport } from "../../src/report/report.js";
import { standingOf } from "../../src/report/results.js";
import { sum } from "../../src/report/text.js";
import { reportCsv } from "../../src/report/lists.js";
import { validateUsers } from "../../src/run/validate-users.js";
import type { UserRecord } from "../../src/account/user-record.js";
import type { Input } from "../../src/source/inputs.js";
import type { SourceItem } from "../../src/source/source.js";
import { repeated } from "../support/repeated.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { queuedCore } from "./bulk/queued-core.js";
import { inputOf } from "./support/batches.js";
import { bcryptOf, bytesOf } from "./support/hashes.js";
import {
  distinct,
  type Counts,
  emailOf,
  type Kind,
  ModelReport,
  type ModelRow,
  type ModelRun,
} from "./support/model-report.js";
import { expectOneWay } from "./support/one-way.js";
import { email, phone, record } from "./support/records.js";
import { type Migration, newMigration, type Run, type RunOptions } from "./support/run.js";

/** How many histories are played; each has data files of its own. */
const RUNS = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 24, full: 250 });
/** So many to a test, which has a time of its own. */
const IN_A_TEST = 250;
const TESTS = Array.from({ length: Math.ceil(RUNS / IN_A_TEST) }, (_, index) => index + 1);
const newPath = temporaryPaths();

/** The vault's key. */
const KEY = Buffer.alloc(32, 7);

const HASHES: Partial<Record<Kind, string | null>> = {
  "new hash": bcryptOf(2),
  "foreign hash": `pbkdf2_sha256$1$salt$${bytesOf("of another kind", 32).toString("base64")}`,
  damaged: bcryptOf(4).slice(0, -1),
  "no hash": null,
};

const row: fc.Arbitrary<ModelRow> = fc.record({
  user: fc.integer({ min: 1, max: 5 }),
  kind: fc.constantFrom<Kind>(
    ...(["good", "good", "good", "new hash", "damaged", "damaged", "no hash", "disabled"] as const),
    ...(["foreign hash", "foreign hash", "no contact", "moved", "another's contact"] as const),
    "unreadable",
  ),
  withPhone: fc.boolean(),
});

/** A run over a new file, or over one of before; stopped first after so many calls, where there are any. */
interface Step {
  readonly rows: readonly ModelRow[];
  readonly again: number | null;
  readonly unusable: ModelRun["unusable"];
  readonly includes: boolean;
  /** Whether new users go by the queue, at a core that has one. */
  readonly bulk: "always" | "never";
  readonly stops: number | null;
  /** Stopped first by a limit of so many users in their place. */
  readonly limit: number | null;
  readonly cutsOver: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  rows: fc.array(row, { minLength: 1, maxLength: 7 }),
  again: fc.option(fc.nat(3), { freq: 2 }),
  unusable: fc.constantFrom("reject", "reject", "passwordless", "bridge"),
  bulk: fc.constantFrom("always", "always", "never"),
  includes: fc.boolean(),
  stops: fc.option(fc.integer({ min: 1, max: 3 }), { freq: 1 }),
  limit: fc.option(fc.integer({ min: 1, max: 4 }), { freq: 1 }),
  cutsOver: fc.nat(9).map((number) => number === 0),
});
const histories = fc.array(step, { minLength: 1, maxLength: 5 });
/** Each run at a core behind a URL starts a thread. */
const queues = fc.nat(7).map((number) => number === 0);
const sizes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 2 });

function recordOf(given: ModelRow): UserRecord {
  const { user, kind, withPhone } = given;
  const hash = HASHES[kind] === undefined ? bcryptOf(1) : HASHES[kind];
  const isBare = kind === "no contact";
  const hasPlace = hash === null || kind === "damaged" || kind === "foreign hash";
  return record({
    sourceId: `u-${user}`,
    email: isBare ? null : email(emailOf(given)),
    phone: isBare || hasPlace || !withPhone ? null : phone(`+1555010100${user}`),
    hash: hash === null ? null : { kind: "text", text: hash },
    exclusions: kind === "disabled" ? ["disabled"] : [],
  });
}

/** The rows as a source hands them out, in batches of these sizes. */
function inputFor({ file, rows }: ModelRun, cut: readonly number[]): Input {
  const input = inputOf(`export-${file}.csv`, rows.map(recordOf), cut);
  return {
    ...input,
    async *read(run) {
      for await (const items of input.read(run)) {
        yield items.map((item): SourceItem => {
          if (rows[item.number - 1]?.kind !== "unreadable") return item;
          return { kind: "reject", number: item.number, code: "row_unreadable", hint: "" };
        });
      }
    },
  };
}

/** What a run counts, in the model's words. */
function endingsOf({ summary, events }: Run): Counts {
  const { imported, created, unchanged, bridged } = summary;
  const counts: Counts = { imported, created, unchanged, bridged };
  for (const { type, code } of events) {
    counts[`${type} ${code}`] = (counts[`${type} ${code}`] ?? 0) + 1;
  }
  return withoutZeros(counts);
}

function withoutZeros(counts: Counts): Counts {
  return Object.fromEntries(Object.entries(counts).filter(([, number]) => number > 0));
}

/** What `report` and `status` say. They must agree on everything that both say. */
function reported(checkpoint: string): ReturnType<ModelReport["report"]> {
  const source = openReport(checkpoint);
  try {
    const { status, groups, notices } = makeReport(source);
    expect({ ...readStatus(checkpoint), writtenAt: null }).toEqual({ ...status, writtenAt: null });
    const users: Counts = {};
    const beside: Counts = {};
    for (const { type, code, count, users: own } of groups) {
      users[`${type} ${code}`] = own;
      beside[`${type} ${code}`] = count - own;
    }
    const { imported, created, existed, skipped, rejected, failed, queued, pending, unknown } =
      status;
    const { users: all, bridged } = status;
    const standing = { imported, created, existed, skipped, rejected, failed, pending, unknown };
    const states = { ...standing, queued };
    expect(sum(states)).toBe(all);
    expect(bridged).toBeLessThanOrEqual(imported);
    expect(sum(status.rejects)).toBe(rejected);
    expect(sum(status.skips)).toBe(skipped);
    const { rejects, skips, failures } = status.otherRows;
    const others = sum(rejects) + sum(skips) + sum(failures);
    expect(sum(beside)).toBe(others);
    expect([...reportCsv(source)]).toHaveLength(1 + rejected + skipped + failed + others);
    return {
      states: withoutZeros({ ...states, bridged }),
      users: withoutZeros(users),
      beside: withoutZeros(beside),
      notices: { ...notices },
    };
  } finally {
    source.close();
  }
}

/** How each run of a history is made. */
interface Setting {
  readonly migration: Migration;
  readonly options: RunOptions;
}

/** At an embedded core, or at one behind a URL that has a queue. */
function newSetting(hasQueue: boolean): Setting {
  const migration = newMigration(newPath);
  const options = { vault: { path: `${migration.checkpoint}.vault`, key: KEY } };
  return {
    migration,
    options: hasQueue ? { ...queuedCore(migration).options, ...options } : options,
  };
}

/** Runs until so many users, or batches of users, were sent, and is stopped. */
async function stopped({ migration, options }: Setting, changes: RunOptions, calls: number) {
  const stop = new AbortController();
  let left = calls;
  const core = options.core ?? migration.core;
  const counted =
    <Asked, Answer>(call: (asked: Asked) => Promise<Answer>) =>
    (asked: Asked): Promise<Answer> => {
      left -= 1;
      if (left === 0) stop.abort();
      return call(asked);
    };
  return migration.run([], {
    ...options,
    ...changes,
    signal: stop.signal,
    core: {
      ...core,
      importUser: counted(core.importUser),
      queueAccounts: counted(core.queueAccounts),
    },
  });
}

/** A whole run's first sentence, and all others', have the model's numbers. */
function expectWhole({ summary }: Run, model: ModelReport): void {
  expect(expectOneWay(summary)).toEqual({ ...model.standing(), cut: null });
}

/** What a dry run foresees of the users whom its rows name, by the checkpoint and the core as they are. */
async function foreseen({ migration, options }: Setting, changes: RunOptions) {
  const { core = migration.core, binding = { kind: "remote", url: "" } } = {
    ...(await migration.options([])),
    ...options,
  };
  const asks = { core, binding, concurrency: 4, targetMoved: false, checkExisting: 1e6 };
  const { inputs = [], policy = {} } = changes;
  const { checkpoint } = migration;
  const summary = await validateUsers({ inputs, policy, asks: { ...asks, checkpoint } });
  const { there, already, ...standing } = standingOf(summary);
  return { ...standing, there: there + (already ?? 0) };
}

/** So have those of a run that left rows unread: each is a user who is open, or one who is known. */
async function expectCut(
  { summary }: Run,
  {
    run,
    model,
    migration,
    isAgain,
  }: Readonly<Record<"run", ModelRun>> &
    Readonly<Record<"model", ModelReport>> &
    Readonly<Record<"migration", Migration>> & { readonly isAgain: boolean },
): Promise<void> {
  const standing = expectOneWay(summary);
  const { read, interrupted, limited, queued } = summary;
  expect(standing.cut).toBe(interrupted ? "stopped" : limited ? "limited" : null);
  const known = model.knownAfter(run, read);
  const named = run.rows.slice(0, read).filter(({ kind }) => kind !== "unreadable");
  const before = [...model.users.keys()];
  const unmet = before.filter((user) => !named.some((one) => one.user === user)).length;
  const isSame = isAgain || before.length === 0 || unmet < before.length;
  const unread = Math.max(0, run.rows.length - read - (isSame ? unmet : 0));
  expect(standing).toMatchObject({ users: known.size + unread, unread });
  // Whom the queue has may be there already.
  if (queued === 0) expect((await migration.users()).length).toBe(standing.there);
}

describe("status, report and summary", () => {
  it.each(TESTS)(
    "say of any history of runs where users stand now, as a plain model does (%i)",
    async () => {
      await fc.assert(
        fc.asyncProperty(histories, sizes, queues, async (steps, cut, hasQueue) => {
          const setting = newSetting(hasQueue);
          const { migration } = setting;
          const model = new ModelReport();
          const files: (readonly ModelRow[])[] = [];
          let bridged = 0;
          for (const { rows, again, stops, limit, cutsOver, ...given } of steps) {
            // While the vault keeps somebody's hash, every run takes it, or ends before it sends anything.
            const needsVault = bridged > 0 && !model.cutOver;
            const how = needsVault ? { ...given, unusable: "bridge" as const } : given;
            const file = again !== null && again < files.length ? again : files.push(rows) - 1;
            const run: ModelRun = { file, rows: distinct(files[file] ?? rows, how), ...how };
            const changes = (): RunOptions => ({
              policy: { onUnusableHash: how.unusable, include: how.includes ? ["disabled"] : [] },
              inputs: [inputFor(run, cut)],
              ...(hasQueue ? { bulk: how.bulk } : {}),
            });
            const goOn = () => migration.run([], { ...setting.options, ...changes() });
            if (stops !== null) {
              const cut = await (limit === null
                ? stopped(setting, changes(), stops)
                : migration.run([], { ...setting.options, ...changes(), limit }));
              reported(migration.checkpoint);
              await expectCut(cut, { run, model, migration, isAgain: file < files.length - 1 });
              model.run(run);
              expectWhole(await goOn(), model);
            } else {
              const dry = hasQueue ? null : await foreseen(setting, changes());
              const { endings, notices } = model.run(run);
              if (dry !== null) expect(dry).toEqual(model.standingOf(run));
              const done = await goOn();
              expectWhole(done, model);
              expect(endingsOf(done)).toEqual(endings);
              expect(done.summary.notices).toEqual(notices);
            }
            expect(reported(migration.checkpoint)).toEqual(model.report());
            bridged = readStatus(migration.checkpoint).bridged;
            if (cutsOver && !model.cutOver && model.users.size > 0) {
              model.cutOver = true;
              recordCutover(migration.checkpoint);
            }
          }
          await migration.close();
        }),
        { numRuns: Math.ceil(RUNS / TESTS.length) },
      );
    },
  );
});
