/** One side of `bench/reading.js` in a process of its own: `node bench/reading-side.js SIDE FILE` reads the file, counts the users, and prints their number and the milliseconds as JSON. */

import { createReadStream, readFileSync } from "node:fs";
import { once } from "node:events";
import { parse } from "csv-parse";
import { openFile } from "../dist/source/bytes/file.js";
import { JsonElementCutter } from "../dist/source/json/json-elements.js";
import { JsonReader } from "../dist/source/json/json-reader.js";
import { findSource } from "../dist/source/registry.js";
import { stopwatch } from "./frame/stopwatch.js";

/** Every side answers how many users it read. */
const SIDES = {
  csv: (path) => records("csv", path),
  firebase: (path) => records("firebase", path),

  /** csv-parse's stream, rows as arrays, without `info`; nothing is done with them. */
  async "csv-parse"(path) {
    let rows = 0;
    const parser = createReadStream(path).pipe(parse());
    parser.on("data", () => {
      rows += 1;
    });
    await once(parser, "end");
    return rows - 1;
  },

  /** Elements cut out byte by byte, each parsed alone. */
  async splitter(path) {
    const cutter = new JsonElementCutter("users");
    let users = 0;
    for await (const chunk of openFile(path)) {
      for (const element of cutter.take(chunk)) {
        JSON.parse(element.toString());
        users += 1;
      }
    }
    return users;
  },

  /** The whole document at once; beyond V8's longest string there is no such side. */
  whole: (path) => JSON.parse(readFileSync(path, "utf8")).users.length,

  /** Our reader alone: elements parsed a piece of the document at a time. */
  async batches(path) {
    const reader = new JsonReader("users");
    let users = 0;
    for await (const chunk of openFile(path)) {
      for (const batch of reader.take(chunk)) users += batch.length;
    }
    return users;
  },
};

async function records(source, path) {
  let users = 0;
  for await (const items of findSource(source).read(path, openFile(path), { map: new Map() })) {
    for (const item of items) if (item.kind === "record") users += 1;
  }
  return users;
}

const [side, path, expected] = process.argv.slice(2);
const clock = stopwatch();
const users = await clock.time(() => SIDES[side](path));
if (users !== Number(expected)) throw new Error(`${side} read ${users} users of ${expected}`);
clock.end(users);
