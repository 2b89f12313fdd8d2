/** What a Clerk user becomes, whichever form the export has: fields under the names of Clerk's Backend API, contacts as lists of objects, of texts, or in one text. */

import { z } from "zod";
import type { RawHash } from "../../../hash/hash.js";
import {
  type ChosenContact,
  type ContactCandidate,
  chooseContact,
} from "../../../account/choose-contact.js";
import { parseFlag } from "../../../account/parse-flag.js";
import type { UserDraft } from "../../../account/user-draft.js";
import type { Exclusion } from "../../../account/user-record.js";
import { exclusionsWhere, isExtra, noticed } from "../../user-parts.js";
import type { Told } from "../../fields/field-watch.js";
import { RowDamage } from "../../row-damage.js";
import { type IdentityKind, identityKind } from "../../identity-providers.js";

const text = z.string().nullish();
const flag = z.union([z.boolean(), z.string()]).nullish();
const list = z.array(z.unknown()).nullish();
/** An email or a phone of the Backend API. */
const contact = z.object({
  id: text,
  email_address: text,
  phone_number: text,
  verification: z.object({ status: text }).nullish(),
  // Of a phone that only confirms sign-ins.
  reserved_for_second_factor: flag,
});
/** One text holds several contacts with commas or `|` between them. */
const contacts = z.union([z.string(), z.array(z.union([z.string(), contact]))]).nullish();
/** One user as the Backend API names the fields. */
export const userSchema = z.object({
  id: z.string().optional(),
  // The tool's name for it.
  user_id: z.string().optional(),
  username: text,
  primary_email_address: text,
  primary_phone_number: text,
  primary_email_address_id: text,
  primary_phone_number_id: text,
  email_addresses: contacts,
  phone_numbers: contacts,
  verified_email_addresses: contacts,
  unverified_email_addresses: contacts,
  verified_phone_numbers: contacts,
  unverified_phone_numbers: contacts,
  password_digest: text,
  password_hasher: text,
  password_enabled: flag,
  banned: flag,
  locked: flag,
  external_accounts: z.array(z.object({ provider: text })).nullish(),
  enterprise_accounts: list,
  saml_accounts: list,
  web3_wallets: list,
});

type Text = z.infer<typeof text>;
type Flag = z.infer<typeof flag>;
type ClerkContact = z.infer<typeof contact>;
type Contacts = z.infer<typeof contacts>;

/** One user; what a form lacks is missing. */
export interface ClerkUser extends Partial<z.infer<typeof userSchema>> {
  readonly id: string;
  /** The contacts are those of Clerk's command line, which lists the verified ones apart. */
  readonly listsVerified: boolean;
  /** The form has a place for social and enterprise accounts, which the dashboard's CSV lacks. */
  readonly showsAccounts: boolean;
  /** The codes of its filled fields. */
  readonly told: Told;
}

/** The fields in which an export lists one kind of contact. */
interface ContactFields {
  readonly primary: Text;
  readonly primaryId: Text;
  readonly all: Contacts;
  readonly verified: Contacts;
  readonly unverified: Contacts;
  readonly textOf: (contact: ClerkContact) => Text;
}

const FLAG_UNREADABLE = new RowDamage(
  "flag_invalid",
  "The field banned or locked says neither true nor false; mend it and import the user again.",
);

export function toDraft(user: ClerkUser): UserDraft | RowDamage {
  const emails = choose(user, {
    primary: user.primary_email_address,
    primaryId: user.primary_email_address_id,
    all: user.email_addresses,
    verified: user.verified_email_addresses,
    unverified: user.unverified_email_addresses,
    textOf: (contact) => contact.email_address,
  });
  const phones = choose(user, {
    primary: user.primary_phone_number,
    primaryId: user.primary_phone_number_id,
    all: user.phone_numbers,
    verified: user.verified_phone_numbers,
    unverified: user.unverified_phone_numbers,
    textOf: (contact) => contact.phone_number,
  });
  const hash = toHash(user);
  const exclusions = exclusionsOf(user, hash);
  if (exclusions instanceof RowDamage) return exclusions;
  return {
    sourceId: user.id,
    email: emails.value,
    emailVerified: emails.verified,
    phone: phones.value,
    phoneVerified: phones.verified,
    hash,
    exclusions,
    notices: noticesOf(user, emails, phones, hash),
  };
}

function choose(user: ClerkUser, fields: ContactFields): ChosenContact {
  const main = (fields.primary ?? "").trim();
  // The tool's unverified contacts stand in a list of their own, too.
  const listed = user.listsVerified ? true : null;
  const candidates: ContactCandidate[] = [
    { value: main, verified: listed, primary: true },
    ...candidatesOf(fields.verified, true, main, fields),
    ...candidatesOf(fields.all, listed, main, fields),
    ...candidatesOf(fields.unverified, false, main, fields),
  ];
  const chosen = chooseContact(candidates.filter(({ value }) => value !== ""));
  // A column of verified contacts that lacks this one says that it isn't verified.
  const isDenied = typeof fields.verified === "string" && chosen.value !== "";
  return isDenied ? { ...chosen, verified: chosen.verified === true } : chosen;
}

/** @param verified what the list says about contacts that don't say it themselves */
function candidatesOf(
  contacts: Contacts,
  verified: boolean | null,
  main: string,
  { primaryId, textOf }: ContactFields,
): ContactCandidate[] {
  return listOf(contacts, main).map((contact) => {
    if (typeof contact === "string") return { value: contact, verified };
    // Such a phone is a second factor, and no user signs in with it.
    if (isOn(contact.reserved_for_second_factor)) return { value: "", verified: null };
    return {
      value: textOf(contact) ?? "",
      verified: contact.verification?.status === "verified",
      primary: isFilled(primaryId) && contact.id === primaryId,
    };
  });
}

/** @param main isn't taken apart: a `|` may be part of an address */
function listOf(contacts: Contacts, main: string): readonly (string | ClerkContact)[] {
  if (contacts === null || contacts === undefined) return [];
  if (typeof contacts !== "string") return contacts;
  const text = contacts.trim();
  return text === main ? [text] : text.split(/[,|]/).map((one) => one.trim());
}

function toHash({ password_digest, password_hasher }: ClerkUser): RawHash | null {
  // A hasher without a digest is judged as well: Clerk writes both or none.
  if (isFilled(password_hasher)) {
    return { kind: "credential", credential: { password_digest, password_hasher } };
  }
  return isFilled(password_digest) ? { kind: "text", text: password_digest } : null;
}

/** A lock ends by itself, but the export doesn't say when; a user who is locked out stays out. */
function exclusionsOf(user: ClerkUser, hash: RawHash | null): readonly Exclusion[] | RowDamage {
  for (const flag of [user.banned, user.locked]) {
    if (typeof flag === "string" && flag !== "" && parseFlag(flag) === null) return FLAG_UNREADABLE;
  }
  const kinds = identitiesOf(user);
  const hasPassword = hash !== null || isOn(user.password_enabled);
  const onlyEnterprise = kinds.length > 0 && kinds.every((kind) => kind === "enterprise");
  return exclusionsWhere({
    disabled: isOn(user.banned) || isOn(user.locked),
    sso_only: onlyEnterprise && !hasPassword,
  });
}

function identitiesOf(user: ClerkUser): IdentityKind[] {
  const accounts = (user.external_accounts ?? []).map(({ provider }) =>
    identityKind(provider ?? ""),
  );
  const enterprise = [...(user.enterprise_accounts ?? []), ...(user.saml_accounts ?? [])];
  return [...accounts, ...enterprise.map((): IdentityKind => "enterprise")];
}

function noticesOf(
  user: ClerkUser,
  emails: ChosenContact,
  phones: ChosenContact,
  hash: RawHash | null,
): readonly string[] {
  return noticed(
    {
      identities_not_exported: !user.showsAccounts && hash === null,
      social_identity_dropped:
        identitiesOf(user).length > 0 || (user.web3_wallets ?? []).length > 0,
      username_not_migrated: isExtra(user.username ?? "", emails.value, phones.value, user.id),
      other_emails_not_migrated: emails.others > 0,
      other_phones_not_migrated: phones.others > 0,
      password_not_exported: hash === null && isOn(user.password_enabled),
    },
    user.told,
  );
}

function isFilled<Value extends string | number>(text: Value | null | undefined): text is Value {
  return text !== null && text !== undefined && text !== "";
}

function isOn(flag: Flag): boolean {
  return typeof flag === "string" ? parseFlag(flag) === true : flag === true;
}
