/** Keycloak: realm exports with their users, the users' files beside one, the admin API's list of users, and the database's tables as CSV. Several realms in one file are refused: each has people of its own, its administrators among them. */

import { RunError } from "../../../errors/run-error.js";
import { headerOf } from "../../csv/table.js";
import { defineSource, toDrafts } from "../../define-source.js";
import { formatOf } from "../../format.js";
import { readJson } from "../../json/json.js";
import { firstJsonUser, readJsonUsers } from "../../json/json-users.js";
import type { RowBatch } from "../../raw/raw-row.js";
import type { FileHead } from "../../source.js";
import { isKeycloakHeader, openKeycloakCsv } from "./keycloak-csv.js";
import { fromJson } from "./keycloak-json.js";

/** The array that holds the users in both kinds of realm file. */
const USERS = "users";

/** A document's first plain fields name its realm; a list of users has no such field. */
const REALM = /^\s*\{[^[\]{}]*"realm"\s*:/;
const REALMS = /^\s*\[\s*\{[^[\]{}]*"realm"\s*:/;

/** Settings that every realm has, early in the file (RealmRepresentation). */
const SETTINGS = /"(?:notBefore|sslRequired|accessTokenLifespan|defaultSignatureAlgorithm)"\s*:/;

const USERS_START = /"users"\s*:\s*\[/;

/** Fields that the admin API's users have beside their username (UserRepresentation). */
const API_FIELDS = ["emailVerified", "createdTimestamp"];

export const keycloak = defineSource({
  name: "keycloak",
  label: "Keycloak realm export, its users files, the admin API's users, or its user table as CSV",
  noUsersHint:
    "A realm may come without its users: Keycloak writes them into files of their own, REALM-users-0.json and so on. Import those, or export again with kc.sh export --users realm_file. The admin console's partial export never holds users.",
  recognize,
  open(head, bytes) {
    if (formatOf(head, USERS) === "csv") return openKeycloakCsv(head, bytes);
    if (REALMS.test(head.text)) throw severalRealms(head.path);
    if (REALM.test(head.text)) return toDrafts(readRealm(head.path, bytes), fromJson);
    return toDrafts(readJsonUsers(head, bytes, USERS, { documents: "many" }), fromJson);
  },
});

function recognize(head: FileHead): string | null {
  if (formatOf(head, USERS) === "csv") {
    return isKeycloakHeader(headerOf(head) ?? []) ? "the columns of Keycloak's tables" : null;
  }
  if (REALMS.test(head.text)) return SETTINGS.test(head.text) ? "a list of realms" : null;
  const first = firstJsonUser(head, USERS);
  if (REALM.test(head.text)) {
    // A realm's settings may fill the whole head, and its users come after them.
    const isRealm =
      first === null
        ? SETTINGS.test(head.text) || USERS_START.test(head.text)
        : "username" in first || SETTINGS.test(head.text);
    return isRealm ? "a realm and its users" : null;
  }
  return first !== null && "username" in first && API_FIELDS.every((name) => name in first)
    ? "users with a username, createdTimestamp and emailVerified"
    : null;
}

/** The users of a realm file: none where it was exported without them. */
async function* readRealm(
  path: string,
  bytes: AsyncIterable<Buffer>,
): AsyncGenerator<RowBatch<object>> {
  try {
    yield* readJson(path, bytes, USERS);
  } catch (error) {
    if (!(error instanceof RunError) || error.code !== "input_unrecognized") throw error;
  }
}

/** `kc.sh export --file` without `--realm` (SingleFileExportProvider.exportModel). */
function severalRealms(path: string): RunError {
  return new RunError("input_unrecognized", `${path} holds all realms of a server`, {
    hint: "Each realm has users of its own, the administrators in master among them. Export the application's realm alone: kc.sh export --realm NAME --users realm_file --dir DIRECTORY.",
  });
}
