/** The report's card on all shards of an import. Pure. */

import type { ShardsProof } from "../../checkpoint/prove-shards.js";
import { shardsVerdict, shownFlaws } from "../shards-text.js";
import { html, type Markup, NOTHING } from "./markup.js";

/** Nothing without a manifest. */
export function shardCard(proof: ShardsProof | null): Markup {
  if (proof === null) return NOTHING;
  const { shown, more } = shownFlaws(proof);
  const items = shown.map(
    ({ code, message }) => html`<li><p><code>${code}</code></p><p class="hint">${message}</p></li>`,
  );
  const list = items.length === 0 ? NOTHING : html`<ul class="groups">${items}</ul>`;
  const rest = more === 0 ? NOTHING : html`<p class="faint">and ${more} more</p>`;
  return html`<section class="card wide"><h2>Shards</h2><p>${shardsVerdict(proof)}</p>${list}${rest}</section>`;
}
