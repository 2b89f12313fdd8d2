/** A mapping as it is written: how a system's exports are recognized and what their fields mean, in YAML. docs/mappings.md has a page on writing one. */

import { z } from "zod";
import { READ } from "../fields/field-table.js";
import { globOf } from "../fields/field-tree.js";
import { EXCLUSIONS } from "../user-parts.js";
import { databasePart } from "./database-part.js";

export const text = z.string().min(1);
/** Signs between the parts of a text. */
const signs = text.transform((any) => new RegExp(`[${any.replace(/[\\\]^-]/g, "\\$&")}]`));
/** One or several; of several the first filled one counts. */
const texts = z.union([text, z.array(text).min(1)]).transform((given) => [given].flat());
/** Table paths by what is said of them: a notice's code, a reason. */
const groups = z.record(text, texts);

/** What one value of a flag says; `in` says nothing more, and `asked` stands in `else` alone: all but the words that keep out everywhere. */
const meaning = z.enum(["in", "asked", ...EXCLUSIONS, "unverified", "reset", "social"]);
const meanings = z
  .union([meaning, z.array(meaning)])
  .transform((given) => [given].flat().filter((one) => one !== "in"));

/** How a flag is read that holds yes or no, a point in time, a state's word, or `userAccountControl`. */
const kind = z.enum(["yes", "no", "time", "until", "since", "expiry", "word", "bits"]);

const flag = z
  .strictObject({
    /** How values are read that aren't listed. Without it they are unclear. */
    is: kind.optional(),
    as: z.enum(EXCLUSIONS).default("disabled"),
    /** Single values; `number` stands for other numbers, `else` for all that is there, `""` for nothing there. */
    values: z.record(z.string(), meanings).default({}),
    /** The flag counts no longer once one of these times is over. */
    until: texts.optional(),
    /** How messages call it, in place of its expression. */
    name: text.optional(),
    /** Counts where nothing is there. */
    or: text.optional(),
    /** What to do about a value that isn't clear. */
    hint: text.optional(),
  })
  .refine(({ is, values }) => is !== undefined || Object.keys(values).length > 0, {
    message: "a flag says how it is read, by is or by values",
  });

const values = z.array(text.transform((value) => value.toLowerCase())).optional();
/** An empty `time` means not yet. So does an empty `mark`: the system writes it only where it is true. */
const mark = z.strictObject({
  from: texts,
  is: z.enum(["yes", "no", "time", "mark"]).default("yes"),
  /** The only values that say yes. */
  only: values,
  /** Values that say yes beside those that `is` reads as such. */
  also: values,
  /** It is about the user's only contact: about the phone of a user without an email. */
  alone: z.literal(true).optional(),
});
const verified = z.union([
  texts.transform((from): z.infer<typeof mark> => ({ from, is: "yes" })),
  mark,
]);
/** Of several one that says no is enough. */
const marks = z.union([verified.transform((one) => [one]), z.array(mark).min(1)]);

/** A place of contacts, be it a text, several, or objects `{ value, verified, primary }`. */
const place = z.strictObject({
  from: text,
  /** What it says of those that don't say it themselves. */
  verified: z.boolean().nullable().default(null),
  primary: z.boolean().default(false),
  /** Whether objects without a `value` are read by other common names of one. */
  by: z.enum(["value", "names"]).default("value"),
  /** Signs between contacts, where a text holds several. */
  apart: signs.optional(),
  /** Whether emails and phones stand there, of which those with an `@` are emails. */
  mixed: z.boolean().default(false),
});

const hashParts = z.strictObject({
  value: texts.default([]),
  /** Says how the hash was made. */
  algorithm: texts.optional(),
  salt: texts.optional(),
  /** What else says more of it. Two that differ are both kept, so that neither is trusted. */
  hash_type: texts.optional(),
  pepper: texts.optional(),
  encryptionScheme: texts.optional(),
  factor: texts.optional(),
  /** A password in plain text, where no hash is: told, and never sent. */
  plain: texts.optional(),
  /** Names of algorithms whose hash is whole, whatever stands in the salt. */
  whole: z.array(text).default([]),
  /** Stands where the export withholds the hash. */
  masked: text.optional(),
});

const hash = z.union([
  texts.transform((value): HashParts => ({ value, whole: [] })),
  hashParts,
  /** The vendor's own names for the parts of its credentials; the first is the hash. */
  z.strictObject({ credential: z.record(text, text) }),
]);

const social = z.strictObject({
  list: text,
  provider: text,
  id: texts,
  email: text.optional(),
  verified: text.optional(),
  /** Tells a social network's accounts from an organization's, where the provider's name doesn't. */
  kind: text.optional(),
  /** Empty where elements without a provider are the vendor's own. */
  own: z.string().optional(),
});

/** The types of the fields that are read; `!` stands behind the name of one that no user lacks, `*` for all names. A list of several says that it is any of them. */
const shape: z.ZodType<z.ZodType> = z.lazy(() =>
  z.union([
    z.literal("text").transform(() => z.string()),
    z.literal("flag").transform(() => z.boolean()),
    z.literal("value").transform(() => z.union([z.string(), z.number(), z.boolean()])),
    z.literal("any").transform(() => z.unknown()),
    z.literal("none").transform(() => z.null()),
    z.tuple([shape]).transform(([one]) => z.array(one)),
    z
      .array(shape)
      .min(2)
      .transform((any) => z.union(any)),
    z.record(text, shape).transform((fields) => {
      const named = Object.entries(fields).map(([name, one]) =>
        name.endsWith("!") ? [name.slice(0, -1), one] : [name, one.nullish()],
      );
      const each = fields["*"];
      return each === undefined
        ? z.object(Object.fromEntries(named))
        : z.record(z.string(), each.nullish());
    }),
  ]),
);

const refused = z.union([
  z
    .array(text)
    .min(1)
    .transform((fields) => ({ fields, what: undefined, hint: undefined })),
  /** What the file does, behind its name, and what to do about it. */
  z.strictObject({ fields: z.array(text).min(1), what: text, hint: text }),
]);

/** What users of one form mean. */
export const form = z.strictObject({
  pages: z.array(z.url()).default([]),
  /** Any of these: fields that users at the start of a file have; `!` before one that none has, `^` before one of the document that holds them. */
  recognize: z.array(z.array(text).min(1)).min(1),
  /** Whether columns count whatever the case of their names, which is written small here. */
  any_case: z.boolean().default(false),
  /** Columns that a table can't do without. */
  needs: z.array(text).default([]),
  /** Columns of which a table has one at least, or its users have the notice `bans_not_exported`; of JSON fields of which some user has one, or the file has that finding. */
  bans: z.array(text).default([]),
  /** The system's other tables, each by fields that users don't have, and other files: they are refused. */
  refuses: z.record(text, refused).default({}),
  /** True of users alone; other objects among them are skipped (`other_model`). */
  is_user: text.optional(),
  /** A user of another shape is rejected by the name of the field. */
  shape: shape.optional(),
  /** What some users' fields are, by other names, also in objects of a list. A user who has the field `without` has no other names. */
  names: z.strictObject({ without: text, are: z.record(text, text) }).optional(),
  /** Gives the user as the rest has it; one of another shape stays as it is. */
  view: text.optional(),
  /** Columns that hold JSON in a table, or fields of a view. */
  json: z.array(text).default([]),
  id: texts,
  email: texts.optional(),
  phone: texts.optional(),
  /** Where a user has several, of which one is chosen. `email` and `phone` beside them are the primary ones. */
  emails: z.array(place).default([]),
  phones: z.array(place).default([]),
  /** Counts where the places don't say it. */
  email_verified: marks.optional(),
  phone_verified: marks.optional(),
  /** Fields for one thing: a user in whom two of them differ is rejected. */
  alike: z.array(z.array(text).min(2)).default([]),
  /** A name to sign in by. It is the email where that is empty and the name is an address. */
  username: text.optional(),
  /** A name is what its user chose, and no email that was verified; `as_email` where no mark says of an email, either. */
  username_counts: z.enum(["unverified", "as_email"]).default("unverified"),
  other_emails: texts.default([]),
  other_phones: texts.default([]),
  /** By the code of a notice: fields that have it where they differ from the user's email and phone, and from all of the others. */
  differs: z.record(text, z.record(text, texts)).default({}),
  /** Absent where the system hands out none. */
  hash: hash.optional(),
  /** Says yes of a user with a password that the export doesn't show. */
  has_password: verified.optional(),
  /** The id under which a password export of the system's (`--password-export`) has the hash of such a user. */
  password_export: text.optional(),
  flags: z.record(text, flag).default({}),
  joined: texts.optional(),
  metadata: z.record(text, text).default({}),
  roles: texts.optional(),
  /** Roles that every user has, or that mean something to the system alone; `*` stands for any letters. */
  usual_roles: z
    .array(text)
    .transform((roles) => {
      const fitting = roles.map(globOf);
      return (role: string) => fitting.some((fits) => fits(role));
    })
    .optional(),
  /** Signs between roles where a text holds several. */
  roles_apart: signs.optional(),
  social: z.array(social).default([]),
  /** The user's id at each provider that has a field of its own. */
  social_ids: z.record(text, texts).default({}),
  /** Names of the ways in which a user signs in, in a list or with signs between them. */
  providers: texts.default([]),
  own_providers: text.default(""),
  totp: texts.optional(),
  factors: texts.optional(),
  told: groups.default({}),
  /** An application's own: it stays behind, and is heard as a table's columns are. */
  heard: texts.default([]),
  /** Whether fields that nothing here names are heard, too, or told alone. */
  others: z.enum(["heard", "told"]).default("heard"),
  /** Fields by what is read of them, in place of those that the expressions look at. */
  read: z.partialRecord(z.enum([...READ, "providers"]), z.array(text)).default({}),
  meaningless: groups.default({}),
});

/** An object beside the users, read as a user's row is. */
const related = form
  .extend({
    recognize: z.array(z.array(text)).default([]),
    id: texts.default([]),
    /** True of these objects alone, as they stand in the file. */
    where: text.optional(),
    /** The list beside the users in which they are, by the last of the names that lead to it. */
    list: text.optional(),
    /** Where it names its user, by one of the user's `keys`; or several users, each by one. */
    user: text.optional(),
    users: text.optional(),
    /** Or its own keys, and where a user names it by one of them. */
    keys: texts.default([]),
    listed: text.optional(),
  })
  .refine(({ where, list }) => where !== undefined || list !== undefined, {
    message: "it says which objects it is about (where, list)",
  })
  .refine(
    ({ user, users, keys, listed }) =>
      [user, users, keys.length > 0 && !!listed].filter(Boolean).length === 1,
    { message: "it names its user (user, users), or a user names it (keys, listed)" },
  );

export const mapping = form.extend({
  /** By what other objects name a user; the id by default. */
  keys: texts.default([]),
  /** Objects of JSON that say something of users: the first that fits. */
  related: z.array(related).default([]),
  name: z.string().regex(/^[a-z][a-z0-9-]{1,30}$/, "is in small letters, digits and hyphens"),
  title: text,
  /** As docs/hashes.md names the vendor, where it isn't the mapping's own name. */
  hashes: text.optional(),
  noUsersHint: text.optional(),
  /** Where the list of users is; one at the top, the only one of a file, and users on lines are found without. */
  users: texts.default([]),
  /** Says all of tables, where these have columns of their own. */
  table: form.optional(),
  /** Where its users are in the system's own database. */
  database: databasePart.optional(),
});

export type Mapping = z.infer<typeof mapping>;
/** How users of one form are read. */
export type MappedForm = z.infer<typeof form> & Pick<Mapping, "title">;
export type RelatedForm = z.infer<typeof related>;
export type HashParts = z.infer<typeof hashParts>;
export type FlagRule = z.infer<typeof flag>;
export type ContactPlace = z.infer<typeof place>;
