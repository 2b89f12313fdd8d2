/** Numbers, of which most follow each other. */

export interface Span {
  readonly first: number;
  readonly last: number;
}

/** Adds numbers behind the others, with those before where they follow them. */
export function addSpan(spans: Span[], { first, last }: Span): void {
  const before = spans.at(-1);
  if (before === undefined || before.last + 1 !== first) spans.push({ first, last });
  else spans.splice(-1, 1, { first: before.first, last });
}

/** The same numbers, of which none comes twice, in ascending order and in as few spans as possible. */
export function mergedSpans(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of spans.toSorted((one, other) => one.first - other.first)) addSpan(merged, span);
  return merged;
}

export function* numbersIn(spans: readonly Span[]): Generator<number> {
  for (const { first, last } of spans) for (let id = first; id <= last; id += 1) yield id;
}
