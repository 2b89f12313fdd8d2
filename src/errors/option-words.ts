/** Hints are written with the command line's flags; a caller of the library reads the library's options in their place. Pure. */

import { RunError } from "./run-error.js";

/** Whose words hints are to have: the library's options, by default, or the command line's flags. */
export type HintWords = "options" | "flags";

/** How the library has an option that hints name by its flag. */
interface LibraryOption {
  /** The flag's in camelCase by default. */
  readonly name?: string;
  /** A field of the `policy`: one that is said or not, one with a word, or a list of words. */
  readonly policy?: "yes" | "word" | "list";
  /** The words that are its value where they stand behind it; any other goes on with the sentence. */
  readonly values?: string;
}

/**
 * What the library has in place of each option that a hint names; null for nothing. A flag that
 * isn't here stays, as does one of another program. A test asks for a row for every option that a
 * hint names.
 */
export const OPTIONS: Readonly<Record<string, LibraryOption | null>> = {
  "allow-hash": { policy: "list", values: "[\\w-]+" },
  "allow-insecure": {},
  "api-key-file": { name: "apiKey" },
  "assume-empty": { policy: "yes" },
  "assume-never-signed-in": { policy: "yes" },
  bulk: { values: "auto|always|never" },
  "ca-file": { name: "ca" },
  carry: { policy: "list" },
  "change-kind": { policy: "yes" },
  checkpoint: {},
  concurrency: {},
  core: { name: "connectCore" },
  data: { name: "openEmbeddedCore" },
  "default-country": {},
  encoding: {},
  fields: null,
  from: { values: "(?!and|names|one|out)[a-z][a-z\\d-]+" },
  "hash-config": {},
  include: { policy: "list", values: "[\\w-]+" },
  "input-password-file": { name: "login.password" },
  "keep-ids": { policy: "yes" },
  limit: {},
  map: { values: "[a-z_]+=\\w+(?:[.=]\\w+)*" },
  mapping: {},
  "on-existing": { policy: "word", values: "fail|skip|update" },
  "on-lost-factor": { policy: "word", values: "accept|reject" },
  "on-unusable-hash": { policy: "word", values: "bridge|passwordless|reject|reseal" },
  "out-dir": { name: "directory" },
  "password-export": {},
  "prehash-salt-file": { policy: "word", name: "pepper" },
  query: {},
  "rejects-out": {},
  roles: { policy: "word", values: "create|existing" },
  table: {},
  "target-moved": {},
  upstream: { policy: "word" },
  "upstream-client": null,
  "upstream-url": null,
  vault: {},
  "vault-key-file": { name: "vault.key" },
};

/** Variables, which the library doesn't read. */
const OR_VARIABLE = / or AUTH_MIGRATE_[A-Z_]+/g;

const VALUES = Object.entries(OPTIONS).flatMap(([flag, option]) => {
  const { values } = option ?? {};
  return values === undefined ? [] : [`(?<=--${flag}[ =])(?:${values})\\b`];
});

/** A command up to the end of its clause, which is typed as it stands; or a flag, with its value or a placeholder behind it. */
const FLAG = new RegExp(
  `\\b(?:auth-migrate|createdb) [^,;:()]*|--([a-z][a-z\\d-]*)(?:[ =](${VALUES.join("|")}|[A-Z][A-Z|]*\\b))?`,
  "g",
);

/** A hint with the library's options in it: `policy: { onUnusableHash: "passwordless" }`. */
export function inOptions(hint: string): string {
  return hint.replace(OR_VARIABLE, "").replace(FLAG, (whole, flag = "", value = "") => {
    const option = OPTIONS[flag] ?? null;
    if (option === null) return whole;
    const inCamelCase = flag.replace(/-([a-z\d])/g, (_dash: string, letter: string) =>
      letter.toUpperCase(),
    );
    const { policy, name = inCamelCase } = option;
    const isValue = value !== "" && !/^[A-Z|]+$/.test(value);
    const word = policy === "list" ? `["${value}"]` : `"${value}"`;
    const said = isValue ? `${name}: ${word}` : name;
    if (policy === undefined) return said;
    return `policy: { ${policy === "yes" ? `${name}: true` : said} }`;
  });
}

/** By this the command line asks for its own flags in hints. */
export interface Worded {
  /** The library's options by default. */
  readonly hints?: HintWords | undefined;
}

/** How a caller is told a hint. */
export function wordsFor({ hints }: Worded): (hint: string) => string {
  return hints === "flags" ? (hint) => hint : inOptions;
}

/** An error as the library's caller is told it. */
export function errorInOptions(error: unknown): unknown {
  if (!(error instanceof RunError)) return error;
  const { code, message, hint, cause = error } = error;
  return new RunError(code, inOptions(message), { hint: inOptions(hint), cause });
}

/** What a caller gives who is told something. */
interface Listening<Event> extends Worded {
  readonly onEvent?: ((event: Event) => void) | undefined;
}

/**
 * Does work for a caller in the words that are theirs.
 *
 * @throws what `work` throws, a `RunError` in those words
 */
export async function inTheirWords<Event extends object, Given extends Listening<Event>, Result>(
  given: Given & Listening<Event>,
  work: (given: Given) => Promise<Result>,
): Promise<Result> {
  if (given.hints === "flags") return work(given);
  const { onEvent } = given;
  const inWords = (event: Event): Event =>
    "hint" in event && typeof event.hint === "string"
      ? { ...event, hint: inOptions(event.hint) }
      : event;
  try {
    return await work(
      onEvent === undefined
        ? given
        : { ...given, onEvent: (event: Event) => onEvent(inWords(event)) },
    );
  } catch (error) {
    throw errorInOptions(error);
  }
}
