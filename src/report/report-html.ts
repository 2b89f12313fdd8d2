/** The report as one self-contained HTML file without scripts. It has no personal data unless the report has ids. */

import { hash } from "node:crypto";
import type { ShardsProof } from "../checkpoint/prove-shards.js";
import { standingLines } from "./headline.js";
import {
  type Bar,
  barChart,
  foldedTable,
  html,
  type Markup,
  NOTHING,
  sentence,
  tableMarkup,
  type Tone,
} from "./html/markup.js";
import { STYLE } from "./html/style.js";
import { examplesText, GROUP_TITLES } from "./refusal-groups.js";
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
  const title = `Migration report: ${status.checkpoint}`;
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
${groupList(report)}
${outcomeCard(tables)}
${groupCard(report, tables)}
${throughputCard(tables)}
${runCard(report, tables)}
${callCard(report, tables)}
${hashCard(report, tables)}
${noticeCard(tables)}
${findingList(tables)}
</main>
</body>
</html>
`;
  return page.markup;
}

const OUTCOME_TONES: Readonly<Record<string, Tone>> = {
  imported: "good",
  created: "good",
  existed: "calm",
  skipped: "calm",
  queued: "calm",
  pending: "calm",
  unread: "calm",
};

function outcomeCard({ outcomes }: Tables): Markup {
  const { title, rows } = outcomes;
  if (rows.length === 0) {
    return html`<section class="card"><h2>${title}</h2><p>The checkpoint holds no user yet.</p></section>`;
  }
  const bar = ([label, count]: (typeof rows)[number]): Bar => {
    return { label, count, tone: OUTCOME_TONES[label] ?? "bad" };
  };
  return chartCard(outcomes, "Users by where they stand.", bar);
}

function groupCard({ groups }: Report, { groups: { title } }: Tables): Markup {
  const rows = groups.map(
    ({ code, count, type }) => [code, count, GROUP_TITLES[type].toLowerCase()] as const,
  );
  return chartCard(
    { title, header: ["Code", "Rows", "Outcome"], rows },
    "Rows by the reason for which they were rejected, skipped or failed.",
    ([label, count, outcome]) => ({ label, count, tone: outcome === "skipped" ? "calm" : "bad" }),
  );
}

function hashCard({ hashesOfRun }: Report, { hashes }: Tables): Markup {
  const description = `Accepted hashes of run ${hashesOfRun ?? 0}, by how they were made.`;
  return chartCard(hashes, description, ([algorithm, cost, length, count]) => {
    const characters = length === "" ? "" : `, ${length} characters`;
    return { label: `${algorithm} ${cost}${characters}`, count, tone: "good" };
  });
}

function noticeCard({ notices }: Tables): Markup {
  return chartCard(
    notices,
    "Users by what is true of them and should be known.",
    ([label, count]) => ({ label, count, tone: "calm" }),
  );
}

function throughputCard({ throughput }: Tables): Markup {
  const description = "Rows a second from the run's begin on; where all calls waited, it says so.";
  return chartCard(throughput, description, ([from, count, paused]) => {
    return paused === ""
      ? { label: from, count, tone: "good" }
      : { label: `${from}, ${paused}`, count, tone: "calm" };
  });
}

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

function chartCard<Row extends readonly (string | number)[]>(
  { title, header, rows }: ReportTable<Row>,
  description: string,
  barOf: (row: Row) => Bar,
): Markup {
  if (rows.length === 0) return NOTHING;
  const more = rows.length - MOST_BARS;
  const note = more > 0 ? html`<p class="faint">and ${more} more in the table</p>` : NOTHING;
  const table = foldedTable({ caption: title, header, rows });
  const id = title.toLowerCase().replace(/\W.*/, "");
  const drawn = barChart({ id, title, description }, rows.slice(0, MOST_BARS).map(barOf));
  return html`<section class="card"><h2>${title}</h2>${drawn}${note}${table}</section>`;
}

function groupList({ groups }: Report): Markup {
  if (groups.length === 0) return NOTHING;
  const items = groups.map(
    (group) =>
      html`<li><p><strong>${GROUP_TITLES[group.type]}</strong> <code>${group.code}</code>, ${group.count} ${group.count === 1 ? "row" : "rows"}: ${examplesText(group)}</p>${group.hint === "" ? NOTHING : html`<p class="hint">${sentence(group.hint)}</p>`}</li>`,
  );
  return html`<section class="card wide"><h2>What was left out, and what to do</h2><ul class="groups">${items}</ul></section>`;
}

function findingList({ findings: { title, rows } }: Tables): Markup {
  if (rows.length === 0) return NOTHING;
  const items = rows.map(
    ([code, count, hint]) =>
      html`<li><p><code>${code}</code>, ${count} ${count === 1 ? "row" : "rows"}</p><p class="hint">${sentence(hint)}</p></li>`,
  );
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
