import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { ProgressBar } from "../../src/cli/progress-display.js";
import { eraseDrawing } from "../../src/cli/terminal.js";
import type { ProgressEvent } from "../../src/events/events.js";

const EVENT: ProgressEvent = {
  type: "progress",
  phase: "run",
  ...{ read: 12_500, done: 12_000, rejected: 0, failed: 0, retries: 0, pauses: 0, pausedMs: 0 },
  ...{
    queued: 0,
    queuedBefore: 0,
    written: 0,
    inFlight: 64,
    callsInFlight: 12,
    callLimit: 16,
    total: 48_000,
    mapped: 0,
  },
  ...{ bytes: 1_200_000, totalBytes: 4_800_000, elapsedMs: 20_000 },
};

/** A screen on which a run has begun, and what was drawn on it since, without the control characters. */
function openScreen(columns: number) {
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns });
  const bar = new ProgressBar({ stderr: stream, events: new EventEmitter() }, true);
  bar.show({ ...EVENT, done: 0, bytes: 0, elapsedMs: 0 });
  eraseDrawing(stream);
  stream.read();
  return { bar, stream, drawn: () => stripVTControlCharacters(String(stream.read() ?? "")) };
}

/** Of so many columns, of which so many are full. */
const blocks = (full: number, size: number) => `[${"█".repeat(full)}${" ".repeat(size - full)}]`;

describe("the bar", () => {
  it.each([
    [
      161,
      `${blocks(6, 24)}   25%  12,000 of 48,000 users  600/s  ETA 1m  12 of 16 calls in flight`,
    ],
    [80, `${blocks(4, 16)}   25%  12,000 of 48,000 users  600/s  ETA 1m`],
    [40, " 25%  12,000 of 48,000 users  ETA 1m"],
  ])("takes on a screen of %i columns what the text leaves", (columns, line) => {
    const { bar, stream, drawn } = openScreen(columns);
    bar.show(EVENT);
    expect(drawn()).toBe(line);
    eraseDrawing(stream);
  });

  it("goes where a pause is told, and comes back", () => {
    const { bar, stream, drawn } = openScreen(80);
    bar.show(EVENT);
    drawn();
    bar.pause({ type: "pause", reason: "busy", waitMs: 2000, message: "HTTP 503" });
    expect(drawn()).toContain("Pausing 2s, the core is overloaded: HTTP 503");
    bar.show({ ...EVENT, done: 24_000, elapsedMs: 22_000 });
    expect(drawn()).toContain(`${blocks(8, 16)}   50%`);
    eraseDrawing(stream);
  });

  it("is drawn anew where the screen has become narrower", () => {
    const { bar, stream, drawn } = openScreen(161);
    bar.show(EVENT);
    drawn();
    stream.columns = 50;
    stream.emit("resize");
    expect(drawn()).toContain(" 25%  12,000 of 48,000 users  600/s  ETA 1m");
    eraseDrawing(stream);
  });

  it("draws nothing where the part that is done isn't known, but the text", () => {
    const { bar, stream, drawn } = openScreen(80);
    bar.show({ ...EVENT, total: null, totalBytes: null, callLimit: null });
    expect(drawn()).toBe("12,000 users  600/s");
    eraseDrawing(stream);
  });
});
