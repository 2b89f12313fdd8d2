/** Tells people how inputs were recognized. */

/** An input that was recognized. */
interface Recognized {
  readonly path: string;
  readonly source: { readonly name: string };
  readonly reason: string;
}

/** Inputs named before the others of their kind are counted. */
const MOST_NAMED = 3;

/** A line for all inputs that were recognized alike: a realm's hundred files are no hundred lines. */
export function recognizedText(
  inputs: readonly Recognized[],
  nameOf: (path: string) => string,
): string[] {
  const alike = new Map<string, string[]>();
  for (const { path, source, reason } of inputs) {
    const what = `read as ${source.name} (${reason})`;
    alike.set(what, [...(alike.get(what) ?? []), nameOf(path)]);
  }
  return [...alike].map(([what, names]) => {
    // One more costs no more than to say that there is one more.
    const shown = names.length <= MOST_NAMED + 1 ? names : names.slice(0, MOST_NAMED);
    const rest = names.length - shown.length;
    return `${shown.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}: ${what}`;
  });
}
