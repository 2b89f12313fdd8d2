/** The reference of `bench/hash-lines.js`: the same reader and the same writer, but each line is answered with itself. */

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
