/** Makes the draft of an Auth0 user, whatever file they come from. Of several emails the password's own stays. A contact that only an organization vouches for is no way in. */

import { z } from "zod";
import { chooseContact, type ContactCandidate } from "../../../account/choose-contact.js";
import type { UserDraft } from "../../../account/user-draft.js";
import type { RawHash } from "../../../hash/hash.js";
import type { Told } from "../../fields/field-watch.js";
import { RowDamage } from "../../row-damage.js";
import { exclusionsWhere, noticed } from "../../user-parts.js";
import { type Auth0Identity, identityOf, kindOf } from "./auth0-identities.js";
import { idKey, loginKey } from "../../password-lines.js";

/** One user as any of Auth0's files has them. */
interface Auth0User {
  /** The `user_id`; empty where the file has none. */
  readonly id: string;
  readonly email: string;
  /** Null where the file doesn't say. */
  readonly emailVerified: boolean | null;
  readonly phone: string;
  readonly phoneVerified: boolean | null;
  readonly blocked: boolean;
  /** The primary one's connection where there is no list of identities; empty where it isn't known. */
  readonly connection: string;
  /** The primary one first; empty where the file has no list of them. */
  readonly identities: readonly Auth0Identity[];
  /** Of a bulk import file, which holds hashes; null anywhere else. */
  readonly hash: RawHash | null;
  /** The codes of its filled fields. */
  readonly told: Told;
}

const NO_IDENTITY = new RowDamage(
  "row_malformed",
  "The user has neither a user_id nor identities, so it isn't known how they sign in; export the users again with user_id among the fields.",
);

export const BLOCKED_UNCLEAR = new RowDamage(
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

/** Makes the draft of one user; damage where the file doesn't show how they sign in. */
export function toDraft(user: Auth0User): UserDraft | RowDamage {
  const { id, connection, identities, hash } = user;
  if (identities.length === 0 && id === "" && hash === null) return NO_IDENTITY;
  const known = identities.length > 0 ? identities : [identityOf(id, connection)];
  const all = known.map((identity, index) => accessOf(identity, index === 0 ? user : null));
  const open = all.filter(({ kind }) => kind !== "enterprise");
  // Organizations vouch for all contacts, and a code would bypass their providers.
  const ssoOnly = open.length < all.length && !open.some(hasContact);
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
    sourceId: id,
    email: email.value,
    emailVerified: email.verified,
    phone: phone.value,
    phoneVerified: phone.verified,
    hash,
    exclusions: exclusionsWhere({ disabled: user.blocked, sso_only: ssoOnly }),
    notices: noticed(
      {
        password_not_exported: database !== undefined && hash === null,
        social_identity_dropped: all.some(({ kind }) => kind === "social" || kind === "enterprise"),
        // Without a list only the primary one is known.
        identities_not_exported: identities.length === 0 && hash === null,
        other_contacts_not_migrated: email.others + phone.others > 0,
      },
      user.told,
    ),
    ...(database === undefined ? {} : { passwordKeys: passwordKeysOf(database) }),
  };
}

/**
 * Auth0 marks what was verified; what isn't marked was not (`email_verified` is false by default,
 * says the bulk import's schema). A user who signs in by codes has entered one that went to this
 * contact.
 *
 * @param user the user of a primary identity, whose contacts are the identity's own; null for a
 * linked one
 */
function accessOf(identity: Auth0Identity, user: Auth0User | null): Access {
  const kind = kindOf(identity);
  const { email, emailVerified, phone, phoneVerified } = user ?? identity;
  return {
    identity,
    kind,
    email: { value: email, verified: emailVerified ?? kind === "email" },
    phone: { value: phone, verified: phoneVerified ?? kind === "sms" },
  };
}

function hasContact({ email, phone }: Access): boolean {
  return email.value.trim() !== "" || phone.value.trim() !== "";
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
export function hashOf(
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
