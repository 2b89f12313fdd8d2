/** A horizontal bar chart as inline SVG: each bar below its label, so that long names fit a narrow screen. Pure. */

import { html, type Markup, NOTHING, numberText } from "./markup.js";

const WIDTH = 360;
const ROW = 34;
const BAR_TOP = 18;
const BAR = 10;
/** Too short a bar would look like none. */
const LEAST = 2;

/** Whether something is at the core, left out, or to be mended. */
export type Tone = "good" | "calm" | "bad";

export interface Bar {
  readonly label: string;
  readonly count: number;
  readonly tone: Tone;
}

export interface Chart {
  /** Unique in the page, for what describes it. */
  readonly id: string;
  readonly title: string;
  /** What it shows, in a sentence, for who can't see it. */
  readonly description: string;
}

/** Nothing where there are no bars. */
export function barChart({ id, title, description }: Chart, bars: readonly Bar[]): Markup {
  if (bars.length === 0) return NOTHING;
  const most = Math.max(...bars.map(({ count }) => count), 1);
  return html`<svg viewBox="0 0 ${String(WIDTH)} ${String(bars.length * ROW)}" role="img" aria-labelledby="${id}-title ${id}-description"><title id="${id}-title">${title}</title><desc id="${id}-description">${description}</desc>${bars.map((bar, at) => barMarkup(bar, at * ROW, most))}</svg>`;
}

function barMarkup({ label, count, tone }: Bar, top: number, most: number): Markup {
  const width = count === 0 ? 0 : Math.max(LEAST, (count / most) * WIDTH);
  const y = String(top + BAR_TOP);
  return html`<g data-label="${label}" data-count="${String(count)}"><text x="0" y="${String(top + 13)}">${label}</text><text x="${String(WIDTH)}" y="${String(top + 13)}" text-anchor="end">${numberText(count)}</text><rect class="track" x="0" y="${y}" width="${String(WIDTH)}" height="${String(BAR)}" rx="2"/><rect class="${tone}" x="0" y="${y}" width="${width.toFixed(1)}" height="${String(BAR)}" rx="2"/></g>`;
}
