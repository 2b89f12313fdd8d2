/** The page that a text is written for: how wide and how long it is, and what it can show. Types and plain defaults only. */

export interface Page {
  /** No line is wider. */
  readonly columns: number;
  /** How many lines one look takes in; endless where nobody looks at a screen. A text that is cut to it says so. */
  readonly lines: number;
  /** Whether it can show block characters and ellipses. */
  readonly unicode: boolean;
  /** Makes a text stand out; its width stays. */
  strong(text: string): string;
  faint(text: string): string;
}

/** What holds where nobody knows the screen. */
export const PLAIN_PAGE: Page = {
  columns: 80,
  lines: Number.POSITIVE_INFINITY,
  unicode: true,
  strong: (text) => text,
  faint: (text) => text,
};

/** A bar of blocks; never empty for what is there. */
export function barOf(part: number, columns: number, { unicode }: Pick<Page, "unicode">): string {
  const length = part > 0 ? Math.max(1, Math.round(part * columns)) : 0;
  return (unicode ? "█" : "#").repeat(Math.min(length, columns));
}
