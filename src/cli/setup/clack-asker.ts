/** The {@link Asker} of a real terminal, drawn on stderr with @clack/prompts. It checks nothing itself. */

import { clearLine, cursorTo, moveCursor } from "node:readline";
import { styleText } from "node:util";
import { RunError } from "../../errors/run-error.js";
import type { Io } from "../io.js";
import { printable } from "../terminal.js";
import { type Asker, attempt, canceled, told } from "./asker.js";
import { readHidden } from "./hidden-input.js";
import { wrap } from "../../report/layout.js";

/** The bar at the left, its gap, and a column that stays free. */
const MARGIN = 4;
const MAX_MASK = 16;

/** Loads the prompts and opens the walk on the screen. */
export async function openAsker(title: string, { stdin, stderr: output }: Io): Promise<Asker> {
  const clack = await import("@clack/prompts");

  const fitted = (text: string): string => {
    const lines = wrap(text, (output.columns ?? 80) - MARGIN);
    return lines.map(printable).join("\n");
  };
  /** Asks until an answer can be used; the screen keeps what was wrong with the others. */
  async function ask<Answer>(
    prompt: (previous?: string) => Promise<string>,
    read: (text: string) => Answer | Promise<Answer>,
  ): Promise<Answer> {
    let previous: string | undefined;
    for (;;) {
      const text = await prompt(previous);
      const answer = await attempt(() => read(text));
      if (!(answer instanceof RunError)) return answer;
      clack.log.error(fitted(told(answer)), { output });
      previous = text;
    }
  }

  const color = (format: "gray" | "cyan" | "green", text: string): string =>
    styleText(format, text, { stream: output });

  async function askHidden(message: string, lines: boolean): Promise<string> {
    const bar = color("gray", clack.S_BAR);
    const draw = (step: string, answer: string): void => {
      clearLine(output, 0);
      cursorTo(output, 0);
      output.write(`${step}  ${message}\n${bar}  ${answer}`);
    };
    const redraw = (step: string, answer: string): void => {
      clearLine(output, 0);
      moveCursor(output, 0, -1);
      draw(step, answer);
    };
    output.write(`${bar}\n`);
    const active = color("cyan", clack.S_STEP_ACTIVE);
    draw(active, "");
    const onChange = (text: string): void => redraw(active, mask(text, clack.S_PASSWORD_MASK));
    const answer = await readHidden(stdin, { lines, onChange });
    if (answer === null) {
      redraw(clack.S_STEP_CANCEL, "\n");
      throw canceled();
    }
    redraw(color("green", clack.S_STEP_SUBMIT), color("gray", "(not shown)\n"));
    return answer;
  }

  clack.intro(title, { output });
  return {
    say: (text) => clack.log.message(fitted(text), { output }),
    found: (text) => clack.log.info(fitted(text), { output }),
    warn: (text) => clack.log.warn(fitted(text), { output }),
    end: (text) => clack.outro(text, { output }),
    async choose(message, choices) {
      const options = choices.map(({ value, label }) => ({ value: String(value), label }));
      const answer = await clack.select({ message, options, output });
      const chosen = choices.find(({ value }) => value === answer);
      if (chosen === undefined) throw canceled();
      return chosen.value;
    },
    text({ message, initial = "", read }) {
      const prompt = async (previous = initial): Promise<string> => {
        const answer = await clack.text({ message, initialValue: previous, output });
        if (clack.isCancel(answer)) throw canceled();
        return answer.trim();
      };
      return ask(prompt, read);
    },
    secret: ({ message, lines = false, read }) => ask(() => askHidden(message, lines), read),
    async confirm(message) {
      const answer = await clack.confirm({ message, initialValue: false, output });
      if (clack.isCancel(answer)) throw canceled();
      return answer;
    },
  };
}

/** How much was typed, and nothing of it. */
function mask(text: string, sign: string): string {
  const marks = sign.repeat(Math.min(text.length, MAX_MASK));
  return text.length > MAX_MASK ? `${marks} ${text.length} characters` : marks;
}
