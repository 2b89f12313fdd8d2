/** What the walk asks of a flag's values that no list of words knows, each with the number of its rows. What can't be a word isn't shown. */

import { cutTo } from "../../report/layout.js";
import { count } from "../../report/text.js";
import type { GivenMap } from "../../source/generic/field-map.js";
import { showName } from "../../source/show-name.js";
import type { Choice, Talk } from "./asker.js";
import { withPair } from "./columns.js";
import type { UnreadFlag } from "./first-look.js";

/** What has more is hardly a flag. */
export const MOST_VALUES = 8;
/** Of a name or a value, so that both fit a question. */
const LONGEST = 22;

const LEFT = "left";
/** Enter alone takes the first answer, so that one lets nobody in; as with what is verified. */
const STANDING: readonly Choice[] = [
  { value: LEFT, label: "I don't know: their rows are rejected (flag_invalid)" },
  { value: "disabled", label: "The user is kept out" },
  { value: "active", label: "The user is let in: it says nothing against it" },
];

/**
 * Asks what each of the values means, once for each column. An answer is about its value alone:
 * another one of the column may keep users out.
 *
 * @param asked the columns that were asked of; those of now are added
 * @returns what `--map` says by the answers, beside what was said before
 */
export async function askForValues(
  flags: readonly UnreadFlag[],
  map: GivenMap,
  asked: Set<string>,
  talk: Talk,
): Promise<GivenMap> {
  let said = map;
  for (const { column, field, values } of flags) {
    if (asked.has(column)) continue;
    asked.add(column);
    const name = cutTo(showName(column), LONGEST);
    const isStanding = field === "active";
    const [ofWhat] = field.split("_");
    const otherwise = isStanding ? "rejected (flag_invalid)" : `taken for an unverified ${ofWhat}`;
    talk.warn(
      `The column ${name} says ${isStanding ? "who is let in" : `whose ${ofWhat} is verified`}, in words that aren't known here: ${valuesText(values)}. Each of them is ${otherwise} unless you say what it means.`,
    );
    if (values.size > MOST_VALUES) continue;
    const verified = [
      { value: LEFT, label: `The ${ofWhat} isn't verified` },
      { value: field, label: "It is" },
    ];
    for (const [value] of values) {
      const message = `What does ${cutTo(showName(value), LONGEST)} of ${name} mean?`;
      const choices = isStanding ? STANDING : verified;
      const before = said;
      said = await talk.ask({ kind: "choose", message, choices }, (answer) =>
        answer === LEFT ? before : withPair(before, `${answer}=${column}=${value}`),
      );
    }
  }
  return said;
}

/** `"neu" in 2 rows, "pausiert" in 1 row`; the most frequent ones. */
export function valuesText(values: ReadonlyMap<string, number>): string {
  const shown = [...values]
    .sort(([, one], [, other]) => other - one)
    .slice(0, MOST_VALUES)
    .map(([value, rows]) => `${cutTo(showName(value), LONGEST)} in ${count(rows, "row")}`);
  const more = values.size - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(", ");
}
