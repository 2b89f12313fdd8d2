/** Options of what is read, which users are taken and what comes of it. */

import { DEFAULT_POLICY, type Policy } from "../../plan/policy.js";
import { z } from "zod";
import { limits } from "../../run/shared-options.js";
import type { GivenMap } from "../../source/generic/field-map.js";
import { checkInputs, type InputOptions } from "../../source/inputs.js";
import { readMapping } from "../../source/mapping/read-mapping.js";
import { isModule, SOURCES } from "../../source/registry.js";
import { standardInput } from "../given-inputs.js";
import { type DatabaseValues, requireDatabases } from "../input-database.js";
import type { Io } from "../io.js";
import { carrying, carryPolicy } from "./carrying.js";
import { hashing } from "./hashing.js";
import type { OptionSpecs, ValuesOf } from "./option.js";
import {
  anyText,
  encodingLabel,
  included,
  mapping,
  rejectAllowance,
  text,
  wholeNumber,
} from "./types.js";

/** How files are read. */
export const files = {
  from: {
    flags: "--from <source>",
    help: `read the files as this vendor's export instead of detecting it: ${SOURCES.map(({ name }) => name).join(", ")}`,
    brief: "read the files as this vendor's export",
    docs: "[The guides](vendors/README.md) have their names. Or the path of [a module](mappings.md#what-no-mapping-says) whose code is run, on the command line alone",
    type: text,
    code: isModule,
  },
  mapping: {
    flags: "--mapping <file>",
    group: "How files are read",
    help: "a mapping (YAML): what the files' fields mean, or only how roles and providers are called at the core",
    docs: "([mappings.md](mappings.md))",
    type: text,
    defaultText: "those that come along are tried",
  },
  map: {
    flags: "--map <field=column>",
    group: "How files are read",
    help: "which CSV column or JSON property holds a field; may be repeated",
    type: mapping,
    repeated: true,
    defaultText: "columns are recognized by their names",
  },
  table: {
    flags: "--table <name>",
    group: "How files are read",
    help: "of a database: the users' table or view, as in app.members",
    docs: "([databases.md](databases.md))",
    type: text,
    of: "database",
    defaultText: "known systems' tables",
  },
  query: {
    flags: "--query <file>",
    group: "How files are read",
    help: "of a database: a file with the SELECT that gives the users",
    type: text,
    of: "database",
  },
  inputPasswordFile: {
    flags: "--input-password-file <file>",
    group: "How files are read",
    help: "file that holds the database's password",
    type: text,
    of: "database",
    defaultText: "PGPASSWORD, ~/.pgpass, MYSQL_PWD",
  },
  defaultCountry: {
    flags: "--default-country <code>",
    group: "How files are read",
    help: "the country (two letters, as in DE) of phone numbers that have no leading +",
    type: text,
    defaultText: "they are refused",
  },
  encoding: {
    flags: "--encoding <name>",
    group: "How files are read",
    help: "the files' encoding, as in windows-1252",
    docs: "Any name of the Encoding Standard",
    type: encodingLabel,
    defaultText: "UTF-8, or UTF-16 that shows itself",
  },
  namespace: {
    flags: "--namespace <name>",
    group: "How files are read",
    help: "keeps equal user ids of two databases apart",
    type: anyText,
    default: "",
    defaultText: "none",
  },
} as const satisfies OptionSpecs;

/** What decides whose row comes first and what becomes of it. */
export const planning = {
  ...files,
  ...hashing,
  ...carrying,
  onUnusableHash: {
    flags: "--on-unusable-hash <what>",
    group: "Which users are taken",
    help: "what to do with a user whose hash can't be used",
    docs: "`bridge` keeps a hash that can be verified in the vault, and rejects the others; `reseal` keeps it again where the vault or its key is lost ([bridge.md](bridge.md#a-lost-vault))",
    type: z.enum(["reject", "passwordless", "bridge", "reseal"]),
    default: DEFAULT_POLICY.onUnusableHash,
  },
  onLostFactor: {
    flags: "--on-lost-factor <what>",
    group: "Which users are taken",
    help: "what to do with a user who has a second factor or a passkey that isn't carried",
    type: z.enum(["reject", "accept"]),
    default: DEFAULT_POLICY.onLostFactor,
  },
  include: {
    flags: "--include <list>",
    group: "Which users are taken",
    help: "take these as well, with commas between: disabled (or deleted) users, contacts that the vendor never verified (unverified), users with an enterprise identity alone (sso)",
    docs: "With account linking at SuperTokens, an `unverified` address that was mistyped may let its user into another's account",
    type: included,
    repeated: true,
    defaultText: "none of them",
  },
  keepIds: {
    flags: "--keep-ids",
    group: "Which users are taken",
    help: "map the vendor's id to each user whom this migration brings, so that foreign keys stay valid",
    docs: "([import.md](import.md#keeping-ids))",
  },
} as const satisfies OptionSpecs;

export const passwordExport = {
  passwordExport: {
    flags: "--password-export <file>",
    group: "How files are read",
    help: "the hashes that the support of Auth0 or Stytch hands out, gzipped or not; may be repeated",
    type: text,
    repeated: true,
    defaultText: "none",
  },
} as const satisfies OptionSpecs;

/** Of `validate`, and of an import. */
export const reading = {
  ...planning,
  ...passwordExport,
  ...limits,
  expectUsers: {
    flags: "--expect-users <n>",
    group: "Pace and limits",
    help: "exit with 65 unless the files hold exactly this many rows",
    type: wholeNumber,
    of: "files",
  },
  acceptRejects: {
    flags: "--accept-rejects <n|p%>",
    group: "Pace and limits",
    help: "how many rejects still count as success",
    type: rejectAllowance,
    default: { count: 0 },
    defaultText: "0",
    of: "files",
  },
} as const satisfies OptionSpecs;

export type FilesValues = ValuesOf<typeof files>;
export type PlanningValues = ValuesOf<typeof planning>;
export type ReadingValues = ValuesOf<typeof reading>;

/** The values of options that decide over users: those of {@link planning}, and of an import's all others. */
export type DecidingValues = PlanningValues & {
  readonly [Name in keyof Policy]?: Policy[Name] | readonly Policy[Name][] | undefined;
};

/** What the operator decides: each option that a policy has a field for, by its name. */
export function policyOf(values: DecidingValues, { pepper }: Pick<Policy, "pepper">): Policy {
  const named = Object.entries(values).filter(
    ([name, value]) => name in DEFAULT_POLICY && value !== undefined,
  );
  // Lists with commas may be given more than once.
  const decided = named.map(([name, value]) => [name, Array.isArray(value) ? value.flat() : value]);
  return { ...DEFAULT_POLICY, ...Object.fromEntries(decided), pepper, ...carryPolicy(values) };
}

/** How the files are to be read, and what is said of databases among them. */
export function inputOptions({
  from,
  mapping,
  map,
  encoding,
  defaultCountry,
  table,
  query,
  inputPasswordFile,
}: Omit<FilesValues, "namespace">): InputOptions & {
  readonly databases: DatabaseValues;
  readonly map: GivenMap;
} {
  return {
    databases: { table, query, inputPasswordFile },
    from,
    mapping,
    map: mapOf(map),
    encoding: encoding ?? null,
    defaultCountry: defaultCountry ?? null,
  };
}

/**
 * The mapping by which the files are read; undefined also for a partial one, which reads none.
 *
 * @throws RunError `mapping_invalid`
 */
export function readingMapping({ mapping }: Pick<FilesValues, "mapping">): string | undefined {
  return mapping === undefined || readMapping(mapping).mapping === null ? undefined : mapping;
}

/** What `--map` names, by its fields. */
export function mapOf(pairs: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const columns = new Map<string, string[]>();
  for (const pair of pairs) {
    const at = pair.indexOf("=");
    const field = pair.slice(0, at).trim();
    columns.set(field, [...(columns.get(field) ?? []), pair.slice(at + 1).trim()]);
  }
  return columns;
}

/** {@link mapOf}'s, as the options that give it. */
export function pairsOf(map: GivenMap): string[] {
  return [...map].flatMap(([field, names]) => [names].flat().map((name) => `${field}=${name}`));
}

/**
 * What can be said about the files and how they are read before one is opened.
 *
 * @throws RunError `usage`
 */
export function requireReadable(
  files: readonly string[],
  values: Omit<FilesValues, "namespace">,
  { stdin }: Pick<Io, "stdin">,
): void {
  requireDatabases(files, values);
  checkInputs(files, { ...inputOptions(values), stdin: standardInput(files, stdin) });
}
