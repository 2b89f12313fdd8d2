/** What several lines of the machine output are made of. Shapes only; they describe what is printed and check nothing at run time. */

import { z } from "zod";
import { DIALECT_NAMES } from "../../core/dialect.js";
import { OTHER_ROWS } from "../../errors/place.js";

export const count = z.int().min(0);

export const milliseconds = count.describe("Milliseconds.");

/** New codes may come at any time, so a line names none of them. */
export const code = z
  .string()
  .regex(/^[a-z0-9_]+$/)
  .describe("A stable code; more may be added.");

export const hint = z
  .string()
  .describe("What it is and what to do about it, for people. Its wording may change.");

/** A row of a user at the core, as the checkpoint knows it. */
export const keptRow = z
  .object({
    file: z.string().describe("The file as it was named on the command line."),
    number: z.int().min(1).describe("The row's number from 1; a CSV header isn't a row."),
  })
  .describe("A row of an input.");

export const row = z
  .object({
    ...keptRow.shape,
    line: z
      .int()
      .min(1)
      .optional()
      .describe(
        "The line at which it begins, as an editor counts; absent where rows aren't lines.",
      ),
    origin: keptRow
      .extend({ line: z.int().min(1).optional() })
      .optional()
      .describe("Of a file of rejects: the row of the export that stands here."),
  })
  .describe("A row of an input.");

export const sourceId = z
  .string()
  .nullable()
  .describe("The vendor's id; null where there is none or where it looks like a contact.");

export const exitCode = z.int().min(0).max(255).describe("What the shell is told.");

export const time = z.iso.datetime().describe("ISO 8601, UTC.");

/** Names that stand for data: codes, algorithms. */
export const countsByName = z.record(z.string(), count);

export const algorithm = z.enum(["bcrypt", "argon2", "vendor_scrypt"]);

export const steps = z
  .array(z.string())
  .readonly()
  .describe("What was done to the hash, in order; empty where it is sent as it was.");

export const calls = z
  .object({
    code: count,
    consume: count,
    update: count,
    import: count,
    lookup: count,
    map: count,
    part: count,
  })
  .describe("Attempts at the core, by call.");

export const core = z
  .union([
    z.object({ kind: z.literal("embedded"), file: z.string() }),
    z.object({
      kind: z.literal("embedded"),
      database: z.string().describe("As in postgres://host:5432/name, without a login."),
    }),
    z.object({
      kind: z.literal("remote"),
      url: z.string(),
      dialect: z
        .enum(DIALECT_NAMES)
        .optional()
        .describe("Absent where nothing had to be asked that shows it."),
    }),
  ])
  .describe("The core: in this process on a data file or a database, or behind a URL.");

export const elapsedMs = milliseconds.describe("How long it has taken, in milliseconds.");

export const checkpoint = z.string().describe("The checkpoint's file.");

export const interrupted = z.boolean().describe("True where it was stopped before its end.");

export const unfinished = count.describe("Users with whom a further run would go on.");

/** @returns the fields of a line of this type */
export function line<Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.object({ type: z.literal(type), v: z.literal(1), ...shape });
}

/** What all shards of an import came to. */
export const shards = z
  .object({
    proved: z.boolean().describe("Every row has exactly one outcome in exactly one shard."),
    shards: z.int().min(1).describe("How many shards there are to be."),
    rows: count.describe("Rows of the export."),
    ownRows: count.describe("Rows of the shards that came to their end."),
    flaws: z
      .array(
        z.object({
          code,
          shard: z.int().min(1).nullable(),
          checkpoint: z.string().nullable(),
          message: z.string().describe("What it is and what to do; for people."),
          runAgain: z.boolean().describe("Running the shard, or letting it end, is the way out."),
        }),
      )
      .readonly()
      .describe("What speaks against it; empty where it is proved."),
  })
  .nullable()
  .describe("What all shards came to together; null without a manifest.");

export const otherRows = z
  .object({ rejects: countsByName, skips: countsByName, failures: countsByName })
  .describe(`Rows ${OTHER_ROWS}, by code.`);

export const check = z
  .array(z.string())
  .readonly()
  .nullable()
  .describe(
    "What asks its core for the users, as `command`: its name, then each option with its value.",
  );

export const written = count.describe(
  "Those of `queued` whom the core's queue had written when it was last asked; they count once they are read back.",
);

export const unread = count
  .nullable()
  .describe(
    "Users of rows that no run has taken; null where there are more, and nobody knows how many.",
  );

export const stillThere = countsByName.describe(
  "Users at the core whose latest row would leave them out: by the word of `--include` that is lacking, or `since` the vendor keeps them out.",
);

export const endings = {
  imported: count,
  created: count,
  existed: count,
  skipped: count,
  rejected: count,
  failed: count,
};

/** How users sign in who are brought, or would be. */
export const signingIn = {
  bridged: count.describe(
    "Of `imported`, or of those who would be: users whose hash no core takes and the vault keeps.",
  ),
  social: count.describe(
    "Of `created`, or of those who would be: users who sign in by a social account.",
  ),
};

export const unvaulted = count.describe(
  "Of `existed`, whose hash no core takes: no vault of this migration has it.",
);

/** What runs have proved. */
export const proven = {
  proved: z
    .boolean()
    .describe("Whether a run has verified known passwords; at a remote core by signing in."),
  provedUsers: z
    .object({ sent: count, bridged: count, untried: countsByName.optional() })
    .describe(
      "The most test users of one such run: verified against what the core gets, and against what the vault keeps. 0 where nobody was brought so. `untried` are hashes by kind of which no test user has one; 0 where one has.",
    ),
};

export const cut = z
  .enum(["stopped", "limited", "truncated", "proof"])
  .nullable()
  .describe("What keeps the numbers from being of every row; null where nothing does.");

/** The vault of bridged users. */
export const vaultStanding = z
  .object({
    id: z.string().describe("What tells it from other vaults."),
    file: z.string().describe("As it was named last."),
    imports: count.describe("How many imports have written to it."),
    lost: count.describe("Users whose old hash an earlier vault had that is lost."),
    start: z.string().nullable().describe("What starts its bridge, as `command`."),
    inUse: z.boolean().describe("Whether a bridge or an import uses it now."),
    found: z
      .enum(["latest", "older", "other", "missing", "unreadable"])
      .nullable()
      .describe("What stands there; null where it wasn't looked for."),
    left: count.nullable().describe("Users who are left in it; null where that isn't known."),
  })
  .nullable()
  .describe("The vault on which the old passwords of `bridged` depend; null where none do.");
