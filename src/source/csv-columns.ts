/** Finds out from a CSV header which column holds what: by common names, and by `--map` for the rest. Two columns that could both hold the hash or a contact are an error, never a guess. */

import { RunError } from "../errors/run-error.js";
import type { Exclusion } from "../record/user-record.js";
import type { FlagKind } from "./account-flags.js";

/** The fields that `--map field=column` takes. */
const MAP_FIELDS = [
  "id",
  "email",
  "phone",
  "hash",
  "salt",
  "email_verified",
  "phone_verified",
  "disabled",
] as const;

type MapField = (typeof MAP_FIELDS)[number];
type TextField = "id" | "email" | "phone" | "hash" | "salt";

/** A column of flags and how to read it. */
export interface FlagColumn {
  readonly index: number;
  readonly name: string;
  readonly kind: FlagKind;
}

/** A column that can keep an account out. */
export interface ExclusionColumn extends FlagColumn {
  readonly exclusion: Exclusion;
}

/** Which column holds what, by index; -1 where none does. */
export interface CsvColumns {
  readonly id: number;
  readonly email: number;
  readonly phone: number;
  readonly hash: number;
  readonly salt: number;
  readonly emailVerified: readonly FlagColumn[];
  readonly phoneVerified: readonly FlagColumn[];
  readonly exclusions: readonly ExclusionColumn[];
  /** Secrets of second factors, which the core has no place for. */
  readonly mfa: readonly number[];
  /** Everything else: names, dates, metadata. */
  readonly others: readonly number[];
}

/** Names in order of preference, lower-cased, without spaces and punctuation. */
const NAMES: Readonly<Record<TextField, readonly string[]>> = {
  id: words("id userid uid sub uuid guid localid externalid"),
  email: words("email emailaddress mail useremail primaryemail primaryemailaddress"),
  phone: words(
    "phone phonenumber mobile mobilephone mobilenumber cellphone telephone userphone primaryphone primaryphonenumber",
  ),
  hash: words(
    "passwordhash hash hashedpassword encryptedpassword passworddigest passwd passwordencrypted pwhash userpass userpassword cryptedpassword",
  ),
  salt: words("salt passwordsalt hashsalt"),
};

/**
 * Taken for the hash only where no column has a clearer name. Should it hold passwords in clear,
 * normalization refuses every one of them without showing it.
 */
const PLAIN_PASSWORD = "password";

const EMAIL_VERIFIED: ReadonlyMap<string, FlagKind> = new Map([
  ...named("emailverified emailconfirmed isemailverified isemailconfirmed verifiedemail", "yes"),
  ...named("verified isverified confirmed isconfirmed", "yes"),
  ...named("emailverifiedat emailconfirmedat verifiedat confirmedat", "time"),
]);

const PHONE_VERIFIED: ReadonlyMap<string, FlagKind> = new Map([
  ...named("phoneverified phoneconfirmed isphoneverified isphoneconfirmed", "yes"),
  ...named("phonenumberverified mobileverified verifiedphone", "yes"),
  ...named("phoneverifiedat phoneconfirmedat phonenumberverifiedat", "time"),
]);

const EXCLUSIONS = new Map<string, readonly [FlagKind, Exclusion]>([
  ...named("disabled isdisabled accountdisabled inactive isinactive", ["yes", "disabled"]),
  ...named("blocked isblocked banned isbanned suspended issuspended", ["yes", "disabled"]),
  ...named("locked islocked deactivated isdeactivated archived isarchived", ["yes", "disabled"]),
  ...named("disabledat blockedat bannedat banneduntil suspendedat", ["time", "disabled"]),
  ...named("deactivatedat archivedat", ["time", "disabled"]),
  ...named("active isactive enabled isenabled accountenabled", ["no", "disabled"]),
  ...named("status accountstatus", ["word", "disabled"]),
  ...named("deleted isdeleted", ["yes", "deleted"]),
  ...named("deletedat", ["time", "deleted"]),
  ...named("anonymous isanonymous", ["yes", "anonymous"]),
]);

const MFA: ReadonlySet<string> = new Set(words("totpsecret otpsecret mfasecret twofactorsecret"));

/** Names that are shown to people; longer text, or text with an `@` or `$`, is data, not a name. */
const SHOWABLE = /^[\p{L}\p{N} _.:/()-]{1,40}$/u;
const MAX_SHOWN = 40;

/**
 * Resolves a header.
 *
 * @param map `--map`'s columns by field
 * @throws RunError `input_unrecognized` for a duplicate column, an unknown field, a mapped column
 *   that isn't there, or no column for a contact; `input_ambiguous` for two columns for one field
 */
export function resolveColumns(
  path: string,
  header: readonly string[],
  map: ReadonlyMap<string, string>,
): CsvColumns {
  const keys = header.map(plainName);
  refuseDuplicates(path, header, keys);
  const mapped = resolveMap(path, header, keys, map);
  const texts = {
    id: mapped.get("id") ?? preferred(keys, NAMES.id),
    email: mapped.get("email") ?? only(path, header, keys, "email"),
    phone: mapped.get("phone") ?? only(path, header, keys, "phone"),
    hash: mapped.get("hash") ?? hashColumn(path, header, keys),
    salt: mapped.get("salt") ?? only(path, header, keys, "salt"),
  };
  if (texts.email === -1 && texts.phone === -1) {
    throw unrecognized(path, "has no column for an email or a phone", header);
  }
  const emailVerified = flagColumns(header, keys, EMAIL_VERIFIED, mapped.get("email_verified"));
  const phoneVerified = flagColumns(header, keys, PHONE_VERIFIED, mapped.get("phone_verified"));
  const exclusions = exclusionColumns(header, keys, mapped.get("disabled"));
  const mfa = keys.flatMap((key, index) => (MFA.has(key) ? [index] : []));
  const flags = [...emailVerified, ...phoneVerified, ...exclusions].map(({ index }) => index);
  const used = new Set([...Object.values(texts), ...flags, ...mfa]);
  const others = header.flatMap((_name, index) => (used.has(index) ? [] : [index]));
  return { ...texts, emailVerified, phoneVerified, exclusions, mfa, others };
}

/** @returns true where a header has a column for an email or a phone by its common names */
export function hasContactColumn(header: readonly string[]): boolean {
  return header.some((name) => {
    const key = plainName(name);
    return NAMES.email.includes(key) || NAMES.phone.includes(key);
  });
}

function words(text: string): readonly string[] {
  return text.split(" ");
}

function named<const T>(names: string, meaning: T): (readonly [string, T])[] {
  return words(names).map((name) => [name, meaning]);
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

function refuseDuplicates(path: string, header: readonly string[], keys: readonly string[]): void {
  const index = keys.findIndex((key, at) => key !== "" && keys.indexOf(key) !== at);
  if (index === -1) return;
  throw new RunError(
    "input_unrecognized",
    `${path} has the column ${showName(header[index] ?? "")} twice`,
    { hint: "Rename or remove one of the two." },
  );
}

function resolveMap(
  path: string,
  header: readonly string[],
  keys: readonly string[],
  map: ReadonlyMap<string, string>,
): Map<MapField, number> {
  const columns = new Map<MapField, number>();
  for (const [name, column] of map) {
    const field = MAP_FIELDS.find((known) => known === name);
    if (field === undefined) {
      throw new RunError("input_unrecognized", `--map has no field ${showName(name)}`, {
        hint: `The fields are ${MAP_FIELDS.join(", ")}.`,
      });
    }
    const exact = header.indexOf(column);
    const index =
      exact === -1 && plainName(column) !== "" ? keys.indexOf(plainName(column)) : exact;
    if (index === -1) {
      throw unrecognized(path, `has no column ${showName(column)}, which --map names`, header);
    }
    columns.set(field, index);
  }
  return columns;
}

function preferred(keys: readonly string[], names: readonly string[]): number {
  return names.map((name) => keys.indexOf(name)).find((index) => index !== -1) ?? -1;
}

function only(
  path: string,
  header: readonly string[],
  keys: readonly string[],
  field: Exclude<TextField, "id">,
): number {
  const found = NAMES[field].map((name) => keys.indexOf(name)).filter((index) => index !== -1);
  const [first = -1] = found;
  if (found.length < 2) return first;
  const names = found.map((index) => showName(header[index] ?? ""));
  throw new RunError(
    "input_ambiguous",
    `${path} has several columns for ${field}: ${names.join(", ")}`,
    {
      hint: `Say which one it is with --map ${field}=COLUMN.`,
    },
  );
}

function hashColumn(path: string, header: readonly string[], keys: readonly string[]): number {
  const named = only(path, header, keys, "hash");
  return named === -1 ? keys.indexOf(PLAIN_PASSWORD) : named;
}

function flagColumns(
  header: readonly string[],
  keys: readonly string[],
  known: ReadonlyMap<string, FlagKind>,
  mapped: number | undefined,
): readonly FlagColumn[] {
  return keys.flatMap((key, index) => {
    const kind = known.get(key);
    if (mapped !== undefined ? index !== mapped : kind === undefined) return [];
    return [{ index, name: showName(header[index] ?? ""), kind: kind ?? "yes" }];
  });
}

/** A mapped column comes beside those that are known by name: whichever says "out" is heard. */
function exclusionColumns(
  header: readonly string[],
  keys: readonly string[],
  mapped: number | undefined,
): readonly ExclusionColumn[] {
  return keys.flatMap((key, index) => {
    const known = EXCLUSIONS.get(key) ?? (index === mapped ? (["yes", "disabled"] as const) : null);
    if (known === null) return [];
    const [kind, meaning] = known;
    return [{ index, name: showName(header[index] ?? ""), kind, exclusion: meaning }];
  });
}

function unrecognized(path: string, what: string, header: readonly string[]): RunError {
  const shown = header.slice(0, MAX_SHOWN).map(showName).join(", ");
  const more = header.length > MAX_SHOWN ? ` and ${header.length - MAX_SHOWN} more` : "";
  return new RunError("input_unrecognized", `${path} ${what}`, {
    hint: `The columns found are ${shown}${more}. The first row must name the columns; name those you need with --map, as in --map email=COLUMN.`,
  });
}

/** A file without a header has somebody's data in its first row: that is never shown. */
function showName(name: string): string {
  return SHOWABLE.test(name) && !/\d{5}/.test(name) ? `"${name}"` : "(not a name)";
}
