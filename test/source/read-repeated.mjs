/** Reads an export whose users were repeated to some megabytes, made on the way, and says how many rows there were and how many bytes lay outside the heap at most. Run with a small heap. */

import { readFileSync } from "node:fs";
import { findSource } from "../../dist/source/registry.js";

const [name, path, map] = process.argv.slice(2);
const BYTES = 16 * 1024 * 1024;

/** The text before the users, one round of them with what parts it from the next, and the text after. */
function partsOf(text) {
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

function longestArray(document) {
  const arrays = Object.values(document).filter((value) => Array.isArray(value));
  return arrays.sort((one, other) => other.length - one.length)[0];
}

async function* repeated() {
  const [before, round, after] = partsOf(readFileSync(path, "utf8").replace(/^\uFEFF/, ""));
  yield Buffer.from(before);
  const chunk = Buffer.from(round.repeat(Math.ceil(65_536 / round.length)));
  for (let bytes = 0; bytes < BYTES; bytes += chunk.length) yield Buffer.from(chunk);
  yield Buffer.from(after);
}

let rows = 0;
let outside = 0;
const options = { map: new Map(Object.entries(JSON.parse(map))) };
for await (const batch of findSource(name).read(path, repeated(), options)) {
  rows += batch.length;
  outside = Math.max(outside, process.memoryUsage().arrayBuffers);
}
process.stdout.write(JSON.stringify({ rows, outside }));
