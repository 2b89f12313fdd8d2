/** Sources of one's own: what a module that `--from ./acme.js` names has to say, and how it is loaded. */

import { pathToFileURL } from "node:url";
import { z } from "zod";
import type { Exclusion } from "../account/user-record.js";
import { RunError } from "../errors/run-error.js";
import type { FieldTable } from "./fields/field-table.js";
import { fieldTree } from "./fields/field-tree.js";
import type { Told } from "./fields/field-watch.js";
import { objectSource, type ReadUser } from "./object-source.js";
import { RowDamage } from "./row-damage.js";
import type { Source } from "./source.js";
import { EXCLUSIONS, exclusionsIn, noticed, rawHashOf } from "./user-parts.js";

/**
 * A source for exports that no mapping says (docs/mappings.md has an example). It is the default
 * export of a module, which `--from ./acme.js` loads and `auth-migrate check-source ./acme.js`
 * checks. Users are the objects of JSON, in a list, in lists further down or one a line; or the rows
 * of a table as objects, whose values are texts. Reading, encodings, gzip, numbering and contacts
 * are none of its business.
 */
export interface OwnSource {
  /** In small letters, digits and hyphens: `source` in the summary. */
  readonly name: string;
  /** The system's name, in messages. */
  readonly title: string;
  /** Any of these lists of fields that users at a file's start have; `!` before one that none has. */
  readonly recognize: readonly (readonly string[])[];
  /** Paths of the list of users in JSON: `data.users`, `orgs[].members`. */
  readonly users?: readonly string[] | undefined;
  /** Columns of a table whose text is JSON. */
  readonly json?: readonly string[] | undefined;
  /** As docs/hashes.md names whose hashes these are; the name by default. */
  readonly hashes?: string | undefined;
  /**
   * What each field is. Joined, metadata, roles, social accounts and second factors arrive by it
   * alone; a field that isn't in it is told, and heard as a table's columns are.
   */
  readonly fields: FieldTable;
  /**
   * What a user becomes. Called for each, in the file's order; it keeps nothing between two calls.
   *
   * @param now when the run began, in epoch milliseconds
   */
  user(user: Readonly<Record<string, unknown>>, now: number): OwnUser | OwnRefusal;
}

/**
 * A user in the export's own words; what isn't there is empty, null or left out. Values may be handed
 * on as they are: an id, a contact or a hash that is no text, and a mark that is neither true nor
 * false, reject their row (`row_malformed`).
 */
export interface OwnUser {
  readonly id: unknown;
  readonly email?: unknown;
  /** Null where the export doesn't say: such an email becomes a way in. */
  readonly emailVerified?: unknown;
  readonly phone?: unknown;
  readonly phoneVerified?: unknown;
  /** As exported, or an object of the vendor's that docs/hashes.md names; null without a password. */
  readonly hash?: unknown;
  /** Why the system doesn't let the user in; empty for a user that it lets in. */
  readonly keptOut: readonly Exclusion[];
  /** Codes of docs/json.md beside those of the fields. */
  readonly notices?: readonly string[] | undefined;
}

/** A user that can't be read, and what to do about it; it holds nothing of the user's. */
export interface OwnRefusal {
  readonly refused: string;
}

/** For the types alone: a module may as well export the object. */
export function defineSource(source: OwnSource): OwnSource {
  return source;
}

const optional = z.string().nullish();
const verified = z.boolean().nullish();

const userSchema = z.union([
  z.strictObject({ refused: z.string() }),
  z.strictObject({
    id: z.string(),
    email: optional,
    emailVerified: verified,
    phone: optional,
    phoneVerified: verified,
    hash: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
    keptOut: z.array(z.enum(EXCLUSIONS)),
    notices: z.array(z.string()).optional(),
  }),
]);

const texts = z.array(z.string());
const sourceSchema = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]{1,30}$/, "is in small letters, digits and hyphens"),
  title: z.string().min(1),
  recognize: z.array(texts.min(1)).min(1),
  users: texts.default([]),
  json: texts.default([]),
  hashes: z.string().optional(),
  fields: z.custom<FieldTable>(
    (value) => typeof value === "object" && value !== null,
    "is a table",
  ),
  user: z.custom<OwnSource["user"]>((value) => typeof value === "function", "is a function"),
});

/**
 * Runs a module's code and makes a source of what it exports.
 *
 * @throws RunError `mapping_invalid`
 */
export async function loadSource(path: string): Promise<Source> {
  const where = `The module ${path}`;
  try {
    const { default: own }: { default?: unknown } = await import(pathToFileURL(path).href);
    return sourceOf(where, own);
  } catch (error) {
    throw error instanceof RunError ? error : noSource(where, error);
  }
}

/**
 * Makes a source of what a module exports, or a program gives.
 *
 * @param where it comes from, for messages
 * @throws RunError `mapping_invalid`
 */
export function sourceOf(where: string, own: unknown): Source {
  const read = sourceSchema.safeParse(own);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw noSource(
      where,
      new Error(`${issue?.path.join(".") || "its default export"}: ${issue?.message}`),
    );
  }
  try {
    return ownSource(read.data);
  } catch (error) {
    throw noSource(where, error);
  }
}

function noSource(where: string, error: unknown): RunError {
  const reason = error instanceof Error ? error.message : "it threw no error";
  return new RunError("mapping_invalid", `${where} is no source: ${reason}`, {
    hint: "docs/mappings.md shows what a module exports.",
    cause: error,
  });
}

/** @throws Error where the table has a field twice, RunError `mapping_invalid` for an expression of `recognize` */
function ownSource({ user: say, ...own }: z.infer<typeof sourceSchema>): Source {
  const fields = fieldTree(own.fields);
  if (fields.places.nodes.length === 0) throw new Error("fields: the table names none");
  return objectSource({
    ...own,
    json: {
      ...own,
      columns: own.json,
      fields,
      hears: true,
      reader(now): ReadUser {
        return (user, told) => {
          try {
            return draftOf(userSchema.parse(say({ ...user }, now)), told);
          } catch {
            return new RowDamage("row_malformed", MALFORMED);
          }
        };
      },
    },
  });
}

const MALFORMED =
  "The source's own code failed at this user, or gave what no user is; auth-migrate check-source says more.";

function draftOf(said: z.infer<typeof userSchema>, told: Told): ReturnType<ReadUser> {
  if ("refused" in said) return new RowDamage("row_malformed", said.refused);
  const { id, email, phone, hash, keptOut, notices = [] } = said;
  return {
    sourceId: id,
    email: email ?? "",
    emailVerified: said.emailVerified ?? null,
    phone: phone ?? "",
    phoneVerified: said.phoneVerified ?? null,
    hash: rawHashOf(hash ?? ""),
    exclusions: exclusionsIn(keptOut),
    notices: noticed(Object.fromEntries(notices.map((code) => [code, true])), told),
  };
}
