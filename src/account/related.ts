/** What objects beside a user say of them: a verified address, a second factor, a social account, a role, a ban. Pure. */

import { FACTOR_NOTICES } from "./factor-notices.js";
import type { AccountParts } from "./account-parts.js";
import { chooseContact } from "./choose-contact.js";
import type { Contact, UserRecord } from "./user-record.js";

/** What one object says of the users whom it names, or who name it. */
export interface Related {
  /** As a user's row would say it. */
  readonly record: UserRecord;
  /** Says that there is a factor, and isn't one itself. */
  readonly isMark: boolean;
}

/** Tells fields that belong to no part, of which an object has its own, and a user without a hash. */
const OF_ITS_OWN: ReadonlySet<string> = new Set([
  "metadata_not_migrated",
  "password_not_exported",
  "username_not_migrated",
]);

/**
 * A user with what other objects say of them, whatever their order. What keeps out wins: a ban, an
 * address of which one says no.
 *
 * @param resolved the user names objects by their keys alone, and all of them were found
 */
export function withRelated(
  record: UserRecord,
  related: readonly Related[],
  resolved: boolean,
): UserRecord {
  const sorted = inOneOrder(related);
  const others = sorted.map((one) => one.record);
  const [email, emailsLeft] = contactOf(record.email, pick(others, "email"));
  const [phone, phonesLeft] = contactOf(record.phone, pick(others, "phone"));
  const told = others.flatMap(({ notices }) => notices).filter((code) => !OF_ITS_OWN.has(code));
  const isLeft = emailsLeft + phonesLeft > 0;
  const hash = hashOf(record, others);
  const own =
    hash === record.hash
      ? record.notices
      : record.notices.filter((code) => code !== "password_not_exported");
  const notices = [...new Set([...own, ...told, ...(isLeft ? OTHER_CONTACTS : [])])];
  const exclusions = [record, ...others].flatMap((one) => one.exclusions);
  const because = Object.assign({}, ...others.map((one) => one.because), record.because);
  const { account, emailAsWritten } = record;
  const written =
    emailAsWritten ?? others.find((one) => one.email?.value === email?.value)?.emailAsWritten;
  return {
    ...record,
    email,
    phone,
    hash,
    notices,
    exclusions: [...new Set(exclusions)],
    ...(Object.keys(because).length > 0 && { because }),
    ...(written !== undefined && { emailAsWritten: written }),
    ...(account && { account: () => joinedAccount(account(), sorted, resolved) }),
  };
}

const OTHER_CONTACTS = ["other_contacts_not_migrated"];

function pick(others: readonly UserRecord[], field: "email" | "phone"): readonly Contact[] {
  return others.flatMap((one) => one[field] ?? []);
}

function inOneOrder(related: readonly Related[]): readonly Related[] {
  if (related.length < 2) return related;
  const texts = related.map((one) => {
    const { account } = one.record;
    return { one, text: JSON.stringify([one, account?.()]) };
  });
  texts.sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
  return texts.map(({ one }) => one);
}

/** The user's own contact, or the one of the others that they keep, and how many are left behind. */
function contactOf(
  own: Contact | null,
  others: readonly Contact[],
): readonly [Contact | null, number] {
  if (others.length === 0) return [own, 0];
  const candidates = own === null ? others : [{ ...own, primary: true }, ...others];
  const { value, verified, others: left } = chooseContact(candidates);
  return [{ value, verified }, left];
}

/** Several hashes go on as a credential that normalization refuses: none is chosen. */
function hashOf(record: UserRecord, others: readonly UserRecord[]): UserRecord["hash"] {
  const hashes = [record, ...others].flatMap(({ hash }) => hash ?? []);
  const [first, ...more] = new Map(hashes.map((hash) => [JSON.stringify(hash), hash])).values();
  if (first === undefined || more.length === 0) return first ?? null;
  return { kind: "credential", credential: { passwordHash: first, password_hash: more } };
}

function joinedAccount(
  own: AccountParts,
  related: readonly Related[],
  resolved: boolean,
): AccountParts {
  const all = related.flatMap(({ record, isMark }) => {
    const parts = record.account?.();
    if (parts === undefined) return [];
    const stays = parts.stays.filter((code) => !OF_ITS_OWN.has(code));
    // Whether a device accounts for it, all of them say together.
    if (!isMark) return [{ ...parts, stays }];
    const others = stays.filter((code) => !FACTOR_NOTICES.has(code));
    return [{ ...parts, losesFactor: false, stays: others }];
  });
  const parts = [own, ...all];
  const unreadable = parts.flatMap((one) => one.unreadable);
  return {
    joined: parts.find(({ joined }) => joined !== null)?.joined ?? null,
    metadata: Object.assign({}, ...all.map(({ metadata }) => metadata), own.metadata),
    roles: [...new Set(parts.flatMap(({ roles }) => roles))],
    social: parts.flatMap(({ social }) => social),
    totp: parts.flatMap(({ totp }) => totp),
    losesFactor: parts.some(({ losesFactor }) => losesFactor),
    unreadable: [...new Set(unreadable)].filter((part) => !(resolved && part === "roles")),
    stays: [...new Set(parts.flatMap(({ stays }) => stays))],
  };
}
