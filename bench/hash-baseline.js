/** The reference of `bench/hash-lines.js`: the same start, reader and writer, but each line is answered with itself. */

// What the command loads besides: its start is no part of normalizing.
import "../dist/cli/program.js";
import "../dist/cli/commands/hash.js";

import { jsonLine, writeAnswers } from "../dist/cli/answers.js";
import { readLines } from "../dist/source/bytes/lines.js";

const NOTHING = [];

async function* answers() {
  for await (const lines of readLines(process.stdin, { bare: true })) {
    yield lines.map((hash, index) => ({
      line: lines.numbers[index],
      verdict: { verdict: "accepted", algorithm: "bcrypt", hash, steps: NOTHING, notices: NOTHING },
    }));
  }
}

await writeAnswers(answers(), jsonLine, process.stdout);
