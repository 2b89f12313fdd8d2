/** Hints are written with the command line's flags; a caller of the library reads the library's options in their place. Pure. */

import { RunError } from "./run-error.js";

/** Whose words hints are to have: the library's options, by default, or the command line's flags. */
export type HintWords = "options" | "flags";

/** The flags of a `policy`'s fields. The group holds those that take a value; the others become `true`. */
const POLICY =
  /^(?:assume-(?:empty|never-signed-in)|change-kind|keep-ids|(allow-hash|include|on-(?:existing|lost-factor|unusable-hash)|carry|roles|prehash-salt-file|upstream))$/;

/** Variables, which the library doesn't read. */
const OR_VARIABLE = / or AUTH_MIGRATE_[A-Z_]+/g;

/** What the library calls otherwise. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  "api-key-file": "apiKey",
  "ca-file": "ca",
  core: "connectCore",
  data: "openEmbeddedCore",
  prove: "beforeBulk",
  "prehash-salt-file": "pepper",
};

/** Those whose value is a list. */
const LISTS = /^(?:allow-hash|carry|include)$/;

/** A flag with a word or a placeholder behind it that is its value; behind `--from` nearly any word is a vendor, behind `--include` and `--allow-hash` any is one of their list. */
const FLAG =
  /--([a-z][a-z\d-]*)(?:[ =]((?:accept|always|bridge|create|csv|existing|fail|json|never|passwordless|reject|reseal|skip|update)\b|(?<=--from )(?!and|names|one|out)[a-z][a-z\d-]+|(?<=--(?:include|allow-hash) )[\w-]+|[a-z_]+=\w+(?:[.=]\w+)*|[A-Z][A-Z|]*\b))?/g;

/** A hint with the library's options in it: `policy: { onUnusableHash: "passwordless" }`. */
export function inOptions(hint: string): string {
  return hint.replace(OR_VARIABLE, "").replace(FLAG, (_flag, name: string, value = "") => {
    const isValue = value !== "" && !/^[A-Z|]+$/.test(value);
    const decision = POLICY.exec(name);
    const option = OTHER_NAMES[name] ?? camelCased(name);
    const told = isValue
      ? `${option}: ${LISTS.test(name) ? `["${value}"]` : `"${value}"`}`
      : option;
    if (decision === null) return told;
    return `policy: { ${decision[1] === undefined ? `${option}: true` : told} }`;
  });
}

function camelCased(flag: string): string {
  return flag.replace(/-([a-z\d])/g, (_dash, letter: string) => letter.toUpperCase());
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
  const told = (event: Event): Event =>
    "hint" in event && typeof event.hint === "string"
      ? { ...event, hint: inOptions(event.hint) }
      : event;
  try {
    return await work(
      onEvent === undefined ? given : { ...given, onEvent: (event: Event) => onEvent(told(event)) },
    );
  } catch (error) {
    throw errorInOptions(error);
  }
}
