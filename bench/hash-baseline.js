/** The reference of `bench/hash-lines.js`: the same start, reader and writer, but each line is answered with itself. */

// What the command loads besides: its start is no part of normalizing.
import "../dist/cli/program.js";
import "../dist/cli/commands/hash.js";

import { jsonLine } from "../dist/cli/answer-format.js";
import { writeAnswers } from "../dist/cli/answer-writer.js";
import { answerLines } from "../dist/source/hash-lines.js";

const NOTHING = [];

const answers = answerLines(process.stdin, (hash) => ({
  verdict: "accepted",
  algorithm: "bcrypt",
  hash,
  steps: NOTHING,
  notices: NOTHING,
}));
await writeAnswers(answers, jsonLine, process.stdout);
