import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openReader } from "../../src/checkpoint/reader.js";
import type { Core } from "../../src/core/core.js";
import type { PredictionEvent, RowEvent } from "../../src/events/events.js";
import type { Prediction } from "../../src/events/summary.js";
import type { Policy } from "../../src/plan/policy.js";
import { importUsers } from "../../src/run/import-users.js";
import type { Asking } from "../../src/run/options.js";
import { validateUsers } from "../../src/run/validate-users.js";
import { openInputs } from "../../src/source/inputs.js";
import { repeated } from "../support/repeated.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { bcryptOf } from "./support/hashes.js";
import { mixedRows, populate, withOtherAccounts } from "./support/populated-core.js";
import { csvOf, type Migration, newMigration, type Row } from "./support/run.js";
import { failure } from "./support/scripted-core.js";

const newPath = temporaryPaths();
const ROWS = repeated({ variable: "AUTH_MIGRATE_PREDICTED_ROWS", few: 72, full: 2400 });

/** How each row ended, or would: `12 existed`, `14 rejected bcrypt_length`. */
type Endings = Map<number, string>;

interface Prepared {
  readonly migration: Migration;
  readonly core: Core;
  readonly file: string;
}

async function prepare(rows: readonly Row[]): Promise<Prepared> {
  const migration = newMigration(newPath);
  await populate(migration.core, rows.length);
  const core = withOtherAccounts(migration.core);
  return { migration, core, file: migration.write("users.csv", csvOf(rows)) };
}

/** A dry run against the core. */
async function predict(
  { migration, core, file }: Prepared,
  policy: Partial<Policy>,
  changes: Partial<Asking> = {},
  onFinding: (code: string) => void = () => {},
) {
  const endings: Endings = new Map();
  const onPrediction = ({ row, outcome, code }: PredictionEvent): void => {
    expect(endings.has(row.number), `row ${row.number} is told twice`).toBe(false);
    endings.set(row.number, code === null ? outcome : `${outcome} ${code}`);
  };
  const { binding = { kind: "remote", url: "" } } = await migration.options([file]);
  const asks = { core, binding, concurrency: 64, targetMoved: false, checkExisting: 1e6 };
  const summary = await validateUsers({
    inputs: await openInputs([file]),
    policy,
    onEvent: (event) => {
      if (event.type === "finding") onFinding(event.code);
    },
    asks: { ...asks, checkpoint: migration.checkpoint, onPrediction, ...changes },
  });
  expect(summary.prediction).not.toBeNull();
  const { prediction = null } = summary;
  return { summary, endings, prediction: prediction ?? NOTHING };
}

const NOTHING: Prediction = {
  outcomes: {
    imported: 0,
    created: 0,
    existed: 0,
    skipped: 0,
    rejected: 0,
    failed: 0,
    unchanged: 0,
  },
  stops: {},
  kept: {},
  stillThere: {},
  lookedUp: 0,
  unasked: 0,
  again: 0,
  joinedByBulk: 0,
};

/** The import itself. */
async function run({ migration, core, file }: Prepared, policy: Partial<Policy>) {
  const events: RowEvent[] = [];
  const onEvent = (event: { readonly type: string }): void => {
    if ("sourceId" in event) events.push(event as RowEvent);
  };
  const options = await migration.options([file], { core, policy, onEvent });
  const summary = await importUsers(options);
  const endings: Endings = new Map();
  const reader = openReader(migration.checkpoint);
  for (const { row, outcome } of reader.finished.all()) endings.set(row.number, outcome);
  reader.close();
  const words = { reject: "rejected", skip: "skipped", failure: "failed" } as const;
  for (const { row, type, code } of events) endings.set(row.number, `${words[type]} ${code}`);
  return { summary, endings };
}

function inOrder(endings: Endings): [number, string][] {
  return [...endings].sort(([one], [other]) => one - other);
}

const POLICIES: readonly (readonly [string, Partial<Policy>])[] = [
  ["by default", {}],
  ["--on-existing update", { onExisting: "update" }],
  ["--on-unusable-hash passwordless", { onUnusableHash: "passwordless", onExisting: "update" }],
  ["--include unverified and --include disabled", { include: ["unverified", "disabled"] }],
  ["--keep-ids", { keepIds: true, onExisting: "update" }],
];

/** Calls at a core that change something there. */
const CHANGES = [
  "createCode",
  "consumeCode",
  "updateUser",
  "importUser",
  "signIn",
  "mapUserId",
  "removeUser",
] as const satisfies readonly (keyof Core)[];

/** A core that can only be asked. */
function guarded(core: Core): Core {
  const refused = CHANGES.map((name) => [
    name,
    () => Promise.reject(new Error(`${name} was called`)),
  ]);
  return { ...core, ...Object.fromEntries(refused), probe: core.probe };
}

describe("a dry run against a core", () => {
  it.each(POLICIES)("predicts the outcome of every row, %s", async (_title, policy) => {
    const prepared = await prepare(mixedRows(ROWS));
    const { core } = prepared;
    const { summary, prediction, endings } = await predict(prepared, policy, {
      core: guarded(core),
    });
    const real = await run(prepared, policy);
    expect(inOrder(endings)).toEqual(inOrder(real.endings));
    expect(endings.size).toBe(ROWS);
    expect(prediction).toMatchObject({ unasked: 0, stops: {} });
    const { outcomes } = prediction;
    expect(real.summary).toMatchObject({ ...outcomes, calls: summary.plannedCalls });
    const { mapped, notices, carriedUsers } = summary;
    expect(carriedUsers).toEqual(real.summary.carriedUsers);
    expect(mapped).toBe(real.summary.mapped);
    expect(notices.id_not_kept).toBe(real.summary.notices.id_not_kept);
    expect(new Set(endings.values()).size).toBeGreaterThan(5);
  });

  it("says who would stop the import under --on-existing fail, and how all others would end", async () => {
    const prepared = await prepare(mixedRows(ROWS));
    const policy = { onExisting: "fail" } as const;
    const { endings, prediction } = await predict(prepared, policy);
    await expect(run(prepared, policy)).rejects.toMatchObject({ code: "user_exists" });
    const stops = [...endings.values()].filter((ending) => ending === "stop user_exists");
    expect(prediction.stops).toEqual({ user_exists: stops.length });
    expect(stops.length).toBeGreaterThan(0);
    const reader = openReader(prepared.migration.checkpoint);
    for (const { row, outcome } of reader.finished.all()) {
      expect(endings.get(row.number)).toBe(outcome);
    }
    reader.close();
  });

  it("goes on from the checkpoint as the import would, and leaves the file as it is", async () => {
    const rows = mixedRows(ROWS);
    const prepared = await prepare(rows);

    await run({ ...prepared, file: first(prepared, rows.slice(0, ROWS / 2)) }, {});

    const changed = rows.map((row, n) =>
      n % 7 === 0 ? { ...row, hash: bcryptOf(`${n}`, "04") } : row,
    );
    const newer = { ...prepared, file: prepared.migration.write("newer.csv", csvOf(changed)) };
    const before = readFileSync(prepared.migration.checkpoint);
    const { endings, prediction, summary } = await predict(newer, {});
    expect(readFileSync(prepared.migration.checkpoint).equals(before)).toBe(true);
    expect(summary.checkpoint).toBe(prepared.migration.checkpoint);
    const real = await run(newer, {});

    expect(real.summary).toMatchObject({ ...prediction.outcomes, calls: summary.plannedCalls });
    expect(prediction.outcomes.unchanged).toBeGreaterThan(0);
    for (const [row, ending] of real.endings) {
      if (endings.get(row) !== "unchanged") expect([row, endings.get(row)]).toEqual([row, ending]);
    }
    expect(endings.size).toBe(ROWS);
  });

  it("looks up an evenly spaced sample beyond --check-existing, the same in every run", async () => {
    const prepared = await prepare(mixedRows(ROWS));
    const [one, other] = [
      await predict(prepared, {}, { checkExisting: 30 }),
      await predict(prepared, {}, { checkExisting: 30 }),
    ];
    const { lookedUp, unasked, outcomes } = one.prediction;
    expect(lookedUp).toBeGreaterThan(20);
    expect(lookedUp).toBeLessThanOrEqual(30);
    const known = Object.values(outcomes).reduce((sum, users) => sum + users, 0);
    expect(known + unasked).toBe(ROWS);
    expect(inOrder(one.endings)).toEqual(inOrder(other.endings));
    const asked = [...one.endings].flatMap(([row, ending]) => (ending === "existed" ? row : []));
    expect(Math.max(...asked)).toBeGreaterThan(ROWS * 0.7);
    expect(Math.min(...asked)).toBeLessThan(ROWS * 0.3);
    const whole = await predict(prepared, {});
    for (const [row, ending] of one.endings) expect(whole.endings.get(row)).toBe(ending);
  });

  it("looks nobody up under --assume-empty, and says of how many it doesn't know", async () => {
    const prepared = await prepare(mixedRows(48));
    const { prediction, endings } = await predict(prepared, { assumeEmpty: true });
    const { lookedUp, unasked } = prediction;
    expect(lookedUp).toBe(0);
    expect(unasked + endings.size).toBe(48);
    expect([...endings.values()]).not.toContain("imported");
  });

  it("can't go on at a core without lookups", async () => {
    const prepared = await prepare(mixedRows(24));
    const findUsers = () => Promise.reject(failure("not_offered"));
    const core = { ...prepared.core, findUsers };
    for (const policy of [{}, { onExisting: "update" }, { assumeEmpty: true }] as const) {
      await expect(predict({ ...prepared, core }, policy)).rejects.toMatchObject({
        code: "core_without_lookups",
      });
    }
  });

  it("tells users whose lookup failed for good as the import would", async () => {
    const prepared = await prepare(mixedRows(24));
    const findUsers: Core["findUsers"] = (contact) =>
      contact.email === "reader.4@example.com"
        ? Promise.reject(failure("broken"))
        : prepared.core.findUsers(contact);
    const core = { ...prepared.core, findUsers };
    const { endings, prediction } = await predict({ ...prepared, core }, {});
    expect(endings.get(5)).toBe("failed core_broken");
    expect(prediction.outcomes.failed).toBe(1);
  });
});

/** The first rows as an export of their own. */
function first({ migration }: Prepared, rows: readonly Row[]): string {
  return migration.write("first.csv", csvOf(rows));
}
