/** Reads Auth0's password export, which its support hands out: a line for each user of the tenant's databases, with the hash that no other export of Auth0's has. */

import { z } from "zod";
import { optionName } from "../../../errors/option-name.js";
import { RunError } from "../../../errors/run-error.js";
import { textOf, unwrap } from "../../json/json-value.js";
import { readJsonUsers } from "../../json/json-users.js";
import {
  CONTROL,
  idKey,
  loginKey,
  type PasswordLine,
  type PasswordLines,
  toLines,
} from "../../password-lines.js";
import { RowDamage } from "../../row-damage.js";
import { fileWord } from "../../show-name.js";
import type { FileHead } from "../../source.js";
import { userChecker } from "../../check-user.js";

/** Where a document that is an object would have its lines; the export itself is none. */
const USERS = "users";

const text = z.string().nullish();
const oid = z.union([z.string(), z.object({ $oid: z.string() })]).nullish();

/**
 * support.auth0.com, "How to Use the Password Hashes Export from Auth0". Where `email` is missing
 * at the top, says that page, it is among the `identifiers`. Tools write `_ID`, `$oid` at the top,
 * the id with its `auth0|`, and `password_hash`.
 */
const lineSchema = z.object({
  _id: oid,
  _ID: oid,
  $oid: text,
  alt_id: z.union([z.string(), z.number()]).nullish(),
  email: text,
  identifiers: z.array(z.object({ type: text, value: text })).nullish(),
  connection: text,
  passwordHash: text,
  password_hash: text,
});

type Line = z.infer<typeof lineSchema>;

const checkLine = userChecker(lineSchema, "Auth0");

const NO_LINE = new RowDamage(
  "row_malformed",
  "The line is not of a password export: it has no _id and no passwordHash.",
);
const NOBODYS = new RowDamage(
  "row_malformed",
  "The line names no user: it has no usable id and no email.",
);
const BAD_HASH = new RowDamage(
  "row_malformed",
  "The line has two different hashes, or one with control characters in it.",
);

const mongosId = z.object({ $oid: z.string() });
const exportedLine = z
  .object({
    passwordHash: z.string(),
    connection: z.string(),
    tenant: z.string(),
    user_id: z.never().optional(),
  })
  .and(z.union([z.object({ _id: mongosId }), z.object({ _ID: mongosId })]));

/**
 * Whether a file's first object is a line of a password export: no other product's user has all of
 * these names.
 */
export function isPasswordLine(object: object): boolean {
  return exportedLine.safeParse(object).success;
}

/**
 * The error for a password export that is named in place of the users.
 *
 * @param path for the message
 */
export function passwordsAsUsers(path: string): RunError {
  const message = `${path} is Auth0's password export, which has no users`;
  return new RunError("input_unrecognized", message, {
    hint: `It doesn't say who is blocked. Name the users' own export in its place, and beside that ${optionName("--password-export")} ${fileWord(path)} (docs/vendors/auth0.md).`,
  });
}

/**
 * Reads a password export in constant memory, in batches in the file's order: NDJSON as it comes,
 * gzipped or not, or a JSON array of the same objects.
 *
 * @returns lines, or damage in the place of one that can't be read
 * @throws RunError `password_export_partial`
 */
export function readAuth0Passwords(
  head: FileHead,
  bytes: AsyncIterable<Buffer>,
): AsyncIterable<PasswordLines> {
  return toLines(head.path, readJsonUsers(head, bytes, USERS), toLine);
}

function toLine(value: object): PasswordLine | RowDamage {
  const line = checkLine(value);
  if (line instanceof RowDamage) return line;
  const ids = idsOf(line);
  const hashes = [line.passwordHash, line.password_hash].filter((hash) => hash?.trim());
  const [hash = null, other = hash] = hashes;
  if (ids.length === 0 && hash === null) return NO_LINE;
  if (other !== hash || (hash && CONTROL.test(hash))) return BAD_HASH;
  const all = [...ids.map(idKey), loginKey(line.connection ?? "", emailOf(line))];
  const keys = all.filter((key) => key !== null);
  return keys.length === 0 ? NOBODYS : { keys, hash: hash ?? null };
}

/** The id that Auth0 gave, and the one that the customer chose, which the user_id then has. */
function idsOf({ _id, _ID, $oid, alt_id }: Line): string[] {
  const ids = [_id, _ID, $oid, alt_id].map((id) => textOf(unwrap(id)) ?? "");
  return [...new Set(ids.map((id) => id.trim().replace(/^auth0\|/, "")))].filter(Boolean);
}

function emailOf({ email, identifiers }: Line): string {
  if (email?.trim()) return email;
  return identifiers?.find(({ type }) => type === "email")?.value ?? "";
}
