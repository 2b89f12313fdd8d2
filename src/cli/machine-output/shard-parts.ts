/** What several lines say of the shards of an import. */

import { z } from "zod";
import { code, count } from "./parts.js";

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
