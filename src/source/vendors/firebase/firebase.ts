/** Firebase Authentication: what `firebase auth:export` writes, as JSON and as CSV, and dumps of the Admin SDK's `listUsers`. The scrypt parameters aren't in an export; they come from the console (interface.md 4.5). */

import { defineSource, toDrafts } from "../../define-source.js";
import { formatOf, isJson } from "../../format.js";
import { listOfUsers } from "../../generic/json-head.js";
import { readJson } from "../../json/json.js";
import { firstJsonUser, jsonUsersAt } from "../../json/json-users.js";
import { firstLine, readNdjson } from "../../json/ndjson.js";
import { guardKinds } from "../../kinds.js";
import type { RowBatch } from "../../raw/raw-row.js";
import type { FileHead } from "../../source.js";
import { unnamedFields } from "../../unnamed-fields.js";
import { readRows, recognizeWidth } from "./firebase-csv-lines.js";
import { FIREBASE_FIELDS } from "./firebase-fields.js";
import { fromJson } from "./firebase-json.js";

/** The array that holds the users in the JSON form. */
const USERS = "users";

/** Fields that the Admin SDK writes of every user, beside their `uid`. */
const DUMPED = ["providerData", "tokensValidAfterTime", "passwordSalt"];

/** An export of no users: src/commands/auth-export.ts writes these two lines, the API this kind. */
const EMPTY_EXPORT = /^\s*(?:\{"users": \[\r?\n\]\}|\{\s*"kind":\s*"identitytoolkit#)/;

export const firebase = defineSource({
  name: "firebase",
  label:
    "Firebase `auth:export`, JSON and CSV (28 and 52 columns, no header), and the Admin SDK's `listUsers` as JSON",
  recognize,
  fields: FIREBASE_FIELDS,
  hears: isJson,
  open(head, bytes, options) {
    const watch = options.watch(FIREBASE_FIELDS);
    if (!isJson(head)) return toDrafts(readRows(head, bytes), watch.users(fromJson));
    const list = listIn(head);
    const isDocument = formatOf(head, list) === "json";
    const users = isDocument ? readJson(head.path, bytes, list) : openLines(head, bytes);
    const { samples, path } = jsonUsersAt(head, [list]);
    const { map, now } = options;
    const alike = guardKinds(head, path, users, { samples, map, fields: FIREBASE_FIELDS, now });
    const { hear, guard } = unnamedFields(head, [], FIREBASE_FIELDS, options);
    return guard(
      toDrafts(
        alike,
        watch.users((user, told) => hear(user, fromJson(user, told))),
      ),
    );
  },
});

/** A first line that is an object but no user is the start of another product's document. */
function openLines(head: FileHead, bytes: AsyncIterable<Buffer>): AsyncIterable<RowBatch<object>> {
  const first = firstLine(head);
  const isUser = first === null || "localId" in first || "uid" in first;
  return isUser ? readNdjson(bytes) : readJson(head.path, bytes, USERS);
}

const listIn = (head: FileHead) =>
  listOfUsers(head, USERS, (first) => recognizeUser(first, "") !== null);

function recognize(head: FileHead): string | null {
  if (!isJson(head)) return recognizeCsv(head);
  const list = listIn(head);
  const first = firstJsonUser(head, list);
  const container =
    formatOf(head, list) === "json" ? "a JSON document whose" : "lines of JSON whose";
  if (first !== null) return recognizeUser(first, container);
  return EMPTY_EXPORT.test(head.text) ? "an export without users, as auth:export writes it" : null;
}

function recognizeCsv(head: FileHead): string | null {
  const width = recognizeWidth(head);
  return width === null ? null : `rows of ${width} columns without a header`;
}

function recognizeUser(user: object, container: string): string | null {
  if ("localId" in user) return `${container} "users" have a localId`;
  const dumped = "uid" in user ? DUMPED.find((name) => name in user) : undefined;
  return dumped === undefined ? null : `${container} users have a uid and ${dumped}`;
}
