/** Reads a secret from a terminal without showing it, pasted blocks of several lines included, which @clack/prompts' password prompt would cut off at the first line's end. It shows how much there is and nothing of it. */

import { StringDecoder } from "node:string_decoder";

/** A terminal that can be read key by key. */
interface KeyInput extends NodeJS.ReadableStream {
  setRawMode?(raw: boolean): unknown;
}

interface HiddenInputOptions {
  /** Whether Enter may stand inside the answer: in a paste, or while a brace is open. */
  readonly lines: boolean;
  /** Told of every change, for the screen. */
  readonly onChange: (text: string) => void;
}

/** What follows an Enter within this time belongs to the same paste, in milliseconds. */
const PASTE_PAUSE_MS = 60;
const MAX_LENGTH = 65_536;

/** Cursor keys, and the marks around a bracketed paste. */
const SEQUENCES = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|O[A-Z])/g;
const CANCEL = /\u0003|^\u001b$/;

/** @returns the text without its last line end, or null where the operator canceled */
export function readHidden(input: KeyInput, options: HiddenInputOptions): Promise<string | null> {
  const decoder = new StringDecoder("utf8");
  let text = "";
  let timer: NodeJS.Timeout | undefined;
  return new Promise((resolve) => {
    const end = (answer: string | null): void => {
      clearTimeout(timer);
      input.off("data", onData);
      input.setRawMode?.(false);
      input.pause();
      resolve(answer);
    };
    const onData = (chunk: Buffer | string): void => {
      clearTimeout(timer);
      const keys = typeof chunk === "string" ? chunk : decoder.write(chunk);
      if (CANCEL.test(keys)) {
        end(null);
        return;
      }
      text = typed(text, keys.replace(SEQUENCES, "")).slice(0, MAX_LENGTH);
      // Nobody pastes nothing; an Enter too many is a slip.
      if (options.lines && /^\n+$/.test(text)) text = "";
      options.onChange(text);
      if (text.endsWith("\n") && !(options.lines && isOpen(text))) {
        timer = setTimeout(() => end(text.replace(/\n+$/, "")), PASTE_PAUSE_MS);
      }
    };
    input.setRawMode?.(true);
    input.on("data", onData);
    input.resume();
  });
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

/** A block that has begun and not ended: its lines aren't the answer yet. */
function isOpen(text: string): boolean {
  return text.split("{").length > text.split("}").length;
}
