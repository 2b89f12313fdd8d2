/** The mapping that setup writes of what `--map` and the names of columns say: it is shared and reused, where options are typed anew. It is tried on the files before it is written. */

import { isDeepStrictEqual } from "node:util";
import { FACTOR_NOTICES } from "../../account/factor-notices.js";
import { shown, type Told } from "../../conformance/expectation.js";
import { RunError } from "../../errors/run-error.js";
import { openFile, readHead } from "../../source/bytes/file.js";
import type { Input, InputOptions } from "../../source/inputs.js";
import { isFilled } from "../../source/fields/field-values.js";
import { isObject } from "../../source/json/json-value.js";
import { mappedSource } from "../../source/mapping/mapped-source.js";
import { parseMapping } from "../../source/mapping/read-mapping.js";
import type { ReadOptions, Source } from "../../source/source.js";

/** Rows of each file that are read both ways. */
const MAX_ROWS = 1000;

/**
 * @param options how the inputs are read
 * @returns null for the files of a known system, and where a mapping reads other users
 */
export async function mappingOf(
  inputs: readonly Input[],
  options: InputOptions,
): Promise<string | null> {
  const { map = new Map(), encoding = null, defaultCountry = null } = options;
  const [first] = inputs;
  const isOwn = inputs.every(({ source, readOnce }) => source.generic && !readOnce);
  if (first === undefined || !isOwn || options.mapping !== undefined) return null;
  try {
    const text = (await first.inferred?.(map)) ?? null;
    if (text === null) return null;
    const mapped = mappedSource(parseMapping("the mapping", text));
    const rules = { encoding, defaultCountry, now: Date.now() };
    for (const { path, source } of inputs) {
      if (mapped.recognize(await readHead(path, encoding)) === null) return null;
      const said = await usersOf(source, path, { ...rules, map });
      const other = await usersOf(mapped, path, { ...rules, map: new Map() });
      if (!isDeepStrictEqual(said, other)) return null;
    }
    return text;
  } catch (error) {
    // A name makes no expression, or the mapping stops where the options don't.
    if (error instanceof RunError) return null;
    throw error;
  }
}

async function usersOf(source: Source, path: string, options: ReadOptions): Promise<Told[]> {
  const users: Told[] = [];
  for await (const batch of source.read(path, openFile(path), {
    ...options,
    keepsAccount: "all",
  })) {
    users.push(...batch.map((item) => comparable(shown(item))));
    if (users.length >= MAX_ROWS) break;
  }
  return users.slice(0, MAX_ROWS);
}

/** An item without what is told of fields, by which the two ways differ, and no user does. */
export function comparable(item: Told): Told {
  const { record } = item;
  if (!isObject(record)) return item;
  const { notices, account, ...user } = record;
  const { stays: _stays, losesFactor, ...parts } = isObject(account) ? account : {};
  const isMarked = Array.isArray(notices) && notices.some((code) => FACTOR_NOTICES.has(code));
  const kept = Object.entries(parts).filter(([, part]) => isFilled(part));
  return { ...item, record: { ...user, kept, losesFactor: losesFactor === true || isMarked } };
}
