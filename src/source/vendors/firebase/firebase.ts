/** Firebase Authentication: what `firebase auth:export` writes, as JSON and as CSV, and dumps of the Admin SDK's `listUsers`. The scrypt parameters aren't in an export; they come from the console (interface.md 4.5). */

import { objectSource } from "../../object-source.js";
import { readRows, recognizeWidth } from "./firebase-csv-lines.js";
import { FIREBASE_FIELDS } from "./firebase-fields.js";
import { fromJson } from "./firebase-json.js";

/** The array that holds the users in the JSON form. */
const USERS = "users";

/** Fields that the Admin SDK writes of every user, beside their `uid`. */
const DUMPED = ["providerData", "tokensValidAfterTime", "passwordSalt"];

/** An export of no users: src/commands/auth-export.ts writes these two lines, the API this kind. */
const EMPTY_EXPORT = /^\s*(?:\{"users": \[\r?\n\]\}|\{\s*"kind":\s*"identitytoolkit#)/;

export const firebase = objectSource({
  name: "firebase",
  users: [USERS],
  json: {
    recognize: ([first = {}], { text }) => userMark(first) ?? emptyExport(text),
    columns: [],
    fields: FIREBASE_FIELDS,
    hears: true,
    reader: () => fromJson,
  },
  rows: {
    recognize(head) {
      const width = recognizeWidth(head);
      return width === null ? null : `rows of ${width} columns without a header`;
    },
    open: readRows,
  },
});

function emptyExport(text: string) {
  return EMPTY_EXPORT.test(text)
    ? { reason: "an export without users, as auth:export writes it", isDocument: true }
    : null;
}

function userMark(user: object) {
  if ("localId" in user) return { reason: "users with a localId" };
  const dumped = "uid" in user ? DUMPED.find((name) => name in user) : undefined;
  return dumped === undefined ? null : { reason: `users with a uid and ${dumped}` };
}
