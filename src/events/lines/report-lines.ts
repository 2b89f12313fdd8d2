/** The lines of `report`: the report itself, and those of its lists. */

import { z } from "zod";
import {
  calls,
  code,
  check,
  count,
  countsByName,
  elapsedMs,
  exitCode,
  hint,
  line,
  milliseconds,
  keptRow,
  proven,
  row,
  sourceId,
  time,
  shards,
} from "./parts.js";
import { standing } from "./single-lines.js";
import { outcomes } from "./summaries.js";

const wait = z.object({ count, ms: milliseconds });

const waits = z
  .object({ retry_after: wait.optional(), busy: wait.optional(), outage: wait.optional() })
  .describe("Pauses of a second and more, by what they were for.");

const retries = count.describe("Calls made again.");

const pauses = count.describe("Waits of all calls at once.");

const findings = z
  .array(z.object({ code, count, rows: z.array(row.omit({ origin: true })).readonly(), hint }))
  .readonly()
  .describe("What is true of the inputs as a whole, with a few of the rows.");

const sample = z.object({
  elapsedMs,
  done: count.describe("Rows with an outcome, or written by the core's queue."),
  pausedMs: milliseconds.describe("Of pauses of a second and more; all calls waited as it grew."),
});

const run = z.object({
  number: z.int().min(1),
  source: z.string().describe("The sources' names, each once, separated by commas."),
  command: z
    .string()
    .nullable()
    .describe("What goes on with it, typed again; null where a program began it."),
  check,
  proof: z.boolean().describe("Whether it read the test users of a proof alone."),
  provedUsers: proven.provedUsers,
  begunAt: time,
  elapsedMs,
  ending: z
    .enum(["finished", "stopped", "failed"])
    .nullable()
    .describe("Null for a run that goes on or was killed."),
  reason: z
    .string()
    .nullable()
    .describe("The error's code; of a run that a limit cut short, that limit."),
  total: count
    .nullable()
    .describe("Rows in all; null where they weren't counted, or not all were to be read."),
  known: count
    .nullable()
    .describe("Users in all at its end, with one for each row that wasn't read; null else."),
  read: count.describe("Rows read."),
  outcomes: z.object(outcomes),
  ahead: count.describe(
    "Rows still to be taken whose users are there, since it goes on with a stopped run.",
  ),
  pending: count.describe("Rows without an outcome."),
  mapped: count,
  calls,
  algorithms: countsByName,
  rejects: countsByName,
  skips: countsByName,
  failures: countsByName,
  notices: countsByName,
  carriedUsers: countsByName,
  retries,
  pauses,
  pausedMs: milliseconds,
  waits,
  findings,
  samples: z.array(sample).readonly().describe("A few hundred at most; of the latest runs alone."),
});

export const report = line("report", {
  ...standing,
  shards,
  groups: z
    .array(
      z.object({
        type: z.enum(["reject", "skip", "failure"]),
        code,
        hint: hint.describe(
          "Of all of the rows: where they differ, a few stand behind one another.",
        ),
        count: count.describe("Rows, also those that have no user of their own."),
        users: count.describe("How many of them are users who stand so."),
        examples: z
          .array(row.omit({ origin: true }).extend({ sourceId: sourceId.optional() }))
          .readonly()
          .describe("A few of them; with `sourceId` only under --with-ids."),
      }),
    )
    .readonly()
    .describe("Rows that were rejected, skipped or failed, by code."),
  notices: countsByName.describe("Users by what is true of them."),
  carriedUsers: countsByName.describe(
    "Users by the parts of their accounts that went along, added up over all runs: who was brought anew counts again.",
  ),
  findings,
  calls,
  retries,
  pauses,
  pausedMs: milliseconds,
  waits,
  runs: z.array(run).readonly(),
  exitCode,
}).describe("`report`: what all runs of a checkpoint came to.");

export const id = line("id", {
  sourceId,
  coreId: z.string().describe("The core's own id."),
  outcome: z.enum(["imported", "created", "existed"]),
  idKept: z.boolean().describe("Whether the core knows the user by the vendor's id."),
  source: z.string(),
  namespace: z.string(),
  row: keptRow,
}).describe("`report --id-map`: a user at the core.");

export const reportSummary = line("summary", {
  command: z.literal("report"),
  output: z.string().describe("The new file."),
  format: z.string(),
  exitCode,
}).describe("`report --output` has written its file.");
