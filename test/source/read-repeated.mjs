/** Reads exports, each with its users repeated to so many megabytes on the way, and says in a line of each how many rows there were, how many bytes lay outside the heap at most, and how many the heap has more from the middle on. Run with a small heap. */

import { readFileSync } from "node:fs";
import { findSource } from "../../dist/source/registry.js";

const MEGABYTE = 1024 * 1024;
const [, , EXPORTS] = process.argv;

/** The text before the users, one round of them with what parts it from the next, and the text after. */
function partsOf(name, text) {
  if (!/^\s*[[{]/.test(text)) {
    const header = name === "firebase" ? 0 : text.indexOf("\n") + 1;
    return [text.slice(0, header), text.slice(header).replace(/\n*$/, "\n"), ""];
  }
  const document = parse(text);
  if (document === null) return ["", text.replace(/\n*$/, "\n"), ""];
  const users = Array.isArray(document) ? document : longestArray(document);
  const round = JSON.stringify(users).slice(1, -1);
  const [before, after] = JSON.stringify(document).split(`[${round}]`);
  return [`${before}[${round}`, `,${round}`, `]${after}`];
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Of all arrays of objects, at any depth. */
function longestArray(document) {
  const arrays = arraysIn(document).filter(([first]) => typeof first === "object");
  return arrays.sort((one, other) => other.length - one.length)[0];
}

function arraysIn(value) {
  if (typeof value !== "object" || value === null) return [];
  return [...(Array.isArray(value) ? [value] : []), ...Object.values(value).flatMap(arraysIn)];
}

async function* repeated({ name, path, megabytes }, onMegabyte) {
  const text = readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  const [before, round, after] = partsOf(name, text);
  yield Buffer.from(before);
  const chunk = Buffer.from(round.repeat(Math.ceil(65_536 / round.length)));
  for (let megabyte = 0; megabyte < megabytes; megabyte += 1) {
    for (let bytes = 0; bytes < MEGABYTE; bytes += chunk.length) yield Buffer.from(chunk);
    onMegabyte();
  }
  yield Buffer.from(after);
}

/** What is still needed. */
function heapBytes() {
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

for (const [name, path, map, megabytes] of JSON.parse(EXPORTS)) {
  let rows = 0;
  let outside = 0;
  const heaps = [];
  const bytes = repeated({ name, path, megabytes }, () => heaps.push(heapBytes()));
  for await (const batch of findSource(name).read(path, bytes, { map: new Map(map) })) {
    rows += batch.length;
    outside = Math.max(outside, process.memoryUsage().arrayBuffers);
  }
  // What isn't given back is alive from then on. In its first quarter what reads ahead fills up.
  const growth = Math.min(...heaps.slice(heaps.length / 2)) - heaps[heaps.length / 4];
  process.stdout.write(`${JSON.stringify({ name, rows, outside, growth })}\n`);
}
