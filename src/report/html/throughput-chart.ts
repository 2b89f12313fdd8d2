/** Throughput over time as inline SVG, with the times marked in which all calls waited. Pure. */

import type { PauseSpan } from "../../events/run-record.js";
import { clockText, type Stretch } from "../throughput.js";
import type { Chart } from "./bar-chart.js";
import { html, type Markup, numberText } from "./markup.js";

const WIDTH = 360;
const HEIGHT = 180;
const LEFT = 44;
const RIGHT = 8;
const TOP = 12;
const BOTTOM = 26;
const PLOT_WIDTH = WIDTH - LEFT - RIGHT;
const PLOT_HEIGHT = HEIGHT - TOP - BOTTOM;
const TICKS = 4;
/** A short pause is to be seen all the same. */
const LEAST = 1.5;

/** @param stretches at least one */
export function throughputChart(
  { id, title, description }: Chart,
  stretches: readonly Stretch[],
  pauses: readonly PauseSpan[],
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
  return html`<svg viewBox="0 0 ${String(WIDTH)} ${String(HEIGHT)}" role="img" aria-labelledby="${id}-title ${id}-description"><title id="${id}-title">${title}</title><desc id="${id}-description">${description}</desc>${pauses.map((span) => pauseMarkup(span, endMs, x))}${rateTicks(top, y)}${timeTicks(endMs, x)}<polygon class="area" points="${area}"/><polyline class="line" points="${steps}"/></svg>`;
}

function pauseMarkup(
  { beganMs, endedMs }: PauseSpan,
  endMs: number,
  x: (ms: number) => number,
): Markup {
  const from = x(Math.min(beganMs, endMs));
  // A pause that was told may outlast the run.
  const width = Math.max(LEAST, x(Math.min(endedMs, endMs)) - from);
  const edge = String(TOP + PLOT_HEIGHT - 3);
  return html`<g data-pause-from="${String(beganMs)}" data-pause-to="${String(endedMs)}"><rect class="pause" x="${from.toFixed(1)}" y="${String(TOP)}" width="${width.toFixed(1)}" height="${String(PLOT_HEIGHT)}"/><rect class="pause-edge" x="${from.toFixed(1)}" y="${edge}" width="${width.toFixed(1)}" height="3"/></g>`;
}

function rateTicks(top: number, y: (rate: number) => number): Markup[] {
  return [0, 0.5, 1].map((share) => {
    const at = y(top * share);
    return html`<line class="grid" x1="${String(LEFT)}" x2="${String(WIDTH - RIGHT)}" y1="${at.toFixed(1)}" y2="${at.toFixed(1)}"/><text class="tick" x="${String(LEFT - 6)}" y="${(at + 4).toFixed(1)}" text-anchor="end">${rateText(top * share)}</text>`;
  });
}

function timeTicks(endMs: number, x: (ms: number) => number): Markup[] {
  const step = niceDuration(endMs / TICKS);
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

function niceDuration(least: number): number {
  return STEPS.find((step) => step >= least) ?? least;
}

function rateText(rate: number): string {
  if (rate < 10_000) return numberText(Number(rate.toPrecision(3)));
  return `${numberText(rate / 1000)} k`;
}
