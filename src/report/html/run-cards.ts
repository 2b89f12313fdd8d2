/** The runs on the page: what each came to, how fast it went, what it called and waited for. Pure. */

import type { RunRecord } from "../../events/run-record.js";
import type { Report } from "../report.js";
import { NO_HISTORY } from "../report-text.js";
import { callTable, durationOf, endingText, momentOf, pauseLines } from "../run-text.js";
import { clockText, type Stretch, stretchesOf } from "../throughput.js";
import { html, type Markup, NOTHING } from "./markup.js";
import { foldedTable, tableMarkup } from "./table.js";
import { throughputChart } from "./throughput-chart.js";

/** Runs whose throughput is drawn, the latest ones; and runs that are listed. */
const MOST_CHARTS = 4;
const MOST_RUNS = 50;
/** A chart is no wider than so many stretches can be told apart in. */
const MOST_STRETCHES = 120;

export function runCards(report: Report): Markup {
  const { runs } = report;
  if (runs === null) {
    return html`<section class="card wide"><h2>Runs</h2><p>${NO_HISTORY}</p></section>`;
  }
  const charts = runs
    .map((run) => ({ run, stretches: stretchesOf(run, MOST_STRETCHES) }))
    .filter(({ stretches }) => stretches.length > 1)
    .slice(-MOST_CHARTS)
    .toReversed();
  return html`${charts.map(({ run, stretches }) => throughputCard(run, stretches))}${runTable(report, runs)}${callCard(report)}`;
}

function throughputCard(run: RunRecord, stretches: readonly Stretch[]): Markup {
  const { number, pauseSpans } = run;
  const title = `Throughput of run ${number}`;
  const most = Math.max(...stretches.map(({ perSecond }) => perSecond));
  const description = `Rows a second from the run's begin on, at most ${Math.round(most).toLocaleString("en-US")}; ${pauseSpans.length === 0 ? "no pauses" : `pauses: ${pauseSpans.length}`}.`;
  const marked =
    pauseSpans.length === 0
      ? NOTHING
      : html`<p class="faint">Shaded and underlined: all calls waited.</p>`;
  return html`<section class="card"><h2>${title}</h2><p class="faint">Rows a second</p>${throughputChart({ id: `throughput-${number}`, title, description }, stretches, pauseSpans)}${marked}${foldedTable(
    {
      caption: title,
      header: ["From", "To", "Rows a second", "Paused"],
      rows: stretches.map(({ fromMs, toMs, perSecond, paused }) => [
        clockText(fromMs),
        clockText(toMs),
        Number(perSecond.toFixed(1)),
        paused ? "yes" : "",
      ]),
    },
  )}</section>`;
}

function runTable(report: Report, runs: readonly RunRecord[]): Markup {
  if (runs.length === 0) return NOTHING;
  const listed = runs.slice(-MOST_RUNS);
  const earlier =
    runs.length > listed.length
      ? html`<p class="faint">and ${runs.length - listed.length} earlier ones</p>`
      : NOTHING;
  const table = tableMarkup({
    caption: "Runs",
    header: ["Run", "Begun", "Took", "Rows", "Sent", "Rejected", "Failed", "Retries", "Ended"],
    rows: listed.map((run) => {
      const { imported, created, rejected, failed } = run.outcomes;
      return [
        run.number,
        momentOf(run.begunAt),
        durationOf(run.elapsedMs),
        run.read,
        imported + created,
        rejected,
        failed,
        run.retries,
        endingText(run, report),
      ];
    }),
  });
  return html`<section class="card wide runs"><h2>Runs</h2>${earlier}${table}</section>`;
}

function callCard(report: Report): Markup {
  const calls = callTable(report).filter(([, count]) => count > 0);
  if (calls.length === 0) return NOTHING;
  const table = tableMarkup({
    caption: "Calls",
    header: ["Call", "Times", "Meaning"],
    rows: calls,
  });
  const pauses = pauseLines(report).map((line) => html`<p>${line.trim()}</p>`);
  return html`<section class="card"><h2>Calls, retries and pauses</h2>${table}${pauses}</section>`;
}
