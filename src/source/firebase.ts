/** Firebase Authentication: what `firebase auth:export` writes, as JSON and as CSV. The scrypt parameters aren't in the export; they come from the console (interface.md 4.5). */

import { z } from "zod";
import type { RawHash } from "../hash/hash.js";
import { parseFlag } from "../record/parse-flag.js";
import type { UserDraft } from "../record/user-draft.js";
import type { Exclusion } from "../record/user-record.js";
import { userChecker } from "./check-user.js";
import { defineSource, toDrafts } from "./define-source.js";
import { createLineParser } from "./firebase-csv.js";
import { formatOf } from "./format.js";
import { firstObject, readJson } from "./json.js";
import { readLines } from "./lines.js";
import { RowDamage } from "./row-damage.js";
import type { FileHead } from "./source.js";

/** The array that holds the users in the JSON form. */
const USERS = "users";

/** Columns that hold a social identity's id, by firebase-tools' src/accountExporter.ts. */
const SOCIAL_ID_COLUMNS = [7, 11, 15, 19, 28, 32, 36, 40, 44, 48] as const;

const text = z.string().nullish();
const flag = z.boolean().nullish();
const userSchema = z.object({
  localId: z.string(),
  email: text,
  emailVerified: flag,
  phoneNumber: text,
  passwordHash: text,
  salt: text,
  disabled: flag,
  displayName: text,
  photoUrl: text,
  customAttributes: text,
  providerUserInfo: z.array(z.object({ providerId: z.string() })).nullish(),
  mfaInfo: z.array(z.unknown()).nullish(),
});

/** One user as either form has it. */
interface FirebaseUser {
  readonly localId: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly phone: string;
  readonly passwordHash: string;
  readonly salt: string;
  readonly disabled: boolean;
  /** Provider ids beside password and phone; just `social` in CSV, which has no others. */
  readonly identities: readonly string[];
  readonly hasProfile: boolean;
  readonly hasMetadata: boolean;
  readonly hasMfa: boolean;
}

export const firebase = defineSource({
  name: "firebase",
  label: "Firebase auth:export, JSON or CSV",
  recognize,
  open(head, bytes) {
    if (formatOf(head, USERS) !== "csv")
      return toDrafts(readJson(head.path, bytes, USERS), fromJson);
    const parseLine = createLineParser();
    return toDrafts(readLines(bytes), (line) => fromCsv(parseLine(line)));
  },
});

function recognize(head: FileHead): string | null {
  if (formatOf(head, USERS) !== "csv") {
    const first = firstObject(head, USERS);
    return first !== null && "localId" in first
      ? 'a JSON document whose "users" have a localId'
      : null;
  }
  const end = head.text.indexOf("\n") + 1;
  if (end === 0 && !head.complete) return null;
  const columns = createLineParser()(end === 0 ? head.text : head.text.slice(0, end));
  return columns instanceof RowDamage ? null : `rows of ${columns.length} columns without a header`;
}

const checkUser = userChecker(userSchema, "Firebase");

function fromJson(value: object): UserDraft | RowDamage {
  const user = checkUser(value);
  if (user instanceof RowDamage) return user;
  return toDraft({
    localId: user.localId,
    email: user.email ?? "",
    // The exporter itself takes an absent flag for false.
    emailVerified: user.emailVerified ?? false,
    phone: user.phoneNumber ?? "",
    passwordHash: user.passwordHash ?? "",
    salt: user.salt ?? "",
    disabled: user.disabled ?? false,
    identities: identitiesOf(user.providerUserInfo ?? []),
    hasProfile: isFilled(user.displayName) || isFilled(user.photoUrl),
    hasMetadata: isFilled(user.customAttributes) && user.customAttributes !== "{}",
    hasMfa: (user.mfaInfo ?? []).length > 0,
  });
}

function identitiesOf(providers: readonly { readonly providerId: string }[]): readonly string[] {
  return providers
    .map((provider) => provider.providerId)
    .filter((id) => id !== "password" && id !== "phone");
}

function isFilled(value: string | null | undefined): boolean {
  return value !== undefined && value !== null && value !== "";
}

function fromCsv(columns: readonly string[] | RowDamage): UserDraft | RowDamage {
  if (columns instanceof RowDamage) return columns;
  const column = (index: number): string => columns[index] ?? "";
  return toDraft({
    localId: column(0),
    email: column(1),
    emailVerified: parseFlag(column(2)) ?? false,
    phone: column(25),
    passwordHash: column(3),
    salt: column(4),
    disabled: parseFlag(column(26)) ?? false,
    identities: SOCIAL_ID_COLUMNS.some((index) => column(index) !== "") ? ["social"] : [],
    hasProfile: column(5) !== "" || column(6) !== "",
    hasMetadata: column(27) !== "" && column(27) !== '"{}"',
    hasMfa: false,
  });
}

function toDraft(user: FirebaseUser): UserDraft {
  const notices: string[] = [];
  if (user.identities.length > 0) notices.push("social_identity_dropped");
  if (user.hasProfile) notices.push("profile_not_migrated");
  if (user.hasMetadata) notices.push("metadata_not_migrated");
  if (user.hasMfa) notices.push("mfa_not_migrated");
  const hash = toHash(user);
  return {
    sourceId: user.localId,
    email: user.email,
    emailVerified: user.email === "" ? null : user.emailVerified,
    phone: user.phone,
    // Firebase stores a phone only once its code was entered.
    phoneVerified: user.phone === "" ? null : true,
    hash,
    exclusion: toExclusion(user, hash),
    notices,
  };
}

function toHash(user: FirebaseUser): RawHash | null {
  const { passwordHash, salt } = user;
  if (passwordHash === "") return null;
  return salt === ""
    ? { kind: "text", text: passwordHash }
    : { kind: "vendor_scrypt", hash: passwordHash, salt };
}

function toExclusion(user: FirebaseUser, hash: RawHash | null): Exclusion | null {
  if (user.disabled) return "disabled";
  if (hash !== null || user.phone !== "") return null;
  if (user.identities.length === 0) return user.email === "" ? "anonymous" : null;
  // SAML and OpenID Connect identities belong to somebody's identity provider.
  return user.identities.every((id) => /^(?:saml|oidc)\./.test(id)) ? "sso_only" : null;
}
