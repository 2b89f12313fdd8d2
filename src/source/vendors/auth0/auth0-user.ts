/** Makes drafts of Auth0's users as JSON; rows of its tables are read as the same objects. They are of the export job, the Management API, the import/export extension, and files made for a bulk import. Of several emails the password's own stays. A contact that only an organization vouches for is no way in. */

import { z } from "zod";
import { chooseContact, type ContactCandidate } from "../../../account/choose-contact.js";
import { parseFlag } from "../../../account/parse-flag.js";
import type { UserDraft } from "../../../account/user-draft.js";
import type { RawHash } from "../../../hash/hash.js";
import { userChecker } from "../../check-user.js";
import type { Told } from "../../fields/field-watch.js";
import { RowDamage } from "../../row-damage.js";
import { exclusionsWhere, noticed } from "../../user-parts.js";
import { type Auth0Identity, identityOf, kindOf } from "./auth0-identities.js";
import { idKey, loginKey } from "../../password-lines.js";

const text = z.string().nullish();
/** Some identity providers' flags are texts, and so are those of tables. */
const flag = z.union([z.boolean(), z.string()]).nullish();

const identitySchema = z.object({
  provider: z.string(),
  // GitHub's and others' are numbers.
  user_id: z.union([z.string(), z.number()]).nullish(),
  connection: text,
  isSocial: flag,
  profileData: z
    .object({ email: text, email_verified: flag, phone_number: text, phone_verified: flag })
    .nullish(),
});

/**
 * Fields by auth0.com/docs/manage-users/user-accounts/user-profiles/user-profile-structure; the
 * capitalized ones are the extension's (client/reducers/export.js of
 * auth0-extensions/auth0-user-import-export-extension).
 */
const userSchema = z.object({
  user_id: text,
  Id: text,
  email: text,
  Email: text,
  email_verified: flag,
  "Email Verified": flag,
  phone_number: text,
  phone_verified: flag,
  // Read as the profile's, by the table of fields.
  username: text,
  blocked: flag,
  identities: z.array(identitySchema).nullish(),
  // The connection's name: what the extension makes of `identities[0].connection`, and what
  // Auth0's own example of an export makes of it.
  Connection: text,
  connection: text,
  provider: text,
  password_hash: text,
  passwordHash: text,
  custom_password_hash: z.looseObject({}).nullish(),
});

const checkUser = userChecker(userSchema, "Auth0");

const NO_IDENTITY = new RowDamage(
  "row_malformed",
  "The user has neither a user_id nor identities, so it isn't known how they sign in; export the users again with user_id among the fields.",
);

const BLOCKED_UNCLEAR = new RowDamage(
  "flag_invalid",
  '"blocked" doesn\'t say clearly whether the account is blocked; write true or false and import the user again.',
);

/** An identity beside its kind and the contacts that it vouches for. */
interface Access {
  readonly identity: Auth0Identity;
  readonly kind: ReturnType<typeof kindOf>;
  readonly email: ContactCandidate;
  readonly phone: ContactCandidate;
}

/** Of a primary identity the user's own. */
type Contacts = Pick<Auth0Identity, "email" | "emailVerified" | "phone" | "phoneVerified">;

/** Makes the draft of one parsed object; damage where the file doesn't show how they sign in. */
export function fromJson(value: object, told: Told): UserDraft | RowDamage {
  const user = checkUser(value);
  if (user instanceof RowDamage) return user;
  const blocked = readFlag(user.blocked ?? false);
  if (blocked === null) return BLOCKED_UNCLEAR;
  const hash = hashOf([user.password_hash, user.passwordHash], user.custom_password_hash);
  if (hash instanceof RowDamage) return hash;
  const sourceId = (user.user_id ?? user.Id ?? "").trim();
  const identities = (user.identities ?? []).map(toIdentity);
  if (identities.length === 0 && sourceId === "" && hash === null) return NO_IDENTITY;
  const connection = (user.Connection ?? user.connection ?? user.provider ?? "").trim();
  const known = identities.length > 0 ? identities : [identityOf(sourceId, connection)];
  const own = {
    email: user.email ?? user.Email ?? "",
    emailVerified: verifiedOf(user.email_verified ?? user["Email Verified"]),
    phone: user.phone_number ?? "",
    phoneVerified: verifiedOf(user.phone_verified),
  };
  const all = known.map((identity, index) => accessOf(identity, index === 0 ? own : identity));
  const open = all.filter(({ kind }) => kind !== "enterprise");
  // Organizations vouch for all contacts, and a code would bypass their providers.
  const ssoOnly =
    open.length < all.length &&
    !open.some(({ email, phone }) => email.value.trim() !== "" || phone.value.trim() !== "");
  const ways = ssoOnly ? all : open;
  const database = open.find(({ kind }) => kind === "database");
  const [first] = ways;
  const choose = (what: "email" | "phone", kept = first) =>
    chooseContact(
      ways.map((way) => {
        const { value, verified } = way[what];
        return { value, verified, primary: way === kept };
      }),
    );
  const [email, phone] = [choose("email", database), choose("phone")];
  return {
    sourceId,
    email: email.value,
    emailVerified: email.verified,
    phone: phone.value,
    phoneVerified: phone.verified,
    hash,
    exclusions: exclusionsWhere({ disabled: blocked, sso_only: ssoOnly }),
    notices: noticed(
      {
        password_not_exported: database !== undefined && hash === null,
        social_identity_dropped: all.some(({ kind }) => kind === "social" || kind === "enterprise"),
        // Without a list only the primary one is known.
        identities_not_exported: identities.length === 0 && hash === null,
        other_contacts_not_migrated: email.others + phone.others > 0,
      },
      told,
    ),
    // None in a list of all identities; without one only the primary is known.
    passwordKeys: database ? passwordKeysOf(database) : identities.length > 0 ? [] : undefined,
  };
}

/**
 * Auth0 marks what was verified; what isn't marked was not (`email_verified` is false by default,
 * says the bulk import's schema). A user who signs in by codes has entered one that went to this
 * contact.
 */
function accessOf(identity: Auth0Identity, contacts: Contacts): Access {
  const kind = kindOf(identity);
  const { email, emailVerified, phone, phoneVerified } = contacts;
  return {
    identity,
    kind,
    email: { value: email, verified: emailVerified ?? kind === "email" },
    phone: { value: phone, verified: phoneVerified ?? kind === "sms" },
  };
}

/** Keys of the database whose email stays: another database's password goes with another email. */
function passwordKeysOf({ identity, email }: Access): string[] {
  const keys = [idKey(identity.id), loginKey(identity.connection, email.value)];
  return keys.filter((key) => key !== null);
}

/**
 * How the texts begin, by algorithm, that Auth0 takes whole with their salt
 * (auth0.com/docs/manage-users/user-migration/bulk-user-import-schema, "Supported hashing
 * algorithms"). Others keep the salt and more beside the hash.
 */
const WHOLE: ReadonlyMap<string, RegExp> = new Map([
  ["bcrypt", /^\$2/],
  ["argon2", /^\$argon2/],
  ["pbkdf2", /^\$pbkdf2/],
  ["ldap", /^\{/],
]);

const value = z.string();

/** A hash that may be nothing but its text: nothing else takes part in it. */
const textSchema = z.strictObject({
  algorithm: z.string(),
  hash: z.union([
    z.strictObject({ value, encoding: z.literal("utf8").optional() }),
    value.transform((hash) => ({ value: hash })),
  ]),
});

const TWO_HASHES = new RowDamage(
  "row_malformed",
  "The user has more than one password hash where Auth0 takes one; leave the right one and import the user again.",
);

/**
 * @param whole the values of `password_hash`, and of the names that it goes by elsewhere
 * @param custom the value of `custom_password_hash`
 */
function hashOf(
  whole: readonly (string | null | undefined)[],
  custom: object | null | undefined,
): RawHash | RowDamage | null {
  const texts = whole.filter((text) => typeof text === "string" && text.trim() !== "");
  const [text] = texts;
  if (texts.length > 1 || (text !== undefined && custom)) return TWO_HASHES;
  if (text) return { kind: "text", text };
  return custom ? customHash(custom) : null;
}

function customHash(custom: object): RawHash {
  const { data } = textSchema.safeParse(custom);
  const isWhole = data !== undefined && WHOLE.get(data.algorithm)?.test(data.hash.value) === true;
  return isWhole
    ? { kind: "text", text: data.hash.value }
    : { kind: "credential", credential: custom };
}

function toIdentity(identity: z.infer<typeof identitySchema>): Auth0Identity {
  const profile = identity.profileData;
  return {
    provider: identity.provider.trim(),
    id: String(identity.user_id ?? "").trim(),
    connection: (identity.connection ?? "").trim(),
    isSocial: readFlag(identity.isSocial ?? ""),
    email: profile?.email ?? "",
    emailVerified: verifiedOf(profile?.email_verified),
    phone: profile?.phone_number ?? "",
    phoneVerified: verifiedOf(profile?.phone_verified),
  };
}

/** A value that can't be read is no yes. */
function verifiedOf(value: boolean | string | null | undefined): boolean | null {
  return value === undefined || value === null ? null : (readFlag(value) ?? false);
}

function readFlag(value: boolean | string): boolean | null {
  return typeof value === "string" ? parseFlag(value) : value;
}
