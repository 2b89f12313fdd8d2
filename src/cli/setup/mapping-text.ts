/** Writes a mapping as YAML with a comment for each field. */

import { stringify } from "yaml";

/** What there is to write. */
export interface MappingLines {
  readonly name: string;
  readonly hashes: string;
  readonly users: string | null;
  readonly recognize: readonly string[];
  readonly texts: Readonly<
    Record<"id" | "email" | "phone" | "hash" | "salt" | "plain", readonly string[]>
  >;
  readonly beside: Readonly<Record<string, string>>;
  readonly verified: Readonly<Record<"email" | "phone", object | null>>;
  readonly flags: readonly { readonly path: string; readonly rule: object }[];
  readonly joined: readonly string[];
  readonly metadata: readonly { readonly path: string; readonly name: string }[];
  readonly roles: readonly string[];
  readonly totp: readonly string[];
  readonly ignored: readonly string[];
  readonly heard: readonly string[];
}

/** A field of the mapping with what is said of it; empty fields are left out. */
type Line = readonly [comment: string, field: string, value: unknown];

export function mappingText(mapping: MappingLines): string {
  const lines = [...fileLines(mapping), ...userLines(mapping), ...accountLines(mapping)];
  const written = lines.filter(([, , value]) => !isEmpty(value));
  return [
    "# Written by auth-migrate setup; docs/mappings.md says what a mapping holds.",
    ...written.map(([comment, field, value]) => `\n# ${comment}\n${field}:${held(value)}`),
    "",
  ].join("\n");
}

function fileLines({ name, hashes, users, recognize }: MappingLines): readonly Line[] {
  return [
    ["What the summary calls files that it reads.", "name", name],
    ["What messages call the system.", "title", name],
    ["What these files are.", "label", `${name}, as setup read them`],
    ["Whose hashes these are, as docs/hashes.md names them.", "hashes", hashes],
    ["Where the list of users is.", "users", users],
    ["Fields by which a file is known as one of these.", "recognize", [recognize]],
  ];
}

function userLines({ texts, beside, verified, flags }: MappingLines): readonly Line[] {
  const [[salt], [plain]] = [texts.salt, texts.plain];
  const parts = filled({ ...beside, salt, plain });
  const hash = isEmpty(parts) ? texts.hash : filled({ value: texts.hash, ...parts });
  const rules = Object.fromEntries(flags.map(({ path, rule }) => [path, rule]));
  return [
    ["The user's id.", "id", texts.id],
    ["The email.", "email", texts.email],
    ["Whether the email was verified.", "email_verified", verified.email],
    ["The phone.", "phone", texts.phone],
    ["Whether the phone was verified.", "phone_verified", verified.phone],
    ["The password's hash.", "hash", hash],
    ["Who is kept out, and by which value.", "flags", rules],
  ];
}

/** What stays behind is heard by its name, but for what the operator said is to be ignored. */
function accountLines(mapping: MappingLines): readonly Line[] {
  const { joined, roles, totp, ignored, heard } = mapping;
  const metadata = Object.fromEntries(mapping.metadata.map(({ path, name }) => [name, path]));
  const told = ignored.length === 0 ? {} : { profile_not_migrated: ignored };
  return [
    ["When the user joined.", "joined", joined],
    ["Metadata by its name, and where it is.", "metadata", metadata],
    ["Roles.", "roles", roles],
    ["Signs between roles.", "roles_apart", roles.length === 0 ? [] : ",;|"],
    ["Secrets of second factors by time.", "totp", totp],
    ["What stays behind, and says nothing whatever its name.", "told", told],
    ["What stays behind: a flag, a factor or a hash in it is heard by its name.", "heard", heard],
  ];
}

function filled(parts: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    Object.entries(parts).filter(([, one]) => one !== undefined && !isEmpty(one)),
  );
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === "object" && Object.keys(value).length === 0);
}

/** What stands behind a field's name: an object with a line for each of its own. */
function held(value: unknown): string {
  if (Array.isArray(value)) {
    const [only] = value;
    return ` ${inline(value.length === 1 && typeof only === "string" ? only : value)}`;
  }
  if (typeof value !== "object" || value === null) return ` ${inline(value)}`;
  const lines = Object.entries(value).map(([name, one]) => `\n  ${inline(name)}: ${inline(one)}`);
  return lines.join("");
}

/** On one line, and a text in every version of YAML where it is one here. */
function inline(value: unknown): string {
  const style = { collectionStyle: "flow", compat: "yaml-1.1", lineWidth: 0 } as const;
  return stringify(value, style).trimEnd();
}
