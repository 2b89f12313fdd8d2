/** Report sources with invented data, as a checkpoint would be read. */

import type { MigratedUser } from "../../../src/checkpoint/finished-users.js";
import type { CheckpointStatus } from "../../../src/checkpoint/status.js";
import type { RowEvent } from "../../../src/events/events.js";
import { type ReportSource, sumsOf } from "../../../src/checkpoint/report-source.js";
import type { RunRecord, RunSample } from "../../../src/events/run-record.js";

export const STATUS: CheckpointStatus = {
  checkpoint: "auth-migrate.checkpoint",
  core: { kind: "remote", url: "https://core.example.com" },
  shard: null,
  running: false,
  begunAt: new Date("2026-11-20T05:02:11.412Z"),
  writtenAt: new Date("2026-11-21T07:00:00.000Z"),
  cutoverAt: null,
  progress: null,
  endedBy: null,
  command: null,
  check: null,
  vault: null,
  users: 1210,
  ...{ imported: 1000, bridged: 0, created: 200, social: 0, existed: 0 },
  ...{ skipped: 3, rejected: 6 },
  ...{ failed: 1, queued: 0, pending: 0, unknown: 0, unmapped: 0, unproved: 0, written: 0 },
  ...{ rejects: { no_contact: 6 }, skips: { disabled: 3 }, failures: { core_broken: 1 } },
  otherRows: { rejects: {}, skips: {}, failures: {} },
  unread: 0,
  stillThere: {},
  cut: null,
  proved: false,
  provedUsers: { sent: 0, bridged: 0 },
  unvaulted: 0,
  notices: { phone_not_migrated: 25 },
};

const CALLS = { code: 200, consume: 200, update: 10, import: 1000, lookup: 1400, map: 0, part: 0 };

/** Where a run stood, at 100 rows a second. */
export function sampleAt(elapsedMs: number, done = elapsedMs / 10, pausedMs = 0): RunSample {
  return { elapsedMs, done, pausedMs };
}

export function runRecord(changes: Partial<RunRecord> = {}): RunRecord {
  return {
    ...{
      number: 1,
      source: "firebase",
      command: null,
      check: null,
      proof: false,
      proved: false,
      provedUsers: { sent: 0, bridged: 0 },
      begunAt: new Date("2026-11-20T05:02:12.000Z"),
    },
    ...{ elapsedMs: 12_000, ending: "finished", reason: null },
    ...{
      total: 1213,
      known: null,
      read: 1213,
      ahead: 0,
      pending: 0,
      mapped: 0,
      retries: 4,
      pauses: 0,
      pausedMs: 0,
    },
    outcomes: {
      ...{ imported: 1000, created: 200, existed: 0, skipped: 3, rejected: 9, failed: 1 },
      unchanged: 0,
    },
    calls: CALLS,
    algorithms: { bcrypt: 1000 },
    carriedUsers: {},
    rejects: { no_contact: 6, duplicate: 3 },
    skips: { disabled: 3 },
    failures: { core_broken: 1 },
    notices: { phone_not_migrated: 25 },
    waits: {},
    findings: [
      {
        code: "hash_shared",
        count: 2,
        rows: [3, 9].map((number) => ({ file: "users.csv", number })),
        hint: "One hash is shared by 2 users.",
      },
    ],
    samples: [0, 4000, 8000, 12_000].map((elapsedMs) => sampleAt(elapsedMs)),
    ...changes,
  };
}

export function refusal(number: number, changes: Partial<RowEvent> = {}): RowEvent {
  return {
    ...{ type: "reject", code: "no_contact", hint: "Add an email or a phone.", sourceId: null },
    row: { file: "users.csv", number },
    ...changes,
  };
}

export function migrated(changes: Partial<MigratedUser> = {}): MigratedUser {
  return {
    ...{ outcome: "imported", coreId: "core-1", sourceId: "vendor-1", idKept: false },
    ...{ isNew: true, isTaken: false },
    scope: { source: "firebase", namespace: "" },
    row: { file: "users.csv", number: 1 },
    ...changes,
  };
}

interface Contents {
  readonly status?: Partial<CheckpointStatus>;
  readonly runs?: readonly RunRecord[];
  readonly refused?: readonly RowEvent[];
  readonly migrated?: readonly MigratedUser[];
}

export function reportSource(contents: Contents = {}): ReportSource {
  const { status, runs = [runRecord()], refused = [], migrated: users = [] } = contents;
  return {
    status: { ...STATUS, ...status },
    runs,
    sums: sumsOf(runs),
    findings: runs.at(-1)?.findings ?? [],
    refused: () => refused,
    migrated: () => users,
    shards: null,
    close() {},
  };
}
