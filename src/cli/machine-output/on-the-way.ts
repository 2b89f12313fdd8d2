/** The lines that come while a command runs. */

import { z } from "zod";
import {
  algorithm,
  code,
  count,
  elapsedMs,
  hint,
  line,
  milliseconds,
  row,
  sourceId,
  steps,
} from "./parts.js";

const user = { row, sourceId, code, hint };

export const reject = line("reject", user).describe("A user can't be migrated as they are.");

export const skip = line("skip", user).describe("A user is left out on purpose.");

export const failure = line("failure", user).describe(
  "A user wasn't reached; running again tries them again.",
);

export const difference = line("difference", user).describe(
  "`reconcile`: checkpoint and core differ in a user.",
);

export const finding = line("finding", {
  code,
  count: count.describe("The rows it is about; at least so many where `hint` says so."),
  rows: z.array(row).readonly().describe("A few of those rows."),
  sourceIds: z
    .array(z.string())
    .readonly()
    .optional()
    .describe("The vendor's ids of a few users whom no row names."),
  hint,
}).describe("Something is true of the files as a whole.");

const column = {
  name: z.string().describe("`(not a name)` where it may be somebody's data."),
  filled: count.describe("The rows in which it isn't empty."),
};

export const columns = line("columns", {
  file: z.string().describe("The file as it was named on the command line."),
  rows: count.describe("Rows read."),
  read: z
    .array(
      z.object({ ...column, as: z.string().describe("A field of `--map`, or what else it says.") }),
    )
    .readonly(),
  unread: z.array(z.object(column)).readonly(),
}).describe("Which columns or properties of a file of anybody's making are read as what.");

export const progress = line("progress", {
  phase: z
    .enum(["join", "census", "run"])
    .describe(
      "`join` while users look for their hash in a password export, `census` while an import reads its files for the first time; each counts anew.",
    ),
  read: count.describe("Rows read."),
  done: count.describe("Rows that have an outcome."),
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
  total: count.nullable().describe("Rows in all; null where nobody has counted them."),
  bytes: count.describe("Bytes read."),
  totalBytes: count.nullable().describe("Null where nobody can know it."),
  elapsedMs,
}).describe("How far the run is; at most once a second.");

export const pause = line("pause", {
  reason: z
    .enum(["retry_after", "busy", "outage"])
    .describe("The core asks for it, is overloaded, or doesn't answer."),
  waitMs: milliseconds,
  message: z.string().describe("What the core said, or why there was no answer; for people."),
}).describe("All calls wait for a second or more; the run goes on by itself.");

export const proof = line("proof", {
  user: z.int().min(1).describe("The test user's number in the order given, from 1."),
  row: row.nullable().describe("Null where no row is this user's."),
  sourceId,
  verdict: z.enum(["proved", "failed"]),
  algorithm: algorithm.nullable().describe("Null where no hash would be sent."),
  steps,
  code: code.nullable().describe("Null where it is proved."),
  hint: hint.nullable().describe("Null where it is proved."),
  signedIn: z
    .boolean()
    .nullable()
    .describe("Whether the core took the password and no other; null where it wasn't asked."),
}).describe("`prove` has tried a test user.");
