/** Passes over the rows that change nothing: they are counted and noted as if they had been read, in their turn. */

import type { SourceItem } from "../source/source.js";
import type { BatchContext } from "./plan-batch.js";
import type { RunContext } from "./run-batch.js";
import type { SettledSpan } from "./settled-spans.js";

/** Gives a batch's rows in parts, and between them the spans that were left out there. */
export function spansBetween(
  spans: readonly SettledSpan[],
): (items: readonly SourceItem[]) => Generator<readonly SourceItem[] | SettledSpan> {
  let place = 0;
  return function* (items) {
    let start = 0;
    for (const [index, { number }] of items.entries()) {
      for (let span = spans[place]; span !== undefined; span = spans[place]) {
        if (span.number > number) break;
        if (index > start) yield items.slice(start, index);
        start = index;
        yield span;
        place += 1;
      }
    }
    yield start === 0 ? items : items.slice(start);
  };
}

/**
 * Notes where the users of spans stand now, in one transaction.
 *
 * @throws RunError `disk`
 */
export async function noteSpans(
  spans: readonly SettledSpan[],
  file: string,
  { checkpoint, recorder }: RunContext,
): Promise<void> {
  const notes = spans.flatMap((span) => {
    const rows = { ...span, file };
    return [checkpoint.ledger.settled?.note(rows, span.arePlaced), recorder.passRows(rows)];
  });
  await Promise.all(notes);
}

/** Meets the users of a span, and counts them. */
export function passOver(
  { number, rows, user, alike }: SettledSpan,
  file: string,
  scope: BatchContext,
  { checkpoint, tally }: RunContext,
): void {
  checkpoint.ledger.pass({ file, number, rows, user }, scope);
  for (const users of alike) tally.passed(users);
}
