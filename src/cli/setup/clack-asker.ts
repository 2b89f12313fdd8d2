/** Reads a secret from a terminal without showing it, pasted blocks of several lines included, which @clack/prompts' password prompt would cut off at the first line's end. It shows how much there is and nothing of it. */

import { StringDecoder } from "node:string_decoder";
import { clearLine, cursorTo, moveCursor } from "node:readline";
import { styleText } from "node:util";
import type { Io } from "../io.js";
import { printable } from "../../report/text.js";
import { type Asker, BACK, canceled, type Question, untilRead } from "./asker.js";
import { wrap } from "../../report/layout.js";

/** A terminal that can be read key by key. */
interface KeyInput extends NodeJS.ReadableStream {
  setRawMode?(raw: boolean): unknown;
}

interface HiddenInputOptions {
  /** Whether Enter may stand inside the answer: only one that is pressed by itself ends it. */
  readonly lines: boolean;
  /** Told of every change, for the screen, with what is waited for. */
  readonly onChange: (text: string, note: string) => void;
}

/** Keys that come within this time belong to the same paste, in milliseconds. */
const PASTE_PAUSE_MS = 60;
const MAX_LENGTH = 65_536;

/** Cursor keys, and the marks around a bracketed paste. */
const SEQUENCES = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|O[A-Z])/g;
const CANCEL = /\u0003|^\u001b$/;

/** @returns the text without its last line end, or null where the operator canceled */
export function readHidden(input: KeyInput, options: HiddenInputOptions): Promise<string | null> {
  const { lines, onChange } = options;
  const decoder = new StringDecoder("utf8");
  let text = "";
  let timer: NodeJS.Timeout | undefined;
  /** Enters in a row that were pressed by themselves. */
  let enters = 0;
  return new Promise((resolve) => {
    const end = (answer: string | null): void => {
      clearTimeout(timer);
      input.off("data", onData);
      input.setRawMode?.(false);
      input.pause();
      resolve(answer);
    };
    const ended = (): void => end(text.replace(/\n+$/, ""));
    const onPause = (): void => {
      timer = undefined;
      if (lines) onChange(text, noteOf(text, enters));
      else if (text.endsWith("\n")) ended();
    };
    const onData = (chunk: Buffer | string): void => {
      const isAlone = timer === undefined;
      clearTimeout(timer);
      const keys = typeof chunk === "string" ? chunk : decoder.write(chunk);
      if (CANCEL.test(keys)) {
        end(null);
        return;
      }
      enters = isAlone && /^[\r\n]+$/.test(keys) ? enters + 1 : 0;
      // A block that isn't closed is taken at the second Enter: its reader says what is missing.
      if (lines && text !== "" && enters > (isOpen(text) ? 1 : 0)) {
        ended();
        return;
      }
      text = typed(text, keys.replace(SEQUENCES, "")).slice(0, MAX_LENGTH);
      // An empty answer is a slip: an Enter too many.
      if (lines && /^\n+$/.test(text)) text = "";
      onChange(text, "");
      timer = setTimeout(onPause, PASTE_PAUSE_MS);
    };
    input.setRawMode?.(true);
    input.on("data", onData);
    input.resume();
  });
}

/** What ends the answer. */
function noteOf(text: string, enters: number): string {
  if (text === "") return "";
  if (!isOpen(text)) return ", Enter ends";
  return enters === 0 ? ", } is missing" : ", } is missing: Enter takes it as it is";
}

function typed(before: string, keys: string): string {
  let text = before;
  for (const key of keys.replaceAll(/\r\n?/g, "\n")) {
    if (key === "\u007f" || key === "\b") text = text.replace(/.$/su, "");
    else if (key === "\u0015") text = "";
    else if (key === "\n" || key >= " ") text += key;
  }
  return text;
}

/** A block that has begun and not ended. */
function isOpen(text: string): boolean {
  return text.split("{").length > text.split("}").length;
}

/** The bar at the left, its gap, and a column that stays free. */
const MARGIN = 4;
const MAX_MASK = 16;

const GO_BACK = { value: BACK, label: "Back to the question before" };

/** Loads the prompts and opens the walk on the screen. */
export async function openAsker(title: string, io: Io): Promise<Asker> {
  const clack = await import("@clack/prompts");
  const output = io.stderr;

  const fitted = (text: string): string =>
    wrap(text, (output.columns ?? 80) - MARGIN)
      .map(printable)
      .join("\n");
  /** @param previous what was typed before and couldn't be used */
  async function prompt(question: Question, back: boolean, previous?: string): Promise<string> {
    const { message } = question;
    const answered = <Answer>(answer: Answer | symbol): Exclude<Answer, symbol> => {
      if (clack.isCancel(answer)) throw canceled();
      return answer as Exclude<Answer, symbol>;
    };
    switch (question.kind) {
      case "choose": {
        const options = [...question.choices, ...(back ? [GO_BACK] : [])];
        return answered(await clack.select<string>({ message, options, output }));
      }
      case "text": {
        const { initial = "" } = question;
        const wrong = previous === undefined ? {} : { initialValue: previous };
        const usual = { placeholder: initial, defaultValue: initial, ...wrong };
        return answered(await clack.text({ message, ...usual, output })).trim();
      }
      case "secret":
        return askHidden(clack, io, question);
      case "confirm": {
        const isYes = answered(await clack.confirm({ message, initialValue: false, output }));
        return isYes ? "yes" : "no";
      }
    }
  }

  clack.intro(title, { output });
  return {
    say: (text) => clack.log.message(fitted(text), { output }),
    found: (text) => clack.log.info(fitted(text), { output }),
    warn: (text) => clack.log.warn(fitted(text), { output }),
    end: (text) => clack.outro(text, { output }),
    ask: (question, read, back) =>
      untilRead(
        (previous) => prompt(question, back, previous),
        read,
        // The screen keeps what was wrong with the others.
        (wrong) => clack.log.error(fitted(wrong), { output }),
      ),
  };
}

/** Asks for what is not shown, between the lines that the other prompts draw. */
async function askHidden(
  {
    S_BAR,
    S_STEP_ACTIVE,
    S_STEP_CANCEL,
    S_STEP_SUBMIT,
    S_PASSWORD_MASK,
  }: typeof import("@clack/prompts"),
  { stdin, stderr: output }: Io,
  { message, lines = false }: { readonly message: string; readonly lines?: boolean },
): Promise<string> {
  const color = (format: "gray" | "cyan" | "green", text: string): string =>
    styleText(format, text, { stream: output });
  const bar = color("gray", S_BAR);
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
  const active = color("cyan", S_STEP_ACTIVE);
  draw(active, "");
  const onChange = (text: string, note: string): void =>
    redraw(active, `${mask(text, S_PASSWORD_MASK)}${note}`);
  const answer = await readHidden(stdin, { lines, onChange });
  if (answer === null) {
    redraw(S_STEP_CANCEL, "\n");
    throw canceled();
  }
  redraw(color("green", S_STEP_SUBMIT), color("gray", "(not shown)\n"));
  return answer;
}

/** How much was typed, and nothing of it. */
function mask(text: string, sign: string): string {
  const marks = sign.repeat(Math.min(text.length, MAX_MASK));
  return text.length > MAX_MASK ? `${marks} ${text.length} characters` : marks;
}
