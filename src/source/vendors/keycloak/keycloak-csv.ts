/** Keycloak's tables user_entity and credential, joined by an SQL query and written as CSV: with the columns that FusionAuth's migration guide asks for, or those of Keycloak 8 and later as they are. */

import type { RawHash } from "../../../hash/hash.js";
import { chooseContact } from "../../../account/choose-contact.js";
import { parseFlag } from "../../../account/parse-flag.js";
import type { UserDraft } from "../../../account/user-draft.js";
import { headerOf, openTable, withoutNull } from "../../csv/table.js";
import { toDrafts } from "../../define-source.js";
import type { RowBatch } from "../../raw/raw-row.js";
import type { FileHead } from "../../source.js";
import { toDraft } from "./keycloak-user.js";

/** Columns that make a table with an `email_verified` Keycloak's: hashes of either time. */
const HASH_COLUMNS = [
  ["password", "salt", "hashiterations", "algorithm"],
  ["secret_data", "credential_data"],
];
const NAMES = ["first_name", "last_name"];

/** MySQL writes a BIT as a byte. */
const BITS: ReadonlyMap<string, boolean> = new Map([
  ["\0", false],
  ["\x01", true],
]);

const NO_PHONE = chooseContact([]);

/** Whether a header is that of such a table; databases differ in the case of names. */
export function isKeycloakHeader(header: readonly string[]): boolean {
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
export function openKeycloakCsv(
  head: FileHead,
  bytes: AsyncIterable<Buffer>,
): AsyncIterable<RowBatch<UserDraft>> {
  const header = [...new Set(headerOf(head) ?? [])];
  const table = openTable(head, bytes, header);
  const actual = new Map(header.map((name) => [name.toLowerCase(), name]));
  return toDrafts(table.rows, (row) => {
    const cell = (name: string): string => withoutNull(table.cell(row, actual.get(name) ?? ""));
    return toDraft({
      id: cell("id"),
      username: cell("username"),
      email: cell("email"),
      emailVerified: readBit(cell("email_verified")) ?? false,
      enabled: actual.has("enabled") ? readBit(cell("enabled")) : true,
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
      hasJoined: cell("created_timestamp") !== "",
      hasProfile: NAMES.some((name) => cell(name) !== ""),
      hasMetadata: false,
      hasRoles: false,
    });
  });
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
