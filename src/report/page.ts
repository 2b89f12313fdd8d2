/** The page that a text is written for: its width, its length and what it can show. */

export interface Page {
  /** No line is wider. */
  readonly columns: number;
  /** The screen's lines; infinite where there is no screen. A text that is cut to them says so. */
  readonly lines: number;
  /** Whether it can show block characters and ellipses. */
  readonly unicode: boolean;
  /** Makes a text stand out; its width stays. */
  strong(text: string): string;
  faint(text: string): string;
}

/** The page where no screen is known. */
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
