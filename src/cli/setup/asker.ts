/** What the walk needs of a terminal: to say something and to ask something. The steps know only this, so that prompts and tests share their checks. */

import { RunError } from "../../errors/run-error.js";

/** One answer to choose. */
export interface Choice {
  readonly value: string;
  /** Short enough for a line of 60 columns. */
  readonly label: string;
}

/** A question; its message is short enough for a line of 60 columns, and explanations are said before. */
export type Question = { readonly message: string } & (
  | { readonly kind: "choose"; readonly choices: readonly Choice[] }
  /** `initial` stands there, is the answer to Enter alone, and gives way to what is typed. */
  | { readonly kind: "text"; readonly initial?: string }
  /** What is typed or pasted isn't shown; with `lines` it may have several, as a pasted block has. */
  | { readonly kind: "secret"; readonly lines?: boolean }
  /** `yes` or `no`; no stands there already. */
  | { readonly kind: "confirm" }
);

/** What is typed, or chosen, in place of an answer. A file of that name is `./back`. */
export const BACK = "back";

/** Talks to the operator. */
export interface Asker {
  /** Says something; lines are wrapped to the terminal. */
  say(text: string): void;
  /** Says what was found out. */
  found(text: string): void;
  /** Says what needs attention. */
  warn(text: string): void;
  /** Says the last thing. */
  end(text: string): void;
  /**
   * Asks until an answer can be used.
   *
   * @param read makes an answer of what was typed, trimmed where it is shown, or chosen. A `RunError` is told, and
   *   the question asked again
   * @param back whether there is a question before
   * @throws RunError `confirmation_declined` where the operator cancels
   */
  ask<Answer>(
    question: Question,
    read: (text: string) => Answer | Promise<Answer>,
    back: boolean,
  ): Promise<Answer | typeof BACK>;
}

/**
 * Asks by `prompt` until an answer can be used.
 *
 * @param prompt told what was typed last and couldn't be used
 * @param complain told what is wrong with it
 */
export async function untilRead<Answer>(
  prompt: (previous: string | undefined) => Promise<string>,
  read: (text: string) => Answer | Promise<Answer>,
  complain: (text: string) => void,
): Promise<Answer | typeof BACK> {
  let previous: string | undefined;
  for (;;) {
    const text = await prompt(previous);
    if (text.trim() === BACK) return BACK;
    const answer = await attempt(() => read(text));
    if (!(answer instanceof RunError)) return answer;
    complain(told(answer));
    previous = text;
  }
}
/** What a canceled walk ends with. */
export function canceled(): RunError {
  return new RunError(
    "confirmation_declined",
    "The setup was canceled; nothing was written and nothing was sent.",
    { hint: "Run auth-migrate setup again to start over." },
  );
}

/** What an error of a check is told as: what, and what to do about it. */
export function told(error: RunError): string {
  const sentence = (text: string): string => text.replace(/[^.!?]$/, "$&.");
  return `${sentence(error.message)}\n${sentence(error.hint)}`;
}

/** What `work` answers, or the error that a person can do something about. */
export async function attempt<T>(work: () => T | Promise<T>): Promise<T | RunError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RunError) return error;
    throw error;
  }
}
