/** What a user becomes by a mapping: its expressions compiled into accessors once, and called for each user. */

import { parseFlag } from "../../account/parse-flag.js";
import { isImpreciseId } from "../../account/tellable-id.js";
import type { UserDraft } from "../../account/user-draft.js";
import { optionName } from "../../errors/option-name.js";
import type { RawHash } from "../../hash/hash.js";
import { compileExpression, isExpression } from "../expression.js";
import { type IdentityKind, identityKind } from "../identity-providers.js";
import type { Told } from "../fields/field-watch.js";
import { hasHash } from "../generic/generic-draft.js";
import { unreadHash } from "../generic/unread-hash.js";
import { textOf, unwrap } from "../json/json-value.js";
import { idKey } from "../password-lines.js";
import { ID_IMPRECISE, RowDamage } from "../row-damage.js";
import { showName } from "../show-name.js";
import { userChecker } from "../check-user.js";
import { emailOr, exclusionsIn, isExtra, noticed } from "../user-parts.js";
import { type Also, hasher } from "./mapped-hash.js";
import type { MappedForm } from "./mapping-file.js";
import { contactsReader } from "./contacts.js";
import { flagReader, type Words, wordsOf } from "./standing.js";
import { isNothing, lister, plainText, type Reader, texter } from "./texts.js";

/**
 * @param now epoch milliseconds; a lock that was over by then is none
 * @param samples users at the file's start; null where each shows for itself what it has
 * @throws RunError `mapping_invalid` for an expression that can't be read
 */
export function mappedUsers(
  mapping: MappedForm,
  now: number,
  samples: readonly object[] | null,
  words: Words = wordsOf(mapping),
): ReadMapped {
  const idOf = idReader(mapping.id);
  const usernameOf = texter(mapping.username);
  const contactsOf = contactsReader(mapping, samples);
  const withOthers = otherReader(mapping);
  const hashOf = hasher(mapping);
  const standingOf = flagReader(mapping, now, words);
  const waysOf = wayReader(mapping);
  const hasWays = mapping.social.length + mapping.providers.length > 0;
  const isName = mapping.username_counts === "unverified";
  const saysPassword = passwordReader(mapping);
  const exported = mapping.password_export === undefined ? null : texter(mapping.password_export);
  return guarded(mapping, (user, told, also) => {
    const standing = standingOf(user);
    if (standing instanceof RowDamage) return standing;
    const { found, because } = standing;
    const sourceId = idOf(user);
    if (sourceId === null) return ID_IMPRECISE;
    const name = usernameOf(user);
    const { email, phone, isUnread } = contactsOf(user, also?.known);
    const address = emailOr(email.value, name);
    const hash = hashOf(user, also);
    if (hash instanceof RowDamage) return hash;
    const hasPassword = saysPassword(user);
    const ways = hasWays ? waysOf(user).map(identityKind) : NONE;
    const isDenied = found.includes("unverified");
    const isUnproven = isDenied || (isName && email.value.trim() === "");
    const isSso = !hasPassword && isEnterpriseOnly(ways, hash);
    const key = exported !== null && (hash !== null || hasPassword) ? idKey(exported(user)) : null;
    const reasons = isSso ? [...found, "sso_only"] : found;
    const exclusions = reasons.length === 0 ? NONE : exclusionsIn(reasons);
    const decided: Record<string, boolean> = {
      other_contacts_not_migrated: email.others + phone.others > 0,
      username_not_migrated: isExtra(name, address, phone.value, sourceId),
      password_not_exported: hash === "withheld" || (hash === null && hasPassword),
      password_reset_required: found.includes("reset"),
      part_unreadable: isUnread,
    };
    // Without names of ways in, the fields alone tell it.
    const isSocial = found.includes("social") || ways.some((kind) => kind !== "own");
    if (hasWays || isSocial) decided.social_identity_dropped = isSocial;
    return {
      sourceId,
      email: address,
      emailVerified: address === "" ? null : isUnproven ? false : email.verified,
      phone: phone.value,
      phoneVerified: phone.value === "" ? null : isDenied ? false : phone.verified,
      hash: hash === "withheld" ? null : hash,
      exclusions,
      notices: noticed(withOthers(decided, user, address, phone.value), told),
      passwordKeys: key === null ? undefined : [key],
      because: exclusions.length > 0 ? because : undefined,
    };
  });
}

/** What most users have. */
const NONE: readonly never[] = [];

/** Whether a user signs in through an organization alone, and not by a password. */
function isEnterpriseOnly(ways: readonly IdentityKind[], hash: RawHash | string | null): boolean {
  if (ways.length === 0 || ways.some((kind) => kind !== "enterprise")) return false;
  return typeof hash === "string" || !hasHash(hash);
}

/** The id; null for a number that JSON doesn't keep. */
function idReader(from: readonly string[] = []): Reader<string | null> {
  const values = from.map((path) => compileExpression(path).read);
  const text = texter(from);
  const [only] = values;
  if (values.length === 1 && only !== undefined) {
    return (user) => {
      const value = only(user);
      return isImpreciseId(unwrap(value)) ? null : plainText(value);
    };
  }
  return (user) => (values.some((read) => isImpreciseId(unwrap(read(user)))) ? null : text(user));
}

function passwordReader({ has_password }: MappedForm): Reader<boolean> {
  if (has_password === undefined) return () => false;
  const read = texter(has_password.from);
  const { only } = has_password;
  return (user) => {
    const said = read(user).trim();
    return only === undefined ? parseFlag(said) === true : only.includes(said.toLowerCase());
  };
}

const OTHER_MODEL = new RowDamage(
  "other_model",
  "This object is no user: it is of another model and isn't read. Nothing in it was seen to decide about a user; an export of the user model alone has users alone.",
);

/** What a user becomes, where more may be known of them. */
type ReadMapped = (user: object, told: Told, also?: Also) => UserDraft | RowDamage;

/** An expression's function refuses values of other types than it takes. */
function guarded(mapping: MappedForm, read: ReadMapped): ReadMapped {
  const { title, shape, is_user } = mapping;
  const differing = alikeReader(mapping);
  const check = shape && userChecker(shape, title);
  const isUser = is_user === undefined ? null : compileExpression(is_user);
  const odd = new RowDamage(
    "row_malformed",
    `The user's fields are not what ${title} exports; mend it and import the user again.`,
  );
  return (user, told, also) => {
    const checked = check?.(user);
    if (checked instanceof RowDamage) return checked;
    try {
      const isOther = isUser !== null && isUser.read(user) !== true;
      if (isOther) return OTHER_MODEL;
      const draft = read(user, told, also);
      return draft instanceof RowDamage ? draft : (differing(user) ?? draft);
    } catch {
      return odd;
    }
  };
}

/** Adds which notices a user has of emails, phones and names beside those that they keep, by their codes. */
function otherReader(mapping: MappedForm) {
  const [emails = [], phones = []] = [mapping.other_emails, mapping.other_phones].map((paths) =>
    paths.map(lister),
  );
  const differs = Object.entries(mapping.differs).flatMap(([code, fields]) =>
    Object.entries(fields).map(([path, known]) => ({
      code,
      own: texter(path),
      known: known.map(texter),
    })),
  );
  if (emails.length + phones.length + differs.length === 0) {
    return (decided: Record<string, boolean>) => decided;
  }
  const has = (readers: typeof emails, user: object, known: string): boolean =>
    readers.some((read) => read(user).some((one) => isExtra(one, known)));
  return (decided: Record<string, boolean>, user: object, email: string, phone: string) => {
    decided.other_contacts_not_migrated ||= has(emails, user, email) || has(phones, user, phone);
    for (const { code, own, known } of differs) {
      const name = own(user);
      decided[code] ||=
        name !== "" && isExtra(name, email, phone, ...known.map((read) => read(user)));
    }
    return decided;
  };
}

/** A way in of the vendor's own. */
const OWN = "password";

/** The names of the ways in which a user signs in. */
function wayReader(mapping: MappedForm): Reader<readonly string[]> {
  const { social, providers, own_providers } = mapping;
  const own = new Set(
    [own_providers, ...social.map((list) => list.own ?? "")].join(" ").split(" "),
  );
  const paths = [
    ...social.map(({ list, provider, kind }) => `${list}.${kind ?? provider}`),
    ...providers,
  ];
  const readers = paths.map((path) => compileExpression(path).read);
  if (readers.length === 0) return () => [];
  return (user) => {
    const names = readers.flatMap((read) => listed(read(user))).filter((name) => name !== "");
    return names.map((name) => (own.has(name) ? OWN : name));
  };
}

function listed(value: unknown): readonly string[] {
  const names: unknown = typeof value === "string" ? value.split(/[,;|{}\s]+/) : value;
  return (Array.isArray(names) ? names : []).map((name) => (textOf(name) ?? "").trim());
}

/** Rejects a user in whom two fields for one thing say different things, or two hold a password's hash. */
function alikeReader(mapping: MappedForm): Reader<RowDamage | null> {
  const { alike, email = [], phone = [], hash } = mapping;
  const placesIn = (paths: readonly string[]) =>
    paths.map((path) => ({ path, isEmail: email.includes(path), ...compileExpression(path) }));
  const groups = alike.map(placesIn);
  // An expression may give what another place has in another form.
  const plain = hash !== undefined && "value" in hash && !hash.value.some(isExpression);
  const hashes = plain ? placesIn(hash.value) : [];
  if (hashes.length > 1) groups.push(hashes);
  if (groups.length === 0) return () => null;
  const salt = hash !== undefined && "salt" in hash ? hash.salt : undefined;
  const named = Object.entries({ email, phone, salt, hash: hashes.map(({ path }) => path) });
  const fieldOf = (path: string): string =>
    named.find(([, paths]) => paths?.includes(path))?.[0] ?? "FIELD";
  return (user) => {
    for (const group of groups) {
      let [known, by] = ["", ""];
      for (const { path, read, isEmail } of group) {
        const text = comparable(read(user), isEmail);
        const isOther = known !== "" && text !== "" && text !== known;
        if (isOther && (group !== hashes || unreadHash(path, text) !== null))
          return differ(by, path, fieldOf(path));
        if (known === "") [known, by] = [text, path];
      }
    }
    return null;
  };
}

function comparable(value: unknown, isEmail: boolean): string {
  if (isNothing(value)) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value).trim();
  return isEmail ? text.toLowerCase() : text;
}

function differ(one: string, other: string, field: string): RowDamage {
  return new RowDamage(
    "field_ambiguous",
    `${showName(one)} and ${showName(other)} are for one thing, and differ; say which one is the user's, with ${optionName("--map")} ${field}=NAME or in the mapping, in place of alike.`,
  );
}
