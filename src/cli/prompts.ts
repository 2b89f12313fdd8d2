/** Questions of a run, asked only on a terminal; each has a flag in its place. A signal that stops the run ends its question, too. Those of setup are in setup/. */

import { setImmediate } from "node:timers/promises";
import type * as Clack from "@clack/prompts";
import { RunError } from "../errors/run-error.js";
import type { Io } from "./io.js";
import type { Terminal } from "./terminal.js";

/**
 * Asks for a key or a password that may not be needed.
 *
 * @param otherwise how it is given where nobody asks
 * @returns null where it isn't needed, and where no terminal is there to ask at
 * @throws RunError `confirmation_declined`
 */
export async function askForSecret(
  terminal: Pick<Terminal, "canPrompt" | "io">,
  message: string,
  otherwise: string,
): Promise<string | null> {
  if (!terminal.canPrompt) return null;
  // It shows not even its length.
  const answer = await answerOf(terminal, undefined, async ({ password }, at) => {
    return (await password({ message, mask: "", ...at })) ?? "";
  });
  if (answer === null) throw declined(otherwise);
  return answer === "" ? null : answer;
}

/**
 * Asks one question.
 *
 * @param signal ends the question as it ends the run that asks it
 * @returns null where the operator cancels
 * @throws the signal's reason
 */
async function answerOf<Answer>(
  { io }: Pick<Terminal, "io">,
  signal: AbortSignal | undefined,
  question: (
    clack: typeof Clack,
    at: Pick<Clack.PasswordOptions, "input" | "output" | "signal">,
  ) => Promise<Answer>,
): Promise<Exclude<Answer, symbol> | null> {
  const clack = await import("@clack/prompts");
  const { stdin: input, stderr: output } = io;
  const answer = await question(clack, { input, output, ...(signal && { signal }) });
  signal?.throwIfAborted();
  return clack.isCancel(answer) ? null : (answer as Exclude<Answer, symbol>);
}

/** What isn't done where the operator says no, and the way on. */
const DECLINED = {
  import: ["sent", "Say yes, or give --yes, to go ahead."],
  removal: ["removed", "Say yes, or give --yes, to remove it."],
  cutover: [
    "recorded",
    "Run the same import again first. Say yes, or give --yes, to cut over without them.",
  ],
} as const;

/**
 * Asks before users are sent to a core or what is there is removed, or before a cut-over that leaves
 * users behind.
 *
 * @throws RunError `confirmation_declined`; the signal's reason
 */
export async function confirm(
  what: keyof typeof DECLINED,
  terminal: Pick<Terminal, "io">,
  question: string,
  signal?: AbortSignal,
): Promise<void> {
  const asked = { message: question, initialValue: false };
  const answer = await answerOf(terminal, signal, (one, at) => one.confirm({ ...asked, ...at }));
  if (answer === true) return;
  const [done, hint] = DECLINED[what];
  throw declined(hint, done);
}

/**
 * Holds that a removal can be agreed to.
 *
 * @param look the command that shows what is to be removed
 * @throws RunError `usage`
 */
export function requireAgreeable(path: string, look: string, mayGoOn: boolean): void {
  if (mayGoOn) return;
  throw new RunError("usage", `No terminal is there to ask whether ${path} is to be removed.`, {
    hint: `Give --yes, or look at it first: ${look}`,
  });
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

/** What is canceled before anything is done. */
export function declined(hint: string, done = "sent"): RunError {
  return new RunError("confirmation_declined", `Cancelled; nothing was ${done}.`, { hint });
}
