/** Questions on a terminal: @clack/prompts draws them. */

import { Transform, type TransformCallback } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { RunError } from "../../errors/run-error.js";
import { cutTo, fitted } from "../../report/layout.js";
import { printable } from "../../report/text.js";
import { asStarted, type Io } from "../io.js";
import { eraseDrawing } from "../terminal.js";
import { type Asker, BACK } from "./asker.js";

/** The bar at the left, its gap, and a column that stays free. */
export const MARGIN = 4;
/** Before each of the answers to choose from. */
const MARK = 2;

const GO_BACK = { value: BACK, label: "Back to the question before" };

/** How a command asks. */
interface Asking {
  /** Stands above all that is asked. */
  readonly title?: string;
  /** Ends a question as it ends the run that asks it, whose reason is thrown. */
  readonly signal?: AbortSignal | undefined;
  /** What the operator's Ctrl-C or Escape ends with. */
  readonly canceled: () => RunError;
}

/** Loads the prompts. */
export async function openAsker(io: Io, { title, signal, canceled }: Asking): Promise<Asker> {
  const clack = await import("@clack/prompts");
  // As arrows, they would move to another answer while `back` or a name is typed.
  for (const letter of "hjkl") clack.settings.aliases.delete(letter);
  const { stdin: input, stderr: output } = io;
  const whole = (text: string): string => {
    eraseDrawing(output);
    const lines = asStarted(text).split("\n");
    return lines
      .flatMap((line) => fitted(line, (output.columns ?? 80) - MARGIN))
      .map(printable)
      .join("\n");
  };
  const answered = async <Answer>(
    prompt: Promise<Answer | symbol>,
  ): Promise<Exclude<Answer, symbol>> => {
    const answer = await prompt;
    signal?.throwIfAborted();
    if (clack.isCancel(answer)) throw canceled();
    return answer as Exclude<Answer, symbol>;
  };
  if (title !== undefined) clack.intro(asStarted(title), { output });
  return {
    say: (text) => clack.log.message(whole(text), { output }),
    found: (text) => clack.log.info(whole(text), { output }),
    warn: (text) => clack.log.warn(whole(text), { output }),
    // The screen keeps what was wrong with the others.
    complain: (text) => clack.log.error(whole(text), { output }),
    end: (text) => clack.outro(text, { output }),
    unheard: (work) => unheard(io, work),
    async prompt(question, back, previous = "") {
      eraseDrawing(output);
      const at = { message: question.message, input, output, ...(signal && { signal }) };
      switch (question.kind) {
        case "choose": {
          const all = [...question.choices, ...(back ? [GO_BACK] : [])];
          const room = (output.columns ?? 80) - MARGIN - MARK;
          const options = all.map(({ value, label }) => ({ value, label: cutTo(label, room) }));
          return answered(clack.select<string>({ ...at, options }));
        }
        case "text": {
          const { initial = "" } = question;
          const usual = { placeholder: initial, defaultValue: initial, initialValue: previous };
          return (await answered(clack.text({ ...at, ...usual }))).trim();
        }
        case "secret": {
          const pasted = question.pasted ? new Pasted(input) : null;
          // What is typed shows not even its length.
          const shown = pasted ? { input: pasted } : { mask: "" };
          const typed = await answered(clack.password({ ...at, ...shown }));
          return pasted?.text ?? typed ?? "";
        }
        case "confirm":
          return (await answered(clack.confirm({ ...at, initialValue: false }))) ? "yes" : "no";
      }
    },
  };
}

/** A terminal that hands out each key. */
interface Keys {
  setRawMode?(raw: boolean): unknown;
}

/** What is typed during `work`, such as a password once more, is neither shown nor an answer to what comes. Ctrl-C stops as it does elsewhere. */
export async function unheard<Result>(
  { stdin, leaveBy }: Pick<Io, "stdin" | "leaveBy">,
  work: () => Promise<Result>,
): Promise<Result> {
  const keys: Io["stdin"] & Keys = stdin;
  if (keys.isTTY !== true || keys.setRawMode === undefined) return work();
  const onKeys = (typed: Buffer): void => {
    if (!typed.includes("\u0003")) return;
    keys.setRawMode?.(false);
    leaveBy("SIGINT");
  };
  keys.setRawMode(true);
  // A question before has paused it.
  keys.on("data", onKeys).resume();
  try {
    const result = await work();
    // What was typed while a hash kept this thread busy comes now.
    await setImmediate();
    return result;
  } finally {
    keys.off("data", onKeys).pause();
    keys.setRawMode(false);
  }
}

/** And the marks around a bracketed paste. */
const CURSOR_KEYS = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|O[A-Z])/g;

/**
 * The keys of a terminal, of which what is pasted is kept: a prompt would take its first line end for
 * the answer's, and draw more marks than a line has room for. The prompt sees one mark for each line.
 * An Enter that is pressed by itself ends it, and a second one a block that isn't closed: its reader
 * says what is missing. Backspace takes all of it.
 */
class Pasted extends Transform {
  readonly isTTY = true;
  text = "";
  readonly #keys: Io["stdin"] & { setRawMode?(raw: boolean): unknown };
  #wasEnter = false;

  constructor(keys: Io["stdin"]) {
    super();
    this.#keys = keys;
    keys.pipe(this);
  }

  setRawMode(raw: boolean): void {
    this.#keys.setRawMode?.(raw);
    if (!raw) this.#keys.unpipe(this).pause();
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    const keys = String(chunk).replace(CURSOR_KEYS, "");
    const isEnter = /^[\r\n]+$/.test(keys);
    const isOpen = this.text.split("{").length > this.text.split("}").length;
    const isEnd = isEnter && (!isOpen || this.#wasEnter);
    this.#wasEnter = isEnter;
    if (keys === "") done();
    else if (isEnd || /^[\u0003\u001b]/.test(keys)) done(null, keys.slice(0, 1));
    else if (/[\b\u007f\u0015]/.test(keys)) {
      this.text = "";
      done(null, "\u0015");
    } else {
      this.text += keys.replace(/\r\n?/g, "\n");
      done(null, "*".repeat(keys.trim().split(/[\r\n]+/).length));
    }
  }
}
