/** `auth-migrate hash`: what becomes of raw hashes, one a line on stdin, an answer a line on stdout. Hashes come by stdin alone: every user of the machine can read arguments. */

import { fstatSync } from "node:fs";
import { addAbortSignal } from "node:stream";
import { RunError, systemErrorCode } from "../../errors/run-error.js";
import { createSignerKeys } from "../../hash/signer-keys.js";
import { count, grouped } from "../../report/text.js";
import { answerHashLines, type HashAnswer } from "../../source/hash-lines.js";
import { watchSignals } from "../interruption.js";
import { loadKeys } from "../secrets.js";
import { hashing } from "../options/hashing.js";
import type { OptionSpecs } from "../options/option.js";
import { text } from "../options/types.js";
import { writePieces } from "../output-file.js";
import { verb } from "../verb.js";

const options = {
  from: {
    flags: "--from <vendor>",
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
    const json = ({ line, verdict }: HashAnswer): string =>
      `${JSON.stringify({ type: "hash", v: 1, line, ...verdict })}\n`;
    const format = stdout.isTTY && !values.json ? textOf : json;
    const counts = { accepted: 0, refused: 0, none: 0 };
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
      const isTaken = await writePieces(counted(answers, format, counts), stdout);
      const { accepted, refused, none } = counts;
      const lines = count(accepted + refused + none, "line");
      const told = `${lines} answered: ${grouped(accepted)} accepted, ${grouped(refused)} refused, ${grouped(none)} without a password`;
      if (isTaken) terminal.note(told);
      return 0;
    } catch (error) {
      const exitCode = interruption.exitCode();
      if (exitCode !== null) return exitCode;
      // Stdin itself throws system errors. Any other error is a bug and is told as one.
      const code = systemErrorCode(error);
      throw /^E[A-Z0-9]+$/.test(code) ? unreadable(code, error) : error;
    }
  },
});

type Counts = Record<HashAnswer["verdict"]["verdict"], number>;

/** The answers as text, each of them counted on its way. */
async function* counted(
  answers: AsyncIterable<readonly HashAnswer[]>,
  format: (answer: HashAnswer) => string,
  counts: Counts,
): AsyncGenerator<string> {
  for await (const batch of answers) {
    for (const { verdict } of batch) counts[verdict.verdict] += 1;
    yield batch.map(format).join("");
  }
}

/** For people; an accepted hash is plain ASCII, a refused one isn't shown. */
function textOf({ line, verdict }: HashAnswer): string {
  switch (verdict.verdict) {
    case "accepted": {
      const { algorithm, hash, steps, notices } = verdict;
      const remarks = [...steps, ...notices.map((notice) => `notice ${notice}`)];
      const changes = remarks.length === 0 ? "sent as it is" : remarks.join(", ");
      return `${line}  accepted  ${algorithm}: ${changes}\n     ${hash}\n`;
    }
    case "refused":
      return `${line}  refused   ${verdict.code}\n     ${verdict.hint}\n`;
    case "none":
      return `${line}  none      no password\n`;
  }
}

/** The sources are loaded for this option alone: they bring half of the program with them. */
async function vendorCalled(from: string): Promise<string> {
  const { vendorNamed } = await import("../../source/inputs.js");
  return vendorNamed(from);
}

function unreadable(code: string, cause?: unknown): RunError {
  return new RunError("input_unreadable", `stdin can't be read (${code})`, {
    hint: "Give hash a file or a pipe: auth-migrate hash < hashes.txt",
    cause,
  });
}
