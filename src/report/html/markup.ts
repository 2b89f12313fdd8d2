/** Markup with every text in it escaped: what comes from an export or a core can't become an element. Pure. */

import { grouped, printable } from "../text.js";

/** Markup that is safe to stand in a page. */
export interface Markup {
  readonly markup: string;
}

/** What may stand in a template: text and numbers are escaped, markup is taken as it is. */
type Part = Markup | string | number | readonly Markup[];

/** A template whose values are escaped, unless they are markup themselves. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const markup = texts.map((text, at) => text + markupOf(parts[at] ?? "")).join("");
  return { markup };
}

export const NOTHING: Markup = html``;

/** A sentence in which no option and no time is broken between lines. */
export function sentence(text: string): Markup {
  const parts = text.split(/(--[a-z][\w-]*|\d{4}-\d\d-\d\d \d\d:\d\d UTC)/);
  return html`${parts.map((part, at) => (at % 2 === 0 ? html`${part}` : html`<span class="option">${part}</span>`))}`;
}

function markupOf(part: Part): string {
  if (typeof part === "number") return grouped(part);
  if (typeof part === "string") return escaped(part);
  if ("markup" in part) return part.markup;
  return part.map(({ markup }) => markup).join("");
}

/** A text that may stand in HTML and in XML, between tags and in an attribute. */
export function escaped(text: string): string {
  return printable(text).replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}

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

interface Chart {
  /** Unique in the page, for what describes it. */
  readonly id: string;
  readonly title: string;
  /** What it shows, in a sentence, for readers who can't see it. */
  readonly description: string;
}

export function barChart({ id, title, description }: Chart, bars: readonly Bar[]): Markup {
  const most = Math.max(...bars.map(({ count }) => count), 1);
  return html`<svg viewBox="0 0 ${String(WIDTH)} ${String(bars.length * ROW)}" role="img" aria-labelledby="${id}-title ${id}-description"><title id="${id}-title">${title}</title><desc id="${id}-description">${description}</desc>${bars.map((bar, at) => barMarkup(bar, at * ROW, most))}</svg>`;
}

function barMarkup({ label, count, tone }: Bar, top: number, most: number): Markup {
  const width = count === 0 ? 0 : Math.max(LEAST, (count / most) * WIDTH);
  const y = String(top + BAR_TOP);
  return html`<g data-label="${label}" data-count="${String(count)}"><text x="0" y="${String(top + 13)}">${label}</text><text x="${String(WIDTH)}" y="${String(top + 13)}" text-anchor="end">${grouped(count)}</text><rect class="track" x="0" y="${y}" width="${String(WIDTH)}" height="${String(BAR)}" rx="2"/><rect class="${tone}" x="0" y="${y}" width="${width.toFixed(1)}" height="${String(BAR)}" rx="2"/></g>`;
}

type Cell = string | number | Markup;

export interface Table {
  readonly caption: string;
  readonly header: readonly string[];
  /** Numbers stand at the right. */
  readonly rows: readonly (readonly Cell[])[];
}

/** A table that scrolls in itself where it doesn't fit. */
export function tableMarkup({ caption, header, rows }: Table): Markup {
  const isNumber = header.map((_name, at) => typeof rows[0]?.[at] === "number");
  const of = (at: number): string => (isNumber[at] ? "number" : "");
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table><caption>${caption}</caption><thead><tr>${header.map((name, at) => html`<th scope="col" class="${of(at)}">${name}</th>`)}</tr></thead><tbody>${rows.map((row) => html`<tr>${row.map((cell, at) => (at === 0 ? html`<th scope="row" class="${of(at)}">${cell}</th>` : html`<td class="${of(at)}">${cell}</td>`))}</tr>`)}</tbody></table></div>`;
}
