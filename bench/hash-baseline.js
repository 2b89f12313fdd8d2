/** The reference of `bench/hash-lines.js`: the same start, reader and writer, but each line is answered with itself. */

// What the command loads besides: its start is no part of normalizing.
import "../dist/cli/program.js";
import "../dist/cli/commands/hash.js";

import { writePieces } from "../dist/cli/output-file.js";
import { readLines } from "../dist/source/bytes/lines.js";

const NOTHING = [];

async function* answers() {
  for await (const lines of readLines(process.stdin, { bare: true })) {
    const verdict = { verdict: "accepted", algorithm: "bcrypt", steps: NOTHING, notices: NOTHING };
    const texts = lines.map((hash, index) =>
      JSON.stringify({ type: "hash", v: 1, line: lines.numbers[index], ...verdict, hash }),
    );
    yield `${texts.join("\n")}\n`;
  }
}

await writePieces(answers(), process.stdout);
