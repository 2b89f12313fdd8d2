/** The report as one self-contained HTML file without scripts. It has no personal data unless the report has ids. */

import { hash } from "node:crypto";
import type { ShardsProof } from "../checkpoint/prove-shards.js";
import { standingLines } from "./headline.js";
import {
  type Bar,
  barChart,
  html,
  type Markup,
  NOTHING,
  sentence,
  tableMarkup,
  type Tone,
} from "./html/markup.js";
import { STYLE } from "./html/style.js";
import type { Report } from "./report.js";
import { shardsVerdict, shownFlaws } from "./shards-text.js";
import { headText, momentOf, pauseLines } from "./status-text.js";
import { type ReportTable, tablesOf } from "./tables.js";

/** Bars of one chart; what comes after them is in its table. */
const MOST_BARS = 12;

/** Only the page's own style sheet, by its digest; no script, image, font, form or request. */
const POLICY = `default-src 'none'; style-src 'sha256-${hash("sha256", STYLE, "base64")}'; base-uri 'none'; form-action 'none'`;

/**
 * The whole file.
 *
 * @param madeAt when it is made; it isn't said where null
 */
export function reportHtml(report: Report, madeAt: Date | null = null): string {
  const { status } = report;
  const tables = tablesOf(report);
  const { outcomes } = tables;
  const title = `Migration report: ${status.checkpoint}`;
  const left = tables.groups.rows.map(([outcome, ...told]) =>
    listItem(told, html`<strong>${outcome}</strong> `),
  );
  const found = tables.findings.rows.map((row) => listItem(row));
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${{ markup: STYLE }}</style>
</head>
<body>
<header>
<h1>Migration report</h1>
${standingLines(status, report.shards).map(
  (line) => html`<p class="verdict">${sentence(line)}</p>
`,
)}
<p class="faint">${sentence(headText(status))}${madeAt === null ? NOTHING : sentence(` · report of ${momentOf(madeAt)} by auth-migrate`)}</p>
</header>
<main class="cards">
${shardCard(report.shards)}
${listCard("What was left out, and what to do", left)}
${outcomes.rows.length > 0 ? chartCard(outcomes, "Users by where they stand.", "bad") : html`<section class="card"><h2>${outcomes.title}</h2><p>The checkpoint holds no user yet.</p></section>`}
${chartCard(tables.throughput, "Rows a second from the run's begin on; where all calls waited, it says so.", "good")}
${runCard(report, tables)}
${callCard(report, tables)}
${chartCard(tables.notices, "Users by what is true of them and should be known.", "calm")}
${listCard(tables.findings.title, found)}
</main>
</body>
</html>
`;
  return page.markup;
}

/** Of a bar by its label; others are as their chart. */
const TONES: Readonly<Record<string, Tone>> = {
  imported: "good",
  created: "good",
  existed: "calm",
  skipped: "calm",
  written: "calm",
  queued: "calm",
  open: "calm",
};

function runCard({ runs }: Report, { runs: { title, header, rows } }: Tables): Markup {
  if (rows.length === 0) return NOTHING;
  const earlier = runs.length - rows.length;
  const more = earlier === 0 ? NOTHING : html`<p class="faint">and ${earlier} earlier ones</p>`;
  const table = tableMarkup({ caption: title, header, rows });
  return html`<section class="card wide runs"><h2>${title}</h2>${more}${table}</section>`;
}

function callCard(report: Report, { calls: { title, header, rows } }: Tables): Markup {
  if (rows.length === 0) return NOTHING;
  const table = tableMarkup({ caption: "Calls", header, rows });
  const pauses = pauseLines(report).map((line) => html`<p>${line.trim()}</p>`);
  return html`<section class="card"><h2>${title}</h2>${table}${pauses}</section>`;
}

type Tables = ReturnType<typeof tablesOf>;

/** A bar for each row: what stands before its number, and the number. */
function chartCard({ title, header, rows }: ReportTable, description: string, tone: Tone): Markup {
  if (rows.length === 0) return NOTHING;
  const more = rows.length - MOST_BARS;
  const note = more > 0 ? html`<p class="faint">and ${more} more in the table</p>` : NOTHING;
  const table = tableMarkup({ caption: title, header, rows });
  const folded = html`<details><summary>${title} as a table</summary>${table}</details>`;
  const id = title.toLowerCase().replace(/\W.*/, "");
  const bars = rows.slice(0, MOST_BARS).map((row): Bar => {
    const at = row.findIndex((cell) => typeof cell === "number");
    const label = row.slice(0, at).join(" ").trim();
    return { label, count: Number(row[at]), tone: TONES[label] ?? tone };
  });
  const drawn = barChart({ id, title, description }, bars);
  return html`<section class="card"><h2>${title}</h2>${drawn}${note}${folded}</section>`;
}

type Told = readonly [code: string, count: number, where: string, hint: string];

function listItem([code, count, where, hint]: Told, title = NOTHING): Markup {
  const rows = `${count === 1 ? "row" : "rows"}${where === "" ? "" : `: ${where}`}`;
  return html`<li><p>${title}<code>${code}</code>, ${count} ${rows}</p>${hint === "" ? NOTHING : html`<p class="hint">${sentence(hint)}</p>`}</li>`;
}

function listCard(title: string, items: readonly Markup[]): Markup {
  if (items.length === 0) return NOTHING;
  return html`<section class="card wide"><h2>${title}</h2><ul class="groups">${items}</ul></section>`;
}

function shardCard(proof: ShardsProof | null): Markup {
  if (proof === null) return NOTHING;
  const { shown, more } = shownFlaws(proof);
  const items = shown.map(
    ({ code, message }) =>
      html`<li><p><code>${code}</code></p><p class="hint">${sentence(message)}</p></li>`,
  );
  const list = items.length === 0 ? NOTHING : html`<ul class="groups">${items}</ul>`;
  const rest = more === 0 ? NOTHING : html`<p class="faint">and ${more} more</p>`;
  return html`<section class="card wide"><h2>Shards</h2><p>${shardsVerdict(proof)}</p>${list}${rest}</section>`;
}
