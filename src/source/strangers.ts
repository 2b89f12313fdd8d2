/** Objects among the users of a file that say nothing of their kind: they name a user, and have little else of what users have. Read as users they would be rejected one by one, and what they say would be lost. */

import { optionName } from "../errors/option-name.js";
import { RunError } from "../errors/run-error.js";
import type { GivenMap } from "./generic/field-map.js";
import { namesUser } from "./other-facts.js";
import { fileWord, showNames } from "./show-name.js";
import type { FileHead } from "./source.js";

/** What a user may have in common with any object. */
const IDS: ReadonlySet<string> = new Set(["id", "pk", "_id", "uuid", "key"]);

interface Users {
  /** Those at the file's start. */
  readonly samples: readonly object[];
  /** What `--map` says: a field that is ignored names no user. */
  readonly map: GivenMap;
  /** Tells objects that are read beside the users. */
  readonly isNamed?: ((object: object) => boolean) | undefined;
}

/**
 * Makes the check of a file's objects.
 *
 * @returns what throws RunError `input_unrecognized` for an object that is no user
 */
export function strangersIn(
  head: FileHead,
  { samples, map, isNamed }: Users,
): (object: object) => void {
  if (samples.length === 0) return () => {};
  const counts = new Map<string, number>();
  for (const name of samples.flatMap((one) => Object.keys(one))) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const isUsual = (name: string): boolean => (counts.get(name) ?? 0) * 2 > samples.length;
  const usual = [...counts.keys()].filter((name) => isUsual(name) && !IDS.has(name));
  const ignored = [map.get("ignore") ?? []].flat();
  return (object) => {
    const shared = usual.reduce((sum, name) => sum + (name in object ? 1 : 0), 0);
    if (shared * 2 >= usual.length) return;
    const own = Object.keys(object).filter((name) => !IDS.has(name));
    const field = own.find((name) => namesUser(name) && !ignored.includes(name));
    if (field === undefined) return;
    const others = own.filter((name) => name !== field);
    const isOther = others.filter(isUsual).length * 2 < others.length;
    // A user may have little more than an address.
    const isStrange = isOther || (!isUsual(field) && !reached(object));
    if (isStrange && isNamed?.(object) !== true) throw stranger(head, field);
  };
}

/** Whether there may be an address in it. */
function reached(object: object): boolean {
  return JSON.stringify(object).includes("@");
}

function stranger({ path, text }: FileHead, field: string): RunError {
  const each = /^\s*\[/.test(text) ? ".[] | " : "";
  const alone = `jq -c '${each}select(has(${JSON.stringify(field)}) | not)' ${fileWord(path)} | auth-migrate validate -`;
  const isListed = each === "" && !/^\s*\{.*\}\s*$/m.test(text.split("\n", 1)[0] ?? "");
  const write = isListed ? "." : `: ${alone}`;
  return new RunError(
    "input_unrecognized",
    `${path} holds objects of several kinds: some name a user by ${showNames([field])}, and are none themselves`,
    {
      hint: `Where they are users, say ${optionName("--map")} ignore=${field}. Otherwise take them out, and with them what they say of users, such as a second factor or a ban${write}`,
    },
  );
}
