/** Rejects, skips, failures and differences grouped by code, and these groups in words: a million rows still fit one screen. */

import { isBefore, keepFirst } from "../errors/first-rows.js";
import { placeOf } from "../errors/place.js";
import { printable } from "./text.js";
import type { RowEvent, RowRef } from "../events/events.js";
import type { DifferenceEvent } from "../reconcile/compare-all.js";

/** A row of a group, to be looked at. */
export interface ExampleRow extends RowRef {
  /** The vendor's id, where ids are asked for; null where there is none or it looks like a contact. */
  readonly sourceId?: string | null | undefined;
}

/** The kinds of events that are grouped. */
type IssueType = (RowEvent | DifferenceEvent)["type"];

/** An event about one row. */
interface RowIssue<Row, Type> {
  readonly type: Type;
  readonly code: string;
  readonly hint: string;
  readonly row: Row;
}

interface Group<Row, Type> {
  readonly event: RowIssue<Row, Type>;
  count: number;
  readonly examples: Row[];
  /** Those that differ, each with its first row: as many as are named and one more. */
  readonly hints: (RowRef & { readonly hint: string })[];
  /** How many characters of the first hint all begin with, and end with. */
  head: number;
  tail: number;
}

/** Hints of a group that are named where they differ. */
const MOST_HINTS = 3;

/** The hints as one that is true of each row: "state says gone / banned / …. The vendor keeps …". What they begin and end with stands once, in whole words. */
function sharedHint({ hints, head, tail }: Pick<Group<never, never>, "hints" | "head" | "tail">) {
  const [first = "", ...others] = hints.map(({ hint }) => hint);
  if (others.length === 0) return first;
  const begin = first.slice(0, head).replace(/[\p{L}\p{N}\p{Cs}_]+$/u, "");
  const least = Math.min(...hints.map(({ hint }) => hint.length)) - begin.length;
  const end = first
    .slice(first.length - Math.min(tail, least))
    .replace(/^[\p{L}\p{N}\p{Cs}_]+/u, "");
  const all = hints.map(({ hint }) => hint.slice(begin.length, hint.length - end.length));
  const parts = all.filter((part) => part !== "").slice(0, MOST_HINTS);
  return `${begin}${[...parts, ...(all.length > parts.length ? ["…"] : [])].join(" / ")}${end}`;
}

/** How many characters two texts have in common, from the first one on, or back from the last one. */
function inCommon(one: string, other: string, most: number, isBack: boolean): number {
  let length = 0;
  const at = (text: string) => text.at(isBack ? -1 - length : length);
  while (length < most && at(one) === at(other)) length += 1;
  return length;
}

/** All events of one code. */
export interface RefusalGroup<Row = RowRef, Type = IssueType> {
  readonly type: Type;
  readonly code: string;
  /** The events' hint, as one where they differ. */
  readonly hint: string;
  readonly count: number;
  readonly examples: readonly Row[];
}

const ORDER = { failure: 0, difference: 1, reject: 2, skip: 3 } as const;

/**
 * @typeParam Row what is kept of an example
 * @typeParam Type the kinds of events
 */
export class RefusalGroups<Row extends RowRef = RowRef, Type extends IssueType = IssueType> {
  readonly #groups = new Map<string, Group<Row, Type>>();

  add(event: RowIssue<Row, Type>): void {
    const { hint, row } = event;
    const key = `${event.type} ${event.code}`;
    const group = this.#groups.get(key);
    if (group === undefined) {
      const whole = { hints: [{ ...row, hint }], head: hint.length, tail: hint.length };
      this.#groups.set(key, { event, count: 1, examples: [row], ...whole });
      return;
    }
    group.count += 1;
    const at = group.hints.findIndex((one) => one.hint === hint);
    if (at < 0) {
      const { hint: first } = group.event;
      group.head = inCommon(first, hint, group.head, false);
      group.tail = inCommon(first, hint, group.tail, true);
    }
    if (at < 0 || isBefore(row, group.hints[at])) {
      group.hints.splice(at < 0 ? group.hints.length : at, 1);
      keepFirst(group.hints, { ...row, hint }, MOST_HINTS + 1);
    }
    keepFirst(group.examples, row);
  }

  /** Failures first, then differences, rejects and skips; the largest group of each first, alike ones by their first rows, then by code: calls end in another order each time. */
  list(): RefusalGroup<Row, Type>[] {
    return [...this.#groups.values()]
      .map((group) => {
        const { type, code } = group.event;
        const { count, examples } = group;
        return { type, code, hint: sharedHint(group), count, examples };
      })
      .sort((a, b) => {
        const [one, other] = [a.examples[0], b.examples[0]];
        const byRow = Number(isBefore(other, one)) - Number(isBefore(one, other));
        const least = ORDER[a.type] - ORDER[b.type] || b.count - a.count;
        return least || byRow || (a.code < b.code ? -1 : 1);
      });
  }
}

export const GROUP_TITLES: Readonly<Record<RefusalGroup["type"], string>> = {
  failure: "Failed",
  difference: "Different",
  reject: "Rejected",
  skip: "Skipped",
};

/** A few rows, and the vendor's ids where the report has them. */
export function examplesText({
  examples,
  count,
}: Pick<RefusalGroup<ExampleRow>, "examples" | "count">): string {
  const ids = examples.flatMap(({ sourceId }) => sourceId ?? []);
  return `${rowList(examples, count)}${ids.length === 0 ? "" : ` (${ids.join(", ")})`}`;
}

/**
 * "users.csv, row 7 (line 8)" of one, "users.csv, lines 8, 10, …" of several, rows where a line isn't known; nothing without an example.
 *
 * @param total how many rows there are beside the examples and with them
 */
export function rowList(examples: readonly RowRef[], total: number): string {
  if (examples.length === 0) return "";
  const byFile = new Map<string, RowRef[]>();
  for (const row of examples) byFile.set(row.file, [...(byFile.get(row.file) ?? []), row]);
  const more = total > examples.length ? ", …" : "";
  const parts = [...byFile].map(([file, rows]) => {
    const [first] = rows;
    if (first !== undefined && rows.length === 1 && more === "") return placeOf(first);
    const lines = rows.flatMap(({ line }) => line ?? []);
    return lines.length === rows.length
      ? `${file}, lines ${lines.join(", ")}`
      : `${file}, rows ${rows.map(({ number }) => number).join(", ")}`;
  });
  return printable(`${parts.join("; ")}${more}`);
}
