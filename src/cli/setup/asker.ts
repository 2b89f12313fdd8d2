/** What the walk needs of a terminal, and the way back in it. The steps know only this, so that prompts and tests share their checks. */

import { RunError, sentence } from "../../errors/run-error.js";

/** One answer to choose. */
export interface Choice {
  readonly value: string;
  /** Short enough for a line of 60 columns. */
  readonly label: string;
}

/** A question; its message is short enough for a line of 60 columns, and explanations are said before. */
export type Question = {
  readonly message: string;
  /** What gives the answer where nothing can be asked. */
  readonly option?: string;
} & (
  | { readonly kind: "choose"; readonly choices: readonly Choice[] }
  /** `initial` stands there, is the answer to Enter alone, and gives way to what is typed. */
  | { readonly kind: "text"; readonly initial?: string }
  /** It isn't shown. What is `pasted` may have several lines. */
  | { readonly kind: "secret"; readonly pasted?: boolean }
  /** `yes` or `no`; no stands there already. */
  | { readonly kind: "confirm" }
);

/** What is typed, or chosen, in place of an answer. A file of that name is `./back`. */
export const BACK = "back";

/** A terminal. */
export interface Asker {
  /** Says something; lines are wrapped to the terminal. */
  say(text: string): void;
  /** Says what was found out. */
  found(text: string): void;
  /** Says what needs attention. */
  warn(text: string): void;
  /** Says what is wrong with an answer. */
  complain(text: string): void;
  /** Says the last thing. */
  end(text: string): void;
  /**
   * @param back whether there is a question before
   * @param previous what was typed before and couldn't be used
   * @returns what was typed, trimmed where it is shown, or chosen
   * @throws RunError `confirmation_declined` where the operator cancels
   */
  prompt(question: Question, back: boolean, previous?: string): Promise<string>;
  /** Does `work`, and shows nothing of what is typed meanwhile. */
  unheard<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** What the steps tell and ask. */
export interface Talk extends Pick<Asker, "say" | "found" | "warn"> {
  /** False where nothing can be asked. */
  readonly canAsk: boolean;
  /**
   * Asks until an answer can be used.
   *
   * @param check makes an answer of what was typed or chosen. A `RunError` is told, and the question
   *   asked again
   * @throws RunError `usage` where nothing can be asked
   */
  ask<Answer>(
    question: Question,
    check: (text: string) => Answer | Promise<Answer>,
  ): Promise<Answer>;
  /** What `work` comes to. On the way back it isn't done again. */
  once<Result>(work: () => Result | Promise<Result>): Promise<Result>;
  /** The same, and what is typed meanwhile isn't shown. */
  onceUnheard<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** The operator wants the question before. */
class Back extends Error {}

/**
 * Walks. Back leads to the question before: the walk begins anew and is given its answers up to
 * there, so that it needs no other way back. What it does must hang on them alone.
 *
 * @param asker null where nothing can be asked
 * @throws RunError `usage` where an answer is missing and can't be asked for; `confirmation_declined`
 *   where the operator cancels; what `walk` throws
 */
export async function withWayBack<Result>(
  asker: Asker | null,
  walk: (talk: Talk) => Promise<Result>,
): Promise<Result> {
  const known: { readonly value: unknown; readonly isAsked: boolean }[] = [];
  for (;;) {
    let at = 0;
    // What stands above the last answer isn't said again.
    const tell = (as: "say" | "found" | "warn", text: string): void => {
      if (at === known.length) asker?.[as](text);
    };
    async function next<Value>(isAsked: boolean, take: () => Promise<Value>): Promise<Value> {
      if (at === known.length) known.push({ value: await take(), isAsked });
      at += 1;
      return known[at - 1]?.value as Value;
    }
    try {
      return await walk({
        canAsk: asker !== null,
        say: (text) => tell("say", text),
        found: (text) => tell("found", text),
        warn: (text) => tell("warn", text),
        once: (work) => next(false, async () => work()),
        onceUnheard: (work) => next(false, () => asker?.unheard(work) ?? work()),
        ask: (question, check) =>
          next(true, () => {
            if (asker === null) throw unanswered([question.option ?? "an answer"]);
            const back = known.some(({ isAsked }) => isAsked);
            return answerOf(question, check, asker, back);
          }),
      });
    } catch (error) {
      if (!(error instanceof Back)) throw error;
      while (known.pop()?.isAsked === false);
    }
  }
}

/** @throws Back */
async function answerOf<Answer>(
  question: Question,
  check: (text: string) => Answer | Promise<Answer>,
  asker: Asker,
  back: boolean,
): Promise<Answer> {
  let previous: string | undefined;
  for (;;) {
    const text = await asker.prompt(question, back, previous);
    if (text.trim() === BACK && back) throw new Back();
    if (text.trim() !== BACK) {
      const answer = await attempt(() => check(text));
      if (!(answer instanceof RunError)) return answer;
      asker.complain(told(answer));
    }
    previous = text;
  }
}

/** @throws RunError `usage` that says all of what is missing, so that a job is mended in one go */
export function unanswered(missing: readonly string[]): RunError {
  return new RunError(
    "usage",
    `Setup needs an answer and can't ask for it: ${missing.join("; ")}.`,
    {
      hint: "Give them on the command line, or run auth-migrate setup at a terminal, without --no-input and --json.",
    },
  );
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
  return `${sentence(error.message)}\n${sentence(error.hint)}`;
}

/**
 * The path that was typed. A file that is dragged into a terminal comes in quotation marks.
 *
 * @param orBack the way back, where there is one
 * @throws RunError `input_unreadable` where none was typed
 */
export function namedFile(typed: string, orBack: string): string {
  const path = /^'(.*)'$|^"(.*)"$/.exec(typed)?.slice(1).find(Boolean) ?? typed;
  if (path !== "") return path;
  throw new RunError("input_unreadable", "No file was named", { hint: `Type a path${orBack}` });
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
