/** The lines that tell of rows: what becomes of one, and what a file's rows show in all. */

import { z } from "zod";
import { code, count, hint, line, row, sourceId } from "./parts.js";

const user = { row, sourceId, code, hint };

export const reject = line("reject", user).describe("A user can't be migrated as they are.");

export const skip = line("skip", user).describe("A user is left out on purpose.");

export const failure = line("failure", user).describe(
  "A user wasn't reached; running again tries them again.",
);

export const prediction = line("prediction", {
  row,
  outcome: z
    .enum(["imported", "created", "existed", "skipped", "rejected", "failed", "unchanged", "stop"])
    .describe("`stop`: the import would end before it sends this user."),
  code: code.nullable().describe("Of a reject, a skip, a failure or a stop; else null."),
}).describe("`validate --core`: how an import would end for a row whose outcome is known.");

export const difference = line("difference", {
  ...user,
  fields: z
    .array(z.string())
    .readonly()
    .optional()
    .describe("Of metadata: the names of the fields that differ."),
}).describe("`reconcile`: checkpoint and core differ in a user; a line for each thing.");

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
  name: z.string().describe("`(not a name)` where it may be a user's data."),
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
}).describe(
  "Which columns or properties of a CSV or JSON file without a vendor's form are read as what.",
);

export const field = line("field", {
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
  is: z.string().nullable().describe("What it is: `id`, `contact`, `hash`, `joined` and the like."),
  code: code
    .nullable()
    .describe("Of a notice or a finding, or `columns`, the line of a CSV or JSON file."),
  reason: z.string().nullable(),
}).describe("`validate --fields`: what becomes of a field.");
