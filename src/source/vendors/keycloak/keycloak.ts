/** Keycloak: realm exports with their users, the users' files beside one, the admin API's list of users, and the database's tables as CSV. Several realms in one file are refused: each has people of its own, its administrators among them. */

import { chooseContact } from "../../../account/choose-contact.js";
import { parseFlag } from "../../../account/parse-flag.js";
import type { UserDraft } from "../../../account/user-draft.js";
import { RunError } from "../../../errors/run-error.js";
import type { RawHash } from "../../../hash/hash.js";
import { headerOf } from "../../csv/table.js";
import { defineSource, toDrafts } from "../../define-source.js";
import type { FieldWatch, Told } from "../../fields/field-watch.js";
import { formatOf } from "../../format.js";
import { firstJsonUser, readJsonUsers } from "../../json/json-users.js";
import { textOf } from "../../json/json-value.js";
import { readJson } from "../../json/json.js";
import type { RowBatch } from "../../raw/raw-row.js";
import type { FileHead } from "../../source.js";
import type { RowDamage } from "../../row-damage.js";
import { openTable } from "../../table-users.js";
import { KEYCLOAK_COLUMNS, KEYCLOAK_FIELDS } from "./keycloak-fields.js";
import { fromJson, toDraft } from "./keycloak-json.js";

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
  label:
    "Keycloak realm exports, `realm-users-N.json` files, users of the admin API, and its user table as CSV",
  noUsersHint:
    "A realm may come without its users: Keycloak writes them into files of their own, REALM-users-0.json and so on. Import those, or export again with kc.sh export --users realm_file. The admin console's partial export never holds users.",
  recognize,
  fields: KEYCLOAK_FIELDS,
  columns: KEYCLOAK_COLUMNS,
  open(head, bytes, { watch }) {
    if (formatOf(head, USERS) === "csv")
      return openKeycloakCsv(head, bytes, watch(KEYCLOAK_COLUMNS));
    if (REALMS.test(head.text)) throw severalRealms(head.path);
    const users = REALM.test(head.text)
      ? readRealm(head.path, bytes)
      : readJsonUsers(head, bytes, USERS);
    return toDrafts(users, watch(KEYCLOAK_FIELDS).users(fromJson));
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

/**
 * Columns that make a table with an `email_verified` Keycloak's, which an SQL query joined of
 * user_entity and credential: those that FusionAuth's migration guide asks for, or those of Keycloak
 * 8 and later as they are.
 */
const HASH_COLUMNS = [
  ["password", "salt", "hashiterations", "algorithm"],
  ["secret_data", "credential_data"],
];

/** MySQL writes a BIT as a byte. */
const BITS: ReadonlyMap<string, boolean> = new Map([
  ["\0", false],
  ["\x01", true],
]);

const NO_PHONE = chooseContact([]);

/** Whether a header is that of such a table; databases differ in the case of names. */
function isKeycloakHeader(header: readonly string[]): boolean {
  const names = new Set(header.map((name) => name.toLowerCase()));
  return (
    names.has("email_verified") &&
    HASH_COLUMNS.some((columns) => columns.every((name) => names.has(name)))
  );
}

/**
 * Reads such a table. A column `enabled`, `federation_link` or `type` counts where the table has
 * it.
 */
function openKeycloakCsv(
  head: FileHead,
  bytes: AsyncIterable<Buffer>,
  watch: FieldWatch,
): AsyncIterable<RowBatch<UserDraft>> {
  const { names, rows, userOf } = openTable(head, bytes, KEYCLOAK_COLUMNS, { anyCase: true });
  const readUser = (user: object, told: Told): UserDraft | RowDamage => {
    const cell = (name: string): string => textOf(Reflect.get(user, name)) ?? "";
    return toDraft({
      id: cell("id"),
      username: cell("username"),
      email: cell("email"),
      emailVerified: readBit(cell("email_verified")) ?? false,
      enabled: names.has("enabled") ? readBit(cell("enabled")) : true,
      isServiceAccount: cell("service_account_client_link") !== "",
      isFederated: cell("federation_link") !== "",
      // Identities have a table of their own.
      identities: null,
      hasPasskey: false,
      phone: NO_PHONE,
      hash: toHash(cell),
      passwordUnknown: false,
      mustResetPassword: false,
      hasSecondFactor: false,
      told,
    });
  };
  return toDrafts(rows, watch.users(readUser, userOf));
}

function readBit(text: string): boolean | null {
  return BITS.get(text) ?? parseFlag(text);
}

/** The credential in the form in which a realm export has it. */
function toHash(cell: (name: string) => string): RawHash | null {
  const type = cell("type") === "" ? "password" : cell("type");
  const [secretData, credentialData] = [cell("secret_data"), cell("credential_data")];
  if (secretData !== "") {
    return { kind: "credential", credential: { type, secretData, credentialData } };
  }
  const value = cell("password");
  if (value === "") return null;
  return {
    kind: "credential",
    credential: {
      type,
      secretData: { value, salt: cell("salt") },
      credentialData: { algorithm: cell("algorithm"), hashIterations: cell("hashiterations") },
    },
  };
}
