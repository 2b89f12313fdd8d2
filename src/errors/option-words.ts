/** Hints are written with the command line's flags; a caller of the library reads the library's options in their place. Pure. */

import { RunError } from "./run-error.js";

/** Whose words hints are to have: the library's options, by default, or the command line's flags. */
export type HintWords = "options" | "flags";

/** Options that the library has under their flags' names in camelCase; a test asks for every one that a hint names. */
const OWN =
  "allow-insecure bulk checkpoint concurrency default-country encoding from hash-config limit map mapping password-export query rejects-out table target-moved vault";
/** Fields of its `policy`. */
const OF_POLICY =
  "allow-hash assume-empty assume-never-signed-in carry change-kind include keep-ids on-existing on-lost-factor on-unusable-hash roles upstream";

/** What the library has in place of each option that a hint names. Any other flag stays, as that of another program. */
export const OPTIONS: ReadonlyMap<string, string> = new Map([
  ...OWN.split(" ").map((flag) => [flag, inCamelCase(flag)] as const),
  ...OF_POLICY.split(" ").map((flag) => [flag, `policy.${inCamelCase(flag)}`] as const),
  ["api-key-file", "apiKey"],
  ["ca-file", "ca"],
  ["core", "connectCore"],
  ["data", "openEmbeddedCore"],
  ["input-password-file", "login.password"],
  ["out-dir", "directory"],
  ["prehash-salt-file", "policy.pepper"],
  ["vault-key-file", "vault.key"],
]);

function inCamelCase(flag: string): string {
  return flag.replace(/-([a-z\d])/g, (_dash, letter: string) => letter.toUpperCase());
}

/** Variables, which the library doesn't read. */
const OR_VARIABLE = / or AUTH_MIGRATE_[A-Z_]+/g;

/** A command up to the end of its clause, which is typed as it stands; or a flag, with a placeholder behind it. */
const FLAG = /\b(?:auth-migrate|createdb) [^,;:()]*|--([a-z][a-z\d-]*)(?:[ =][A-Z][A-Z|]*\b)?/g;

/** A hint with the library's options in it: `policy.onUnusableHash passwordless`. */
export function inOptions(hint: string): string {
  return hint
    .replace(OR_VARIABLE, "")
    .replace(FLAG, (whole, flag = "") => OPTIONS.get(flag) ?? whole);
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
