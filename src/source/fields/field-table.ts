/** The table of a source's fields: what each of them is, by the vendor's own documentation. It is data; nothing here reads a user. */

/**
 * Fields that decide who the user is, by which contacts and hash they sign in, and whether they are
 * let in, in the order of tables. A `factor` is a mark that says that there is a second factor, and not
 * which.
 */
export const READ = ["id", "contact", "verified", "hash", "flag", "factor"] as const;
/** One of these uses. */
export type ReadFor = (typeof READ)[number];

/** Fields that are parts of the account. */
export type AccountPart = "joined" | "metadata" | "roles" | "social" | "totp";

/** Where a list of social accounts has its parts; paths within one of its elements. */
export interface SocialList {
  /** The path of the list itself. */
  readonly list: string;
  readonly provider: string;
  /** The user's id at the provider; of several the first filled one. */
  readonly id: readonly string[];
  readonly email?: string | undefined;
  readonly verified?: string | undefined;
  /** Providers that are the vendor's own ways in, and no social ones. */
  readonly own?: string | undefined;
  /** Where the user has what the list's first element lacks. */
  readonly first?: { readonly email: string; readonly verified: string };
}

/**
 * The fields of one vendor's exports, in all their forms. To add a field, write its path where it
 * belongs; the import, `validate --fields`, the guide's table and the law test follow.
 *
 * Paths are separated by commas or lines, or stand in a list. `a.b` is a property of a property, `[]` stands for every
 * element of a list, `*` for any letters of a name, `~name` for a name in whatever case and with
 * whatever signs between its letters, `name{}` for a text that holds a JSON object. What lies below
 * a path that the table doesn't name is what the path is.
 */
export interface FieldTable {
  /** The vendor's pages, or the files of its code, that describe the fields. */
  readonly pages: readonly string[];
  readonly read: Readonly<Partial<Record<ReadFor, Paths>>>;
  readonly joined?: Paths;
  /** `path > name` where it goes by another name than its own. */
  readonly metadata?: Paths;
  readonly roles?: Paths;
  /** Roles that every user has, or that mean something to the vendor's own system alone. */
  readonly usualRoles?: (role: string) => boolean;
  /** Stands between roles where a text holds several. */
  readonly rolesApart?: RegExp | string;
  readonly social?: readonly SocialList[];
  /** The user's ids at providers that have a field of their own. */
  readonly socialIds?: Readonly<Record<string, Paths>>;
  /** Secrets of second factors by time, in base32. */
  readonly totp?: Paths;
  /** What stays behind, by the notice that tells it. */
  readonly told?: Readonly<Record<string, Paths>>;
  /** An application's own: it stays behind, and is heard as a column of no known system is. */
  readonly heard?: Paths;
  /** What means nothing outside the vendor's own system, by the reason. */
  readonly meaningless: Readonly<Record<string, Paths>>;
}

type Paths = string | readonly string[];

/** What a field is. */
export type Fate =
  | { readonly kind: "read"; readonly is: ReadFor }
  /** `name` is the metadata's, or the provider's of a column with the user's id there; else empty. */
  | { readonly kind: "part"; readonly is: AccountPart; readonly name: string }
  | { readonly kind: "told"; readonly code: string; readonly isHeard?: boolean }
  | { readonly kind: "meaningless"; readonly why: string };

/** One field of a table. */
export interface Field {
  readonly path: string;
  readonly fate: Fate;
}

/** OpenID Connect's standard claims of a person (OpenID Connect Core 1.0, 5.1). */
const CLAIMS: ReadonlySet<string> = new Set(
  "name given_name family_name middle_name nickname profile picture website gender birthdate zoneinfo locale address".split(
    " ",
  ),
);

/** A name to sign in by, which a core without usernames has no other place for. */
const USERNAMES: ReadonlySet<string> = new Set(["preferred_username", "username"]);

/** Tells an application's own fields, whether or not a table names them. */
export const UNNAMED = "metadata_not_migrated";

const PART_CODES = {
  joined: "joined_not_migrated",
  roles: "roles_not_migrated",
  social: "social_identity_dropped",
  totp: "mfa_not_migrated",
} as const;

/** The notice by which a field that stays behind is told; null for one that is read or means nothing. */
export function codeOf(fate: Fate): string | null {
  if (fate.kind === "told") return fate.code;
  if (fate.kind === "read") return fate.is === "factor" ? PART_CODES.totp : null;
  if (fate.kind === "meaningless") return null;
  if (fate.is !== "metadata") return PART_CODES[fate.is];
  if (USERNAMES.has(fate.name)) return "username_not_migrated";
  return isClaim(fate.name) ? "profile_not_migrated" : "metadata_not_migrated";
}

/** Whether metadata of this name is a standard claim, or a part of the claim `address`. */
export function isClaim(name: string): boolean {
  return CLAIMS.has(name) || name.startsWith("address.");
}

/** The table's fields, one by one, in its order. */
export function fieldsOf(table: FieldTable): readonly Field[] {
  const { read, joined, metadata, roles, social = [], totp } = table;
  const { socialIds = {}, told = {}, heard, meaningless } = table;
  return [
    ...READ.flatMap((is) => fields(read[is], { kind: "read", is })),
    ...fields(joined, { kind: "part", is: "joined", name: "" }),
    ...pathsIn(metadata).map(metadataField),
    ...fields(roles, { kind: "part", is: "roles", name: "" }),
    ...social.flatMap(({ list, provider, id, email = [], verified = [] }) =>
      [provider, id, email, verified].flat().map((path) => ({
        path: `${list}.${path}`,
        fate: { kind: "part", is: "social", name: "" } as const,
      })),
    ),
    ...Object.entries(socialIds).flatMap(([name, paths]) =>
      fields(paths, { kind: "part", is: "social", name }),
    ),
    ...fields(totp, { kind: "part", is: "totp", name: "" }),
    ...fields(heard, { kind: "told", code: UNNAMED, isHeard: true }),
    ...Object.entries(told).flatMap(([code, paths]) => fields(paths, { kind: "told", code })),
    ...Object.entries(meaningless).flatMap(([why, paths]) =>
      fields(paths, { kind: "meaningless", why }),
    ),
  ];
}

function fields(paths: Paths | undefined, fate: Fate): Field[] {
  return pathsIn(paths).map((path) => ({ path, fate }));
}

/** The paths that a table lists. */
function pathsIn(text: Paths = ""): readonly string[] {
  if (typeof text !== "string") return text;
  return text.split(/[,\n]/).flatMap((path) => path.trim() || []);
}

function metadataField(text: string): Field {
  const [path = "", given] = text.split(" > ");
  const own =
    path
      .replace(/[~{}]|\[\]/g, "")
      .split(".")
      .at(-1) ?? "";
  return { path, fate: { kind: "part", is: "metadata", name: given ?? own } };
}
