/** Peak memory of the command line as the kernel accounts it: `node bench/memory.js [mode…]`, all modes by default. `growth` reads files of two sizes; the others read far more than fits into memory from standard input and fail above the limit. Needs Linux. */

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { measure } from "./measure.js";
import { writeCsv } from "./users.js";

const LIMIT_MB = 250;
const SMALL = 100_000;
const LARGE = 1_000_000;

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const HASH_CONFIG = path("../fixtures/demo/hash-config.txt");
const FIREBASE = ["validate", "-", "--hash-config", HASH_CONFIG];

/** What is generated, how it is packed, and who reads it. */
const STREAMS = {
  stdin: { what: ["csv", "5000000"], reader: ["validate", "-"] },
  firebase: { what: ["firebase", "1000000000"], reader: FIREBASE },
  "firebase-gzip": { what: ["firebase", "1000000000"], pack: "gzip -1", reader: FIREBASE },
};

async function growth() {
  const directory = mkdtempSync(join(tmpdir(), "auth-migrate-memory-"));
  try {
    const peaks = [];
    for (const users of [SMALL, LARGE]) {
      const csv = join(directory, `${users}.csv`);
      await writeCsv(csv, users);
      const files = ["--data", "core.db", "--checkpoint", "checkpoint"].map((word, index) =>
        index % 2 === 0 ? word : join(directory, `${users}-${word}`),
      );
      const { megabytes: validate } = await measure(["validate", csv]);
      const { megabytes: imported } = await measure(["import", csv, ...files]);
      console.log(
        `${users} users: validate ${validate.toFixed(0)} MB, import ${imported.toFixed(0)} MB`,
      );
      peaks.push({ validate, import: imported });
    }
    const [first, last] = peaks;
    for (const command of ["validate", "import"]) {
      const more = (last[command] / first[command] - 1) * 100;
      console.log(`${command}: ${more.toFixed(1)} % more for ${LARGE / SMALL} times the users`);
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** @returns whether the memory stayed below the limit */
async function stream(mode) {
  const { what, pack, reader } = STREAMS[mode];
  const command = `"$0" "$@"${pack === undefined ? "" : ` | ${pack}`}`;
  const writer = spawn("sh", ["-c", command, process.execPath, path("generate.js"), ...what], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const reading = measure(reader, writer.stdout);
  // It is the reader's now: where that ends early, the writer has to hear of it.
  writer.stdout.destroy();
  const { megabytes, seconds, summary } = await reading;
  const { read } = summary;
  const speed = Math.round(read / seconds).toLocaleString("en-US");
  const rows = read.toLocaleString("en-US");
  console.log(
    `${mode}: ${rows} rows in ${seconds.toFixed(0)} s (${speed} a second), peak ${megabytes.toFixed(0)} MB`,
  );
  return megabytes < LIMIT_MB;
}

const modes = process.argv.length > 2 ? process.argv.slice(2) : ["growth", ...Object.keys(STREAMS)];
for (const mode of modes) {
  if (mode === "growth") await growth();
  else if (!(await stream(mode))) {
    console.log(`${mode}: above ${LIMIT_MB} MB`);
    process.exitCode = 1;
  }
}
