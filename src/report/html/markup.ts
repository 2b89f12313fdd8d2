/** Markup with every text in it escaped: what comes from an export or a core can't become an element. Pure. */

import { printable } from "../text.js";

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

/** A number for people, as in 12,345. */
export function numberText(value: number): string {
  return value.toLocaleString("en-US");
}

function markupOf(part: Part): string {
  if (typeof part === "number") return numberText(part);
  if (typeof part === "string") return escaped(part);
  if ("markup" in part) return part.markup;
  return part.map(({ markup }) => markup).join("");
}

function escaped(text: string): string {
  return printable(text).replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}
