/** What each row of a fixture is to become, as it lies beside it: read, compared with and written anew. */

import { readFile } from "node:fs/promises";
import { systemErrorCode } from "../errors/run-error.js";
import { isObject, textOf } from "../source/json/json-value.js";
import type { SourceItem } from "../source/source.js";

/** The ending of such a file, behind the name of the file that it is of. */
export const EXPECTED = ".expected.json";

/** An item, without what people are told of it. */
export type Told = Readonly<Record<string, unknown>>;

/** What lies beside a file. */
export interface Expectation {
  readonly isThere: boolean;
  /** As `--map` gives it. */
  readonly map: Readonly<Record<string, string>>;
  /** Null where there are none, or they can't be read. */
  readonly items: readonly Told[] | null;
  /** What else stands there, which is kept. */
  readonly others: Told;
}

export async function readExpectation(file: string): Promise<Expectation> {
  try {
    const given: unknown = JSON.parse(await readFile(`${file}${EXPECTED}`, "utf8"));
    const { map = {}, items = null, ...others } = isObject(given) ? given : {};
    const isList = Array.isArray(items) && items.every(isObject);
    const texts = Object.entries(isObject(map) ? map : {}).map(
      ([name, text]) => [name, textOf(text) ?? ""] as const,
    );
    return {
      isThere: true,
      map: Object.fromEntries(texts),
      items: isList ? items : null,
      others,
    };
  } catch (error) {
    return { isThere: systemErrorCode(error) !== "ENOENT", map: {}, items: null, others: {} };
  }
}

export function expectationText({ map, items, others }: Omit<Expectation, "isThere">): string {
  return `${JSON.stringify({ ...others, map, items }, null, 1)}\n`;
}

/** An item as an expectation has it, with the account's other parts; the line and the keys of objects follow from the file. */
export function shown(item: SourceItem): Told {
  const {
    hint: _hint,
    line: _line,
    seeks: _seeks,
    listed: _listed,
    ...rest
  } = Object.assign({ hint: "", seeks: [], listed: [] }, item);
  if (item.kind !== "record") return plain(rest);
  const { emailAsWritten: _asWritten, because: _because, account, ...record } = item.record;
  return plain({ ...rest, record: { ...record, account: account?.() } });
}

/** As a file of JSON gives it back. */
function plain(item: object): Told {
  return JSON.parse(JSON.stringify(item));
}

/** The items without the accounts' other parts, where the expectation was written without them. */
export function asFarAsSaid(items: readonly Told[], expected: readonly Told[]): readonly Told[] {
  return items.map((item, at) => {
    const wanted = expected[at]?.record;
    if (!isObject(item.record) || !isObject(wanted) || "account" in wanted) return item;
    const { account: _account, ...record } = item.record;
    return { ...item, record };
  });
}
