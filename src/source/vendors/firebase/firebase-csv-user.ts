/** A row of Firebase's CSV in the shape of the JSON that `auth:export` writes, so that one table of fields serves both. */

import type { FirebaseCsvRow } from "./firebase-csv.js";

/** The columns before the first provider's and behind the fourth's (firebase-tools' src/accountExporter.ts). */
const NAMES = [
  "localId",
  "email",
  "emailVerified",
  "passwordHash",
  "salt",
  "displayName",
  "photoUrl",
];
const LATER = ["createdAt", "lastLoginAt", "phoneNumber", "disabled", "customAttributes"];
const PROVIDERS = ["google.com", "facebook.com", "twitter.com", "github.com"];
const LATER_PROVIDERS = [
  "apple.com",
  "microsoft.com",
  "gc.apple.com",
  "playgames.google.com",
  "linkedin.com",
  "yahoo.com",
];
/** A provider's columns. */
const IDENTITY = ["rawId", "email", "displayName", "photoUrl"];

/** Stands for a value that is there and can't be told from what stands beside it. */
const UNCLEAR = true;

/** The row's user as the JSON form has it. */
export function asExported(row: FirebaseCsvRow): object {
  const { cells, localId, email, emailVerified, passwordHash, salt, phone, disabled } = row;
  if (cells === null) {
    return {
      localId,
      email,
      emailVerified,
      passwordHash,
      salt,
      phoneNumber: phone,
      disabled,
      ...(row.hasProfile ? { displayName: UNCLEAR } : {}),
      ...(row.hasClaims ? { customAttributes: UNCLEAR } : {}),
      ...(row.hasJoined ? { createdAt: UNCLEAR } : {}),
      ...(row.hasSocial ? { providerUserInfo: [{ providerId: UNCLEAR }] } : {}),
    };
  }
  const laterAt = NAMES.length + PROVIDERS.length * IDENTITY.length;
  const providersAt = laterAt + LATER.length;
  const identities = [
    ...identitiesAt(cells, NAMES.length, PROVIDERS),
    ...identitiesAt(cells, providersAt, LATER_PROVIDERS),
  ];
  return {
    ...named(NAMES, cells, 0),
    ...named(LATER, cells, laterAt),
    providerUserInfo: identities,
  };
}

function identitiesAt(cells: readonly string[], from: number, providers: readonly string[]) {
  return providers.flatMap((providerId, index) => {
    const at = from + index * IDENTITY.length;
    return cells[at] ? [{ providerId, ...named(IDENTITY, cells, at) }] : [];
  });
}

function named(names: readonly string[], cells: readonly string[], from: number): object {
  return Object.fromEntries(names.map((name, index) => [name, plain(cells[from + index] ?? "")]));
}

/** Names and claims stand in quotation marks, within which the exporter escapes them or doesn't. */
function plain(cell: string): string {
  const quoted = /^"(.*)"$/s.exec(cell);
  return quoted === null ? cell : (quoted[1] ?? "").replace(/\\"|""/g, '"');
}
