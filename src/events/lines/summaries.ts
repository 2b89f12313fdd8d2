/** The summaries with which commands end. */

import { z } from "zod";
import {
  calls,
  checkpoint,
  core,
  count,
  cut,
  countsByName,
  elapsedMs,
  endings,
  exitCode,
  interrupted,
  line,
  otherRows,
  proven,
  milliseconds,
  shards,
  signingIn,
  stillThere,
  unread,
  unvaulted,
  vaultStanding,
  written,
} from "./parts.js";

const source = z.string().describe("The sources' names, each once, separated by commas.");

export const outcomes = { ...endings, unchanged: count };

const untried = countsByName.describe(
  "Hashes of kinds of which no test user was proved: by algorithm, or those that no core takes by why.",
);

/** What an import and a dry run have in common. */
const counts = {
  source,
  read: count.describe("Rows read."),
  skipped: count,
  rejected: count,
  mapped: count.describe("Under --keep-ids the users whom the vendor's id leads to; 0 without it."),
  carried: z
    .array(z.string())
    .readonly()
    .describe(
      "The parts of accounts that are carried: verified, joined, metadata, totp, roles. Without a core, those that an import carries into one that offers them all.",
    ),
  carriedUsers: countsByName.describe(
    "Users by the parts of their accounts that this run has carried along, or would.",
  ),
  calls,
  algorithms: countsByName.describe("Accepted hashes of users who are imported or would be."),
  ...signingIn,
  passwordExport: z
    .object({
      lines: count,
      unreadable: count,
      users: count,
      matched: count,
      ambiguous: count,
      unused: count,
    })
    .nullable()
    .describe("What the password export came to; null without one."),
  rejects: countsByName.describe("Rejected rows by code."),
  skips: countsByName.describe("Skipped rows by code."),
  notices: countsByName.describe("Users by what is true of them and should be known."),
  proved: z.boolean().describe("Whether known passwords were verified before the bulk."),
  untried,
  elapsedMs,
  rejectsFiles: z
    .array(z.string())
    .readonly()
    .describe("Files with the rows of rejects and failures; they hold hashes and contacts."),
  rejectsAsText: z
    .array(z.string())
    .readonly()
    .describe("Codes of rows that stand there as text, to be written out as rows."),
  truncated: z.array(z.string()).readonly().describe("Files that were cut off before their end."),
  limited: z.boolean().describe("True where --limit left rows that weren't taken."),
  interrupted,
  shard: z
    .object({
      index: z.int().min(1),
      count: z.int().min(1),
      exportRows: count.describe("Rows of the whole export; `read` counts those of the part."),
    })
    .nullable()
    .describe("The shard whose part was imported; null for a whole export."),
  next: z
    .array(z.string())
    .readonly()
    .describe("Commands to type next, in this order; text output says what each is for."),
  exitCode,
};

const states = {
  users: count.describe("Users whom the checkpoint knows; the sum of the states that follow."),
  ...endings,
  queued: count,
  pending: count,
  unknown: count,
};

export const importSummary = line("summary", {
  command: z.literal("import"),
  core,
  ...counts,
  ...outcomes,
  provedUsers: proven.provedUsers,
  importedAlgorithms: countsByName.describe("Those of `imported` by the algorithm of their hash."),
  signIns: z
    .object({ users: count, signedIn: count })
    .nullable()
    .describe("Test users at the core before the bulk; null where it wasn't asked for them."),
  pending: count.describe(
    "Rows without an outcome; not 0 only where the run was stopped, or left users in the core's queue.",
  ),
  queued: count.describe("Those of `pending` whom the core's queue has."),
  retries: count.describe("Calls made again."),
  pauses: count.describe("Waits of all calls at once."),
  pausedMs: milliseconds,
  checkpoint,
  standing: z
    .object({
      ...states,
      written,
      otherRows,
      unread,
      unvaulted,
      stillThere,
      cut,
      ...proven,
    })
    .describe("Where the users of the whole migration stand now."),
}).describe("The end of `import`. `read` is the sum of the seven outcomes and `pending`.");

export const validateSummary = line("summary", {
  command: z.literal("validate"),
  core: core.nullable().describe("Null where none was asked."),
  ...counts,
  otherRows,
  ready: z
    .object({ import: count, passwordless: count, thirdparty: count })
    .describe("Users whom their rows alone let in, by how."),
  plannedCalls: calls.describe(
    "Calls that an import makes for them: at the core that was asked, else at an empty one.",
  ),
  prediction: z
    .object({
      outcomes: z.object(outcomes),
      stops: countsByName.describe("Users at whom the import would stop, by code."),
      kept: countsByName.describe(
        "Users of earlier runs whom a row names that is rejected or skipped, by the state that they keep.",
      ),
      stillThere,
      lookedUp: count.describe("Users who were looked up."),
      unasked: count.describe(
        "Users whose outcome depends on the core, and of whom it wasn't asked; 0 where the prediction is whole.",
      ),
      again: count.describe("Rows of `unchanged` whose user another row stands for, and counts."),
      joinedByBulk: count.describe(
        "Users who join on the day of the import, and whose own day `--bulk always` keeps.",
      ),
    })
    .nullable()
    .describe("How an import would end; null where no core was asked."),
  checkpoint: checkpoint
    .nullable()
    .describe("The one from which the import goes on; null for a first run."),
}).describe(
  "The end of `validate`. `read` is the sum of `ready`, `skipped` and `rejected`; where a core was asked, the `outcomes`, `stops` and `unasked` of `prediction`.",
);

export const proveSummary = line("summary", {
  command: z.literal("prove"),
  source,
  core: core.nullable().describe("Null where no core was asked."),
  users: count.describe("Test users."),
  algorithms: countsByName.describe("Test users who were proved, by the kind of their hash."),
  untried,
  outcomes: z
    .object(outcomes)
    .nullable()
    .describe("Of the import of the test users; null where none was made."),
  proved: z
    .boolean()
    .describe("Whether there were any, all were proved, and no other hash needs a signer key."),
  elapsedMs,
  checkpoint: checkpoint.nullable().describe("Null where no core was asked."),
  interrupted,
  exitCode,
}).describe("The end of `prove`.");

const recipe = z.object({
  brought: count.describe("Users whom this migration brought."),
  core: count.nullable().describe("Users whom the core has; null where it offers no counts."),
});

export const reconcileSummary = line("summary", {
  command: z.literal("reconcile"),
  core,
  checkpoint,
  shards,
  running: z.boolean().describe("Whether a run held the checkpoint's lock."),
  finished: count.describe("Users who are at the core as far as the checkpoint knows."),
  unfinished: count.describe("Users of whom it isn't sure or who weren't sent."),
  counts: z.object({ emailpassword: recipe, passwordless: recipe, thirdparty: recipe }),
  wanted: count.describe("Of these users as many as were to be asked about: a sample, or all."),
  asked: count.describe("Users whom the core was asked about; the sum of the next three fields."),
  agreed: count,
  differing: count,
  unanswered: count,
  unasked: count.describe("Users of whom the checkpoint keeps no id."),
  differences: countsByName.describe("Differing users by code."),
  rows: z
    .object({
      read: count,
      notBrought: count.describe("Rows whose users aren't finished."),
    })
    .nullable()
    .describe("Of the files given; null without files."),
  pages: count
    .nullable()
    .describe(
      "Pages of the core's list of users that were read; 0 where asking for each took fewer calls, null where the core offers no list.",
    ),
  calls,
  agrees: z.boolean().describe("Nothing that was asked for contradicts the checkpoint."),
  interrupted,
  elapsedMs,
  vault: vaultStanding,
  exitCode,
}).describe("The end of `reconcile`.");

export const undoSummary = line("summary", {
  command: z.literal("undo"),
  core,
  checkpoint,
  dryRun: z.boolean().describe("True where nothing was removed."),
  users: count.describe("Users whom this migration had brought by the checkpoint."),
  queued: count.describe("Accounts of its that were in the core's queue."),
  existed: count.describe("Users who were at the core before and stay; without who is in `skips`."),
  removed: count.describe("Users who were removed, or of a dry run would be."),
  gone: count.describe(
    "Users whom the core didn't know any more, or whom its queue hadn't written.",
  ),
  left: count.describe("Users who stay, by `skips`."),
  failed: count.describe("Users who weren't reached."),
  skips: countsByName.describe("Users who stay, by code."),
  calls,
  interrupted,
  elapsedMs,
  exitCode,
}).describe("The end of `undo`.");
