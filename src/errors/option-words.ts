/** Hints are written with the command line's flags; a caller of the library reads the library's options in their place. Pure. */

import { RunError } from "./run-error.js";

/** Whose words hints are to have: the library's options, by default, or the command line's flags. */
export type HintWords = "options" | "flags";

/** How the library has an option that hints name by its flag; by default under the same name, in camelCase. */
interface LibraryOption {
  readonly name?: string;
  /** A field of the `policy`: one that is said or not, one with a word, or a list of words. */
  readonly policy?: "yes" | "word" | "list";
  /** The words that are its value where they stand behind it; any other goes on with the sentence. */
  readonly values?: string;
}

const OPTIONS: Readonly<Record<string, LibraryOption>> = {
  "allow-hash": { policy: "list", values: "[\\w-]+" },
  "api-key-file": { name: "apiKey" },
  "assume-empty": { policy: "yes" },
  "assume-never-signed-in": { policy: "yes" },
  bulk: { values: "auto|always|never" },
  "ca-file": { name: "ca" },
  carry: { policy: "list" },
  "change-kind": { policy: "yes" },
  core: { name: "connectCore" },
  data: { name: "openEmbeddedCore" },
  from: { values: "(?!and|names|one|out)[a-z][a-z\\d-]+" },
  include: { policy: "list", values: "[\\w-]+" },
  "keep-ids": { policy: "yes" },
  map: { values: "[a-z_]+=\\w+(?:[.=]\\w+)*" },
  "on-existing": { policy: "word", values: "fail|skip|update" },
  "on-lost-factor": { policy: "word", values: "accept|reject" },
  "on-unusable-hash": { policy: "word", values: "bridge|passwordless|reject|reseal" },
  "prehash-salt-file": { policy: "word", name: "pepper" },
  prove: { name: "beforeBulk" },
  roles: { policy: "word", values: "create|existing" },
  upstream: { policy: "word" },
};

/** Variables, which the library doesn't read. */
const OR_VARIABLE = / or AUTH_MIGRATE_[A-Z_]+/g;

const VALUES = Object.entries(OPTIONS).flatMap(([flag, { values }]) => {
  return values === undefined ? [] : [`(?<=--${flag}[ =])(?:${values})\\b`];
});

/** A flag, with its value or a placeholder behind it. */
const FLAG = new RegExp(`--([a-z][a-z\\d-]*)(?:[ =](${VALUES.join("|")}|[A-Z][A-Z|]*\\b))?`, "g");

/** A hint with the library's options in it: `policy: { onUnusableHash: "passwordless" }`. */
export function inOptions(hint: string): string {
  return hint.replace(OR_VARIABLE, "").replace(FLAG, (_flag, flag: string, value = "") => {
    const inCamelCase = flag.replace(/-([a-z\d])/g, (_dash, letter: string) =>
      letter.toUpperCase(),
    );
    const { policy, name = inCamelCase } = OPTIONS[flag] ?? {};
    const isValue = value !== "" && !/^[A-Z|]+$/.test(value);
    const word = policy === "list" ? `["${value}"]` : `"${value}"`;
    const option = isValue ? `${name}: ${word}` : name;
    if (policy === undefined) return option;
    return `policy: { ${policy === "yes" ? `${name}: true` : option} }`;
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
