/** Where the CLI writes: stdout for the result, stderr for everything else. The only place that knows streams, colors and whether somebody is watching. */

import { styleText } from "node:util";

/** How the operator wants to be spoken to. */
export interface Voice {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly input: boolean;
}

export interface Terminal {
  readonly voice: Voice;
  /** True when a person sits at the error stream, and progress may be drawn there. */
  readonly interactive: boolean;
  /** True when questions may be asked. */
  readonly canPrompt: boolean;
  /** A line of the result, on stdout. */
  result(line: string): void;
  /** One JSON line on stdout; every line has a `type` and `v: 1`. */
  event<E extends { readonly type: string }>(event: E): void;
  /** Resolves once stdout has taken everything; false where its reader has gone away. */
  delivered(): Promise<boolean>;
  /** A message for people, on stderr; nothing under `--quiet`. */
  note(line: string): void;
  /** What went wrong, on stderr, under `--quiet` too. */
  problem(line: string): void;
  strong(text: string): string;
  faint(text: string): string;
}

export function createTerminal(voice: Voice, env: NodeJS.ProcessEnv = process.env): Terminal {
  const { stdin, stdout, stderr } = process;
  const watched = stderr.isTTY === true && !voice.json && env.CI === undefined;
  const colors = stdout.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb";
  const style = (format: "bold" | "dim", text: string): string =>
    colors ? styleText(format, text) : text;
  return {
    voice,
    interactive: watched && !voice.quiet && env.TERM !== "dumb",
    canPrompt: watched && stdin.isTTY === true && voice.input,
    result: (line) => void stdout.write(`${line}\n`),
    event: ({ type, ...rest }) => void stdout.write(`${JSON.stringify({ type, v: 1, ...rest })}\n`),
    delivered: () =>
      new Promise((resolve) => {
        stdout.write("", (error) => resolve(error === null || error === undefined));
      }),
    note: (line) => {
      if (!voice.quiet) stderr.write(`${line}\n`);
    },
    problem: (line) => void stderr.write(`${line}\n`),
    strong: (text) => style("bold", text),
    faint: (text) => style("dim", text),
  };
}

/**
 * Text from an export or a core, made safe to print: control and bidirectional characters would
 * let a file rewrite the operator's screen.
 */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
