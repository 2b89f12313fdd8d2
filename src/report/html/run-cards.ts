/** The runs on the page: what each came to, how fast it went, what it called and waited for. Pure. */

import type { RunRecord } from "../../events/run-record.js";
import type { Report } from "../report.js";
import { pauseLines } from "../status-text.js";
import type { tablesOf } from "../tables.js";
import { clockText, type Stretch, stretchesOf } from "../throughput.js";
import { html, type Markup, NOTHING, foldedTable, tableMarkup, type Chart } from "./markup.js";
import { grouped } from "../text.js";

type Tables = ReturnType<typeof tablesOf>;

/** Runs whose throughput is drawn, the latest ones. */
const MOST_CHARTS = 4;
/** A chart is no wider than so many stretches can be told apart in. */
const MOST_STRETCHES = 120;

export function runCards(report: Report, tables: Tables): Markup {
  const { runs } = report;
  const charts = runs
    .map((run) => ({ run, stretches: stretchesOf(run, MOST_STRETCHES) }))
    .filter(({ stretches }) => stretches.length > 1)
    .slice(-MOST_CHARTS)
    .toReversed();
  return html`${charts.map(({ run, stretches }) => throughputCard(run, stretches))}${runTable(report, tables)}${callCard(report, tables)}`;
}

function throughputCard(run: RunRecord, stretches: readonly Stretch[]): Markup {
  const { number } = run;
  const pauses = stretches.filter(({ paused }) => paused);
  const title = `Throughput of run ${number}`;
  const most = Math.max(...stretches.map(({ perSecond }) => perSecond));
  const description = `Rows a second from the run's begin on, at most ${grouped(Math.round(most))}; ${pauses.length === 0 ? "no pauses" : "with pauses"}.`;
  const marked =
    pauses.length === 0
      ? NOTHING
      : html`<p class="faint">Shaded and underlined: all calls waited.</p>`;
  return html`<section class="card"><h2>${title}</h2><p class="faint">Rows a second</p>${throughputChart({ id: `throughput-${number}`, title, description }, stretches, pauses)}${marked}${foldedTable(
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

function runTable({ runs }: Report, { runs: { title, header, rows } }: Tables): Markup {
  if (rows.length === 0) return NOTHING;
  const earlier =
    runs.length > rows.length
      ? html`<p class="faint">and ${runs.length - rows.length} earlier ones</p>`
      : NOTHING;
  const table = tableMarkup({ caption: title, header, rows });
  return html`<section class="card wide runs"><h2>${title}</h2>${earlier}${table}</section>`;
}

function callCard(report: Report, { calls: { title, header, rows } }: Tables): Markup {
  if (rows.length === 0) return NOTHING;
  const table = tableMarkup({ caption: "Calls", header, rows });
  const pauses = pauseLines(report).map((line) => html`<p>${line.trim()}</p>`);
  return html`<section class="card"><h2>${title}</h2>${table}${pauses}</section>`;
}

const WIDTH = 360;
const HEIGHT = 180;
const LEFT = 44;
const RIGHT = 8;
const TOP = 12;
const BOTTOM = 26;
const PLOT_WIDTH = WIDTH - LEFT - RIGHT;
const PLOT_HEIGHT = HEIGHT - TOP - BOTTOM;
const TICKS = 4;

/** @param stretches at least one */
function throughputChart(
  { id, title, description }: Chart,
  stretches: readonly Stretch[],
  pauses: readonly Stretch[],
): Markup {
  const endMs = Math.max(...stretches.map(({ toMs }) => toMs), 1);
  const top = niceCeiling(Math.max(...stretches.map(({ perSecond }) => perSecond), 1));
  const x = (ms: number): number => LEFT + (ms / endMs) * PLOT_WIDTH;
  const y = (rate: number): number => TOP + (1 - rate / top) * PLOT_HEIGHT;
  const steps = stretches
    .map(({ fromMs, toMs, perSecond }) => {
      const level = y(perSecond).toFixed(1);
      return `${x(fromMs).toFixed(1)},${level} ${x(toMs).toFixed(1)},${level}`;
    })
    .join(" ");
  const floor = y(0).toFixed(1);
  const area = `${x(stretches[0]?.fromMs ?? 0).toFixed(1)},${floor} ${steps} ${x(endMs).toFixed(1)},${floor}`;
  return html`<svg viewBox="0 0 ${String(WIDTH)} ${String(HEIGHT)}" role="img" aria-labelledby="${id}-title ${id}-description"><title id="${id}-title">${title}</title><desc id="${id}-description">${description}</desc>${pauses.map((stretch) => pauseMarkup(stretch, x))}${rateTicks(top, y)}${timeTicks(endMs, x)}<polygon class="area" points="${area}"/><polyline class="line" points="${steps}"/></svg>`;
}

function pauseMarkup({ fromMs, toMs }: Stretch, x: (ms: number) => number): Markup {
  const [from, width] = [x(fromMs).toFixed(1), (x(toMs) - x(fromMs)).toFixed(1)];
  const edge = String(TOP + PLOT_HEIGHT - 3);
  return html`<rect class="pause" x="${from}" y="${String(TOP)}" width="${width}" height="${String(PLOT_HEIGHT)}"/><rect class="pause-edge" x="${from}" y="${edge}" width="${width}" height="3"/>`;
}

function rateTicks(top: number, y: (rate: number) => number): Markup[] {
  return [0, 0.5, 1].map((share) => {
    const at = y(top * share);
    return html`<line class="grid" x1="${String(LEFT)}" x2="${String(WIDTH - RIGHT)}" y1="${at.toFixed(1)}" y2="${at.toFixed(1)}"/><text class="tick" x="${String(LEFT - 6)}" y="${(at + 4).toFixed(1)}" text-anchor="end">${rateText(top * share)}</text>`;
  });
}

function timeTicks(endMs: number, x: (ms: number) => number): Markup[] {
  const least = endMs / TICKS;
  const step = STEPS.find((one) => one >= least) ?? least;
  const ticks: Markup[] = [];
  for (let ms = 0; ms <= endMs; ms += step) {
    // The last one mustn't run over the edge.
    const anchor = ms === 0 ? "start" : x(ms) > WIDTH - RIGHT - 24 ? "end" : "middle";
    ticks.push(
      html`<text class="tick" x="${x(ms).toFixed(1)}" y="${String(HEIGHT - 8)}" text-anchor="${anchor}">${step < 1000 ? `${(ms / 1000).toFixed(1)} s` : clockText(ms)}</text>`,
    );
  }
  return ticks;
}

/** The next of 1, 2, 5, 10, 20, … */
function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}

const SECOND = 1000;
const STEPS = [
  ...[0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * 60 * SECOND),
  ...[1, 2, 3, 6, 12, 24, 48, 96, 192].map((hours) => hours * 3600 * SECOND),
];

function rateText(rate: number): string {
  if (rate < 10_000) return grouped(Number(rate.toPrecision(3)));
  return `${grouped(rate / 1000)} k`;
}
