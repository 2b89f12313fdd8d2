/** Tables of the page: one behind each chart, so that every number can be read and copied. Pure. */

import { html, type Markup, NOTHING } from "./markup.js";

type Cell = string | number | Markup;

export interface Table {
  readonly caption: string;
  readonly header: readonly string[];
  /** Numbers stand at the right. */
  readonly rows: readonly (readonly Cell[])[];
}

/** Folded up below its chart. */
export function foldedTable(table: Table): Markup {
  if (table.rows.length === 0) return NOTHING;
  return html`<details><summary>${table.caption} as a table</summary>${tableMarkup(table)}</details>`;
}

/** A table that scrolls in itself where it doesn't fit. */
export function tableMarkup({ caption, header, rows }: Table): Markup {
  const isNumber = header.map((_name, at) => typeof rows[0]?.[at] === "number");
  const of = (at: number): string => (isNumber[at] ? "number" : "");
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table><caption>${caption}</caption><thead><tr>${header.map((name, at) => html`<th scope="col" class="${of(at)}">${name}</th>`)}</tr></thead><tbody>${rows.map((row) => html`<tr>${row.map((cell, at) => (at === 0 ? html`<th scope="row" class="${of(at)}">${cell}</th>` : html`<td class="${of(at)}">${cell}</td>`))}</tr>`)}</tbody></table></div>`;
}
