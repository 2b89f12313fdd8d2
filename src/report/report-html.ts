/** The report as one self-contained HTML file without scripts. It has no personal data unless the report has ids. */

import { hash } from "node:crypto";
import type { ShardsProof } from "../checkpoint/prove-shards.js";
import { standingLines } from "./headline.js";
import { examplesText, GROUP_TITLES } from "./refusal-groups.js";
import { runCards } from "./html/run-cards.js";
import {
  type Bar,
  barChart,
  type Chart,
  type Tone,
  html,
  type Markup,
  NOTHING,
  foldedTable,
  type Table,
} from "./html/markup.js";
import { standingOf } from "./standing.js";
import { mostFirst } from "./layout.js";
import { STYLE } from "./html/style.js";
import type { Report, ReportGroup } from "./report.js";
import { momentOf, boundCore, outcomeTable } from "./status-text.js";
import { shardsVerdict, shownFlaws } from "./shards-text.js";

/** Bars of one chart; what comes after them is in its table. */
const MOST_BARS = 12;

/** Only the page's own style sheet, by its digest; no script, image, font, form or request. */
const POLICY = `default-src 'none'; style-src 'sha256-${hash("sha256", STYLE, "base64")}'; base-uri 'none'; form-action 'none'`;

/** The whole file. */
export function reportHtml(report: Report): string {
  const { status } = report;
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
  (line) => html`<p class="verdict">${line}</p>
`,
)}
<p class="faint">${status.checkpoint} · ${standingOf(status).users} users · ${boundCore(status.core)}</p>
<p class="faint">${timesText(report)}</p>
</header>
<main class="cards">
${shardCard(report.shards)}
${groupList(report)}
${outcomeCard(report)}
${groupCard(report)}
${runCards(report)}
${hashCard(report)}
${noticeCard(report)}
${findingList(report)}
</main>
</body>
</html>
`;
  return page.markup;
}

function timesText({ status }: Report): string {
  const { begunAt, writtenAt, cutoverAt } = status;
  return [
    ...(begunAt === null ? [] : [`begun ${momentOf(begunAt)}`]),
    `last written ${momentOf(writtenAt)}`,
    ...(cutoverAt === null ? [] : [`cut over ${momentOf(cutoverAt)}`]),
  ].join(" · ");
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

function outcomeCard({ status }: Report): Markup {
  const rows = outcomeTable(status).filter(([, count]) => count > 0);
  if (rows.length === 0) {
    return html`<section class="card"><h2>Outcomes</h2><p>The checkpoint holds no user yet.</p></section>`;
  }
  return chartCard({
    id: "outcomes",
    title: "Outcomes",
    description: "Users by where they stand.",
    bars: rows.map(([label, count]) => ({ label, count, tone: OUTCOME_TONES[label] ?? "bad" })),
    header: ["Outcome", "Users", "Meaning"],
    rows,
  });
}

const GROUP_TONES: Readonly<Record<ReportGroup["type"], Tone>> = {
  failure: "bad",
  reject: "bad",
  skip: "calm",
};

function groupCard({ groups }: Report): Markup {
  return chartCard({
    id: "reasons",
    title: "Rejected, skipped and failed rows",
    description: "Rows by the reason for which they were rejected, skipped or failed.",
    bars: groups.map(({ code: label, count, type }) => ({ label, count, tone: GROUP_TONES[type] })),
    header: ["Code", "Rows", "Outcome"],
    rows: groups.map(({ code, count, type }) => [code, count, GROUP_TITLES[type].toLowerCase()]),
  });
}

function hashCard({ hashes, hashesOfRun }: Report): Markup {
  return chartCard({
    id: "hashes",
    title: "Hashes by algorithm and cost",
    description: `Accepted hashes of run ${hashesOfRun ?? 0}, by how they were made.`,
    bars: hashes.map(({ algorithm, cost, length, count }) => {
      const characters = length === null ? "" : `, ${length} characters`;
      return { label: `${algorithm} ${cost}${characters}`, count, tone: "good" };
    }),
    header: ["Algorithm", "Cost", "Characters", "Hashes"],
    rows: hashes.map(({ algorithm, cost, length, count }) => [
      algorithm,
      cost,
      String(length ?? ""),
      count,
    ]),
  });
}

function noticeCard({ notices }: Report): Markup {
  const rows = mostFirst(notices);
  return chartCard({
    id: "notices",
    title: "Notices",
    description:
      "Users by what is true of them and should be known; docs/json.md explains the codes.",
    bars: rows.map(([label, count]) => ({ label, count, tone: "calm" })),
    header: ["Code", "Users"],
    rows,
  });
}

/** A chart and its table. */
interface ChartCard extends Chart, Omit<Table, "caption"> {
  readonly bars: readonly Bar[];
}

/** Nothing where there is nothing to show. */
function chartCard({ bars, header, rows, ...chart }: ChartCard): Markup {
  if (bars.length === 0) return NOTHING;
  const more = bars.length - MOST_BARS;
  const note = more > 0 ? html`<p class="faint">and ${more} more in the table</p>` : NOTHING;
  const table = foldedTable({ caption: chart.title, header, rows });
  return html`<section class="card"><h2>${chart.title}</h2>${barChart(chart, bars.slice(0, MOST_BARS))}${note}${table}</section>`;
}

function groupList({ groups }: Report): Markup {
  if (groups.length === 0) return NOTHING;
  const items = groups.map(
    (group) =>
      html`<li><p><strong>${GROUP_TITLES[group.type]}</strong> <code>${group.code}</code>, ${group.count} ${group.count === 1 ? "row" : "rows"}: ${examplesText(group)}</p>${group.hint === "" ? NOTHING : html`<p class="hint">${group.hint}</p>`}</li>`,
  );
  return html`<section class="card wide"><h2>What to do about them</h2><ul class="groups">${items}</ul></section>`;
}

function findingList({ findings }: Report): Markup {
  if (findings.length === 0) return NOTHING;
  const items = findings.map(
    ({ code, count, hint }) =>
      html`<li><p><code>${code}</code>, ${count} ${count === 1 ? "row" : "rows"}</p><p class="hint">${hint}</p></li>`,
  );
  return html`<section class="card wide"><h2>Findings of the latest run</h2><ul class="groups">${items}</ul></section>`;
}

/** Nothing without a manifest. */
function shardCard(proof: ShardsProof | null): Markup {
  if (proof === null) return NOTHING;
  const { shown, more } = shownFlaws(proof);
  const items = shown.map(
    ({ code, message }) => html`<li><p><code>${code}</code></p><p class="hint">${message}</p></li>`,
  );
  const list = items.length === 0 ? NOTHING : html`<ul class="groups">${items}</ul>`;
  const rest = more === 0 ? NOTHING : html`<p class="faint">and ${more} more</p>`;
  return html`<section class="card wide"><h2>Shards</h2><p>${shardsVerdict(proof)}</p>${list}${rest}</section>`;
}
