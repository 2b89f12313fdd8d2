/** `auth-migrate hash`: what becomes of raw hashes, one a line on stdin, an answer a line on stdout. Hashes come by stdin alone: every user of the machine can read arguments. */

import { fstatSync } from "node:fs";
import { addAbortSignal } from "node:stream";
import { RunError, systemErrorCode } from "../../errors/run-error.js";
import { createSignerKeys } from "../../hash/signer-keys.js";
import { answerHashLines } from "../../source/hash-lines.js";
import { AnswerTally, type FormatAnswer, jsonLine, textOf, writeAnswers } from "../answers.js";
import { watchSignals } from "../interruption.js";
import { loadKeys } from "../secrets.js";
import { hashing } from "../options/hashing.js";
import type { OptionSpecs } from "../options/option.js";
import { text } from "../options/types.js";
import { verb } from "../verb.js";

const options = {
  from: {
    flags: "--from <vendor>",
    group: "Everyday options",
    help: "whose hashes they are: a source's or a vendor's name",
    type: text,
  },
  ...hashing,
} as const satisfies OptionSpecs;

export const hashVerb = verb({
  options,
  examples: [
    "auth-migrate hash --from django < hashes.txt",
    "auth-migrate hash --from firebase --hash-config hash-config.txt --json < hashes.txt",
  ],
  takesStray: true,
  async check(stray, { from }) {
    if (stray.length > 0) {
      throw new RunError("usage", "hash takes no arguments: it reads raw hashes from stdin.", {
        hint: "Every user of the machine can read a command's arguments, and the shell remembers them. Write: auth-migrate hash < hashes.txt",
      });
    }
    if (from !== undefined) await vendorCalled(from);
  },
  async run(_stray, values, terminal) {
    const { allowHash, from } = values;
    const { hashConfig, signerKey } = await loadKeys(values, terminal);
    const vendor = from === undefined ? null : await vendorCalled(from);
    const { stdin, stdout } = terminal.io;
    // Node.js takes a directory for an empty stdin.
    if (stdin.fd !== undefined && fstatSync(stdin.fd).isDirectory()) throw unreadable("EISDIR");
    const format: FormatAnswer = stdout.isTTY && !values.json ? textOf : jsonLine;
    const tally = new AnswerTally();
    const interruption = watchSignals(terminal, "Stopping.");
    if (stdin.isTTY) terminal.note("Type or paste raw hashes, one a line; Ctrl-D ends.");
    try {
      const bytes = addAbortSignal(interruption.signal, stdin);
      const answers = answerHashLines(bytes, {
        hashConfig,
        signerKeys: createSignerKeys(signerKey),
        vendor,
        allowHash: allowHash.flat(),
      });
      const taken = await writeAnswers(answers, tally.counting(format), stdout);
      if (taken) terminal.note(tally.text());
      return 0;
    } catch (error) {
      const exitCode = interruption.exitCode();
      if (exitCode === null) throw stdinFailure(error);
      return exitCode;
    }
  },
});

/** The sources are loaded for this option alone: they bring half of the program with them. */
async function vendorCalled(from: string): Promise<string> {
  const { vendorNamed } = await import("../../source/inputs.js");
  return vendorNamed(from);
}

/** Stdin itself throws system errors. Any other error is a bug and is told as one. */
function stdinFailure(error: unknown): unknown {
  const code = systemErrorCode(error);
  return /^E[A-Z0-9]+$/.test(code) ? unreadable(code, error) : error;
}

function unreadable(code: string, cause?: unknown): RunError {
  return new RunError("input_unreadable", `stdin can't be read (${code})`, {
    hint: "Give hash a file or a pipe: auth-migrate hash < hashes.txt",
    cause,
  });
}
