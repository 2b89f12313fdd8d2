/** The lines of single commands: the one that a command answers with, or one for each row or user. */

import { z } from "zod";
import {
  algorithm,
  checkpoint,
  code,
  core,
  check,
  count,
  cut,
  countsByName,
  endings,
  exitCode,
  hint,
  keptRow,
  line,
  otherRows,
  proven,
  unvaulted,
  signingIn,
  stillThere,
  row,
  sourceId,
  steps,
  time,
  unfinished,
  unread,
  vaultStanding,
  written,
} from "./parts.js";

const lineNumber = z.int().min(1).describe("The line of standard input, from 1; blank ones count.");

export const acceptedHash = line("hash", {
  line: lineNumber,
  verdict: z.literal("accepted"),
  algorithm,
  hash: z.string().describe("What an import sends."),
  steps,
  notices: z.array(code).readonly().describe("What no text can rule out."),
}).describe("`hash`: the hash is sent in this form.");

export const refusedHash = line("hash", {
  line: lineNumber,
  verdict: z.literal("refused"),
  code,
  hint,
}).describe("`hash`: the hash can't be sent.");

export const noHash = line("hash", { line: lineNumber, verdict: z.literal("none") }).describe(
  "`hash`: a marker that means that there is no password.",
);

export const listening = line("listening", { url: z.string() }).describe(
  "`serve` accepts connections.",
);

export const setup = line("setup", {
  core,
  proved: z
    .boolean()
    .describe("Whether people can sign in, as far as it can be known; false for a remote core."),
  provedHere: z.boolean().describe("Whether known passwords were verified on this machine."),
  written: z.array(z.string()).readonly().describe("Files; empty where all was there already."),
  command: z.string().describe("The import, to be typed or run next."),
  rejects: countsByName.describe(
    "Rows that it would reject, by code, of the first thousand of each file, each by itself.",
  ),
  exitCode,
}).describe("The end of `setup`.");

const users = count.describe("Users whom the checkpoint knows.");

/** Where a checkpoint stands. */
export const standing = {
  checkpoint,
  core: z
    .union([
      z.object({ kind: z.literal("embedded"), coreId: z.string() }),
      z.object({ kind: z.literal("remote"), url: z.string() }),
    ])
    .nullable()
    .describe("The core it belongs to; null where no user was sent yet."),
  shard: z
    .object({ index: z.int().min(1), count: z.int().min(1) })
    .nullable()
    .describe("The shard whose part was imported with it last; null where none was."),
  running: z.boolean().describe("Whether a run holds the lock now."),
  begunAt: time.nullable().describe("When it was made; null where that isn't noted."),
  writtenAt: time.describe("When it was written last."),
  cutoverAt: time.nullable().describe("When people began to sign in at the core; null before."),
  progress: z
    .object({
      done: count.describe(
        "Rows of the run that have an outcome, as it noted last: some seconds before it was killed, where it was.",
      ),
      total: count.nullable().describe("Rows in all; null where they weren't counted."),
      perSecond: z
        .number()
        .nullable()
        .describe(
          "Rows a second since its first one, without those that a stopped run had brought before; null where no run goes on or too little is known.",
        ),
      leftMs: count.nullable().describe("Milliseconds to its end at that rate."),
    })
    .nullable()
    .describe("How far the latest run has come; null where there was none."),
  endedBy: code.nullable().describe("The error that ended the latest run; null where none did."),
  command: z
    .string()
    .nullable()
    .describe("The latest run's, to be typed again; null where none is known, or several are."),
  check,
  users: users.describe(
    "Users whom the checkpoint knows; the sum of the states that follow up to `unknown`, without `bridged`, `social` and `unvaulted`.",
  ),
  ...endings,
  ...signingIn,
  unvaulted,
  queued: count.describe("Handed over to the core's queue, and not read back yet."),
  pending: count.describe("Known, and nothing was sent."),
  unknown: count.describe("A call was about to be made and nothing says how it ended."),
  unmapped: count.describe(
    "Users at the core to whom the vendor's id couldn't be mapped yet, or whose account's parts weren't all reached.",
  ),
  unproved: count.describe(
    "Users at the core whose vendor scrypt hash was sent, while nothing has proved the signer key.",
  ),
  vault: vaultStanding,
  written,
  otherRows,
  unread,
  stillThere,
  cut,
  ...proven,
};

export const status = line("status", {
  parts: z.int().min(1).describe("Checkpoints that the line sums up; 1 in the line of one."),
  ...standing,
  rejects: countsByName.describe("Users by code."),
  skips: countsByName.describe("Users by code."),
  failures: countsByName.describe("Users by code."),
  notices: countsByName.describe("Users by what is true of them."),
  exitCode,
}).describe("`status`: where a checkpoint stands; of several each, and last their sums.");

export const cutover = line("cutover", {
  checkpoint,
  cutoverAt: time.nullable().describe("The moment recorded; null after --revoke."),
  changed: z.boolean().describe("False where it stood so before."),
  users,
  unfinished,
  exitCode,
}).describe("`cutover` has recorded that people sign in at the core, or taken it back.");

export const purgeSummary = line("summary", {
  command: z.literal("checkpoint purge"),
  checkpoint,
  removed: z.array(z.string()).readonly().describe("The files that are gone."),
  users: users.describe("Users who were in it."),
  unfinished,
  exitCode,
}).describe("`checkpoint purge` has removed a checkpoint.");

export const checked = line("checked", {
  file: z.string().describe("As it was named."),
  users: z.int().min(0).describe("Rows that became users."),
  rows: z.int().min(0),
  expected: z.boolean().describe("Whether FILE.expected.json lies beside it."),
  faults: z
    .array(z.object({ code, says: z.string() }))
    .readonly()
    .describe("What the source does wrong with it; docs/mappings.md has the codes."),
}).describe("`check-source` has checked a file.");

export const query = line("query", {
  sql: z.string().describe("One SELECT, without a semicolon."),
}).describe("`check-source --print-query`: the query that reads a system's users.");

export const vault = line("vault", {
  vault: z.string().describe("The vault's file, as it was named."),
  users: users.describe("Users who are left in it, or were."),
  unmatched: users.describe(
    "Of these, for whom the core had something else than the vault says when their right old password came.",
  ),
  core: z.string().describe("The core that it belongs to: its URL, or an embedded one's id."),
  removed: z.array(z.string()).readonly().describe("The files that are gone, of `bridge purge`."),
  exitCode,
}).describe("`bridge --status`, `bridge --rekey` or `bridge purge` has come to its end.");

export const vaultKey = line("vault-key", {
  file: z.string().describe("The new file, which nothing but the key is in."),
  exitCode,
}).describe("`bridge --new-key` has made a vault's key.");

export const splitSummary = line("summary", {
  command: z.literal("split"),
  manifest: z.string().describe("The manifest's file; it has the digests of the parts."),
  shards: z.int().min(1),
  rows: count.describe("Rows of the export; the sum of those of its parts."),
  from: z.string().nullable().describe("Whose export it is; null where each file shows it itself."),
  parts: z
    .array(
      z.object({
        shard: z.int().min(1),
        rows: count,
        files: z.array(z.string()).readonly().describe("Beside the manifest; they hold hashes."),
      }),
    )
    .readonly(),
  exitCode,
}).describe("`split` has written a part for each shard.");

export const error = line("error", {
  code,
  message: z.string().describe("What happened, and where; for people. Its wording may change."),
  hint: z.string().describe("What to do next; for people. Its wording may change."),
  exitCode,
}).describe("A run couldn't start or go on: the last line, in place of a summary.");

export const doctor = line("doctor", {
  version: z.string().describe("Of auth-migrate."),
  node: z.string(),
  platform: z.string().describe("Operating system and processor."),
  core,
  interfaceVersions: z
    .array(z.string())
    .readonly()
    .nullable()
    .describe("What the core says by GET /apiversion; null where it doesn't."),
  checks: z
    .array(
      z.object({
        name: code,
        state: z
          .enum(["ok", "absent", "failed", "unknown"])
          .describe("`unknown`: no question that changes nothing tells it."),
        says: z.string().describe("For people. Its wording may change."),
        code: code.nullable().describe("Of a failure."),
        hint: z.string().describe("Of a failure, for people; else empty."),
      }),
    )
    .readonly(),
  exitCode,
}).describe("`doctor`: what reading shows of this machine and a core.");

export const proof = line("proof", {
  user: z.int().min(1).describe("The test user's number in the order given, from 1."),
  row: row.nullable().describe("Null where no row is this user's."),
  sourceId,
  verdict: z.enum(["proved", "failed"]),
  algorithm: code.nullable().describe("Of a hash that no core takes why; null for no hash."),
  bridged: z.boolean().describe("Whether it is proved against what the vault would keep."),
  steps,
  code: code.nullable().describe("Null where it is proved."),
  hint: hint.nullable().describe("Null where it is proved."),
  fitsBridge: z
    .boolean()
    .optional()
    .describe("Whether the bridge verifies a refused hash; absent where that wasn't tried."),
  signedIn: z
    .boolean()
    .nullable()
    .describe("Whether the core took the password and no other; null where it wasn't asked."),
}).describe("`prove` has tried a test user.");

export const prediction = line("prediction", {
  row,
  outcome: z
    .enum(["imported", "created", "existed", "skipped", "rejected", "failed", "unchanged", "stop"])
    .describe("`stop`: the import would end before it sends this user."),
  code: code.nullable().describe("Of a reject, a skip, a failure or a stop; else null."),
}).describe("`validate --core`: how an import would end for a row whose outcome is known.");

export const removal = line("removal", {
  row: keptRow,
  sourceId,
  coreId: z.string().describe("The core's own id."),
  outcome: z
    .enum(["removed", "gone"])
    .describe("`gone`: the core doesn't know the user any more. Under --dry-run as it would be."),
}).describe("`undo`: a user of this migration who isn't at the core any more.");

export const difference = line("difference", {
  row,
  sourceId,
  code,
  hint,
  fields: z
    .array(z.string())
    .readonly()
    .optional()
    .describe("Of metadata: the names of the fields that differ."),
}).describe("`reconcile`: checkpoint and core differ in a user; a line for each thing.");
