/** The events of a run. A new one is a row here: its type, its schema and the library's `MigrationEvent` follow. */

import { z } from "zod";
import { code, count, elapsedMs, hint, line, milliseconds, row, sourceId } from "./parts.js";

const user = { row, sourceId, code, hint };

const column = {
  name: z.string().describe("`(not a name)` where it may be a user's data."),
  filled: count.describe("The rows in which it isn't empty."),
};

export const RUN_LINES = {
  reject: line("reject", {
    ...user,
    bridge: z.literal(true).optional().describe("`--on-unusable-hash bridge` keeps the hash."),
  }).describe("A user can't be migrated as they are."),
  skip: line("skip", user).describe("A user is left out on purpose."),
  failure: line("failure", user).describe("A user wasn't reached; running again tries them again."),
  finding: line("finding", {
    code,
    count: count.describe("The rows it is about; at least so many where `hint` says so."),
    rows: z.array(row).readonly().describe("A few of those rows."),
    sourceIds: z
      .array(z.string())
      .readonly()
      .optional()
      .describe("The vendor's ids of a few users whom no row names."),
    hint,
    foreseen: z
      .literal(true)
      .optional()
      .describe("Told before any user is sent; how it came, the same code says at the run's end."),
  }).describe("Something is true of the files as a whole."),
  columns: line("columns", {
    file: z.string().describe("The file as it was named on the command line."),
    rows: count.describe("Rows read."),
    read: z
      .array(
        z.object({
          ...column,
          as: z.string().describe("A field of `--map`, or what else it says."),
          dates: z
            .array(z.enum(["day", "month", "unclear"]))
            .readonly()
            .optional()
            .describe("What stands first in its dates, where they are in a country's own way."),
        }),
      )
      .readonly(),
    unread: z.array(z.object(column)).readonly(),
    mapping: z
      .string()
      .nullable()
      .describe("`validate --fields`: the mapping in force, inferred of the file, as YAML."),
  }).describe(
    "Which columns or properties of a CSV or JSON file without a vendor's form are read as what.",
  ),
  field: line("field", {
    file: z.string().describe("The file as it was named on the command line."),
    path: z
      .string()
      .describe(
        "A column or a path, as in `identities[].provider`; `(not a name)` where it may be a user's data.",
      ),
    rows: count.describe("The rows that fill it."),
    fate: z
      .enum(["read", "carried", "told", "meaningless"])
      .describe(
        "`carried`: it goes to the core as a part of the account. `told`: it stays behind, and `code` says so. `meaningless`: `reason` says why.",
      ),
    is: z
      .string()
      .nullable()
      .describe("What it is: `id`, `contact`, `hash`, `joined` and the like."),
    code: code
      .nullable()
      .describe("Of a notice or a finding, or `columns`, the line of a CSV or JSON file."),
    reason: z.string().nullable(),
  }).describe("`validate --fields`: what becomes of a field."),
  progress: line("progress", {
    phase: z
      .enum(["census", "list", "run"])
      .describe(
        "`census` while the files are read, `list` while `reconcile` reads the core's list of users; each counts anew.",
      ),
    read: count.describe("Rows read."),
    done: count.describe(
      "Rows that have an outcome; while a stopped import goes on, also those whose users are there and that are still to be read.",
    ),
    queued: count.describe("Rows whose users were handed over to the core's queue."),
    queuedBefore: count.describe("Of these, whom an earlier run has handed over."),
    written: count.describe("Of `queued`, whom the queue has written, as it was asked last."),
    rejected: count,
    failed: count,
    retries: count.describe("Calls made again."),
    pauses: count.describe("Waits of all calls at once."),
    pausedMs: milliseconds,
    mapped: count.describe("As in the summary."),
    inFlight: count.describe("Users on their way, each with a call or a chain of calls."),
    callsInFlight: count.describe("Calls at the core that aren't answered yet."),
    callLimit: count
      .nullable()
      .describe("How many of them there may be now; null where only `inFlight` limits them."),
    total: count.nullable().describe("Rows in all; null where they haven't been counted."),
    bytes: count.describe("Bytes read."),
    totalBytes: count.nullable().describe("Null where it can't be known."),
    elapsedMs,
  }).describe("How far the run is; at most once a second."),
  queue: line("queue", {
    queued: count.describe("Users in the core's queue still, as far as counts of it show."),
    written: count.describe("Users who are through it; they count once the core shows them."),
    failed: count.describe("Users whom the core couldn't write."),
    leftMs: milliseconds.nullable().describe("Until the queue is empty, at its pace so far."),
  }).describe("How far the core's queue is, to which an import has given whole accounts."),
  pause: line("pause", {
    reason: z
      .enum(["retry_after", "busy", "outage"])
      .describe("The core asks for it, is overloaded, or doesn't answer."),
    waitMs: milliseconds,
    message: z.string().describe("What the core said, or why there was no answer; for people."),
  }).describe("All calls wait for a second or more; the run goes on by itself."),
} as const;
