/** What a mapping says of its system's database: the table of the users, and the tables beside it that say more of each. Queries are made of it, for each system of databases. */

import { z } from "zod";

const text = z.string().min(1);
const value = z.union([z.boolean(), z.string(), z.number(), z.null()]);
/** By a column's name: what it has to hold, one of several, or not to hold; or which other column holds the same. */
const conditions = z.record(
  text,
  z.union([
    value.transform((one) => ({ isNot: false, values: [one] })),
    z
      .array(value)
      .min(1)
      .transform((values) => ({ isNot: false, values })),
    z.strictObject({ not: value }).transform(({ not }) => ({ isNot: true, values: [not] })),
    z
      .strictObject({ column: text })
      .transform(({ column }) => ({ isNot: false, values: [], column })),
  ]),
);

/** Its column by the column that holds the same. */
const joined = z.record(text, text);

/**
 * Rows of other tables that belong to a user: a list of JSON, or columns of the first row. A column
 * is one of its own table, or `joined.column`; `{}` behind one says that its text is JSON, and `=`
 * before one that it is SQL, over the rows `b0` and those joined, `b1` and so on.
 */
const beside = z.strictObject({
  /** `#14` in it is a number that releases raise, 14 now; a schema before a dot counts where it is another. */
  table: text,
  /** The column that holds the user's key; or its columns by the user's; or, after `=`, SQL as below. */
  on: z.union([text, joined]),
  /** Further tables, each by its name: its columns by those of the tables before it. */
  join: z.record(text, joined).default({}),
  where: conditions.default({}),
  /** The columns of each row, as they are called or by the names that they get. */
  columns: z
    .union([
      z.array(text).transform((names) => names.map((name) => [name, name] as const)),
      z.record(text, text).transform((named) => Object.entries(named)),
    ])
    .default([]),
  /** One column, where rows are no objects but values. */
  value: text.optional(),
  /** Without it no user can be read rightly: that its table isn't there means another version. */
  needed: z.boolean().default(false),
  /** Says whether there are any, and nothing of them. */
  exists: z.boolean().default(false),
  /** The columns of the first row stand beside the user's own. */
  one: z.boolean().default(false),
  /** By which columns rows are sorted; `-` before one, the largest first. */
  order: z.array(text).default([]),
});

/** Users of several in one table, of whom one's are read. */
const tenants = z.strictObject({
  /** What one of them is called: realm, organization. */
  called: text,
  /** The column of the users' table that tells them apart. */
  column: text,
  /** The table that has their names; without it the column has. */
  table: text.optional(),
  key: text.default("id"),
  name: text.default("name"),
  /** The system's own, who aren't meant where there is another. */
  own: z.array(text).default([]),
});

export const databasePart = z.strictObject({
  /** The system's own name of the table of the users; another name counts where only one table has the columns. */
  table: text,
  schema: text.optional(),
  /** What stands before the names of all tables, unless it was set otherwise. */
  prefix: z.string().default(""),
  key: text.default("id"),
  where: conditions.default({}),
  tenants: tenants.optional(),
  /** The systems on which it runs; the first one's query is shown where none is named. */
  systems: z.array(z.enum(["postgres", "mysql"])).default(["postgres", "mysql"]),
  /** By the name of the column that it becomes. It is left out where its table isn't there. */
  beside: z.record(text, beside).default({}),
});

export type DatabasePart = z.infer<typeof databasePart>;
export type BesideTable = z.infer<typeof beside>;
export type Tenants = z.infer<typeof tenants>;
export type Conditions = z.infer<typeof conditions>;

/** The columns that hold lists of JSON. */
export function listColumns({ beside }: DatabasePart): readonly string[] {
  return Object.entries(beside).flatMap(([name, { one, exists }]) => (one || exists ? [] : [name]));
}
