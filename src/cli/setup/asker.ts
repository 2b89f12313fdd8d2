/** What the walk needs of a terminal: to say something and to ask something. The steps know only this, so that prompts and tests share their checks. */

import { RunError } from "../../errors/run-error.js";

/** One answer to choose. */
export interface Choice<Value extends string> {
  readonly value: Value;
  /** Short enough for a line of 60 columns. */
  readonly label: string;
}

interface Question<Answer> {
  /** Short enough for a line of 60 columns; explanations are said before. */
  readonly message: string;
  /** Makes an answer of what was typed. A `RunError` is told, and the question asked again. */
  readonly read: (text: string) => Answer | Promise<Answer>;
}

/**
 * Talks to the operator. Every question is asked again until its answer can be used, and rejects
 * with `confirmation_declined` where the operator cancels.
 */
export interface Asker {
  /** Says something; lines are wrapped to the terminal. */
  say(text: string): void;
  /** Says what was found out. */
  found(text: string): void;
  /** Says what needs attention. */
  warn(text: string): void;
  /** Says the last thing. */
  end(text: string): void;
  choose<Value extends string>(message: string, choices: readonly Choice<Value>[]): Promise<Value>;
  /** @param question `initial` stands there, is the answer to Enter alone, and gives way to what is typed; the answer is trimmed */
  text<Answer>(question: Question<Answer> & { readonly initial?: string }): Promise<Answer>;
  /**
   * Asks without showing what is typed or pasted.
   *
   * @param question `lines`: the answer may have several lines, as a pasted block has
   */
  secret<Answer>(question: Question<Answer> & { readonly lines?: boolean }): Promise<Answer>;
  /** No is the answer that stands there already. */
  confirm(message: string): Promise<boolean>;
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
