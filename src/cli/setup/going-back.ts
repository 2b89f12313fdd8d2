/** Lets the operator go back a question: the talk begins anew with the answers before it, which are taken without a word. */

import { RunError } from "../../errors/run-error.js";
import { type Asker, attempt } from "./asker.js";

/** What is typed, or chosen, in place of an answer. A file of that name is `./back`. */
const BACK = "back";

class WentBack extends Error {}

/** An answer that was taken, as it was given. */
interface Given {
  readonly message: string;
  readonly text: string;
}

/** @param talk asks the same questions where it gets the same answers, and changes nothing before its end */
export async function withBack<T>(asker: Asker, talk: (asker: Asker) => Promise<T>): Promise<T> {
  const given: Given[] = [];
  for (;;) {
    try {
      return await talk(remembering(asker, given));
    } catch (error) {
      if (!(error instanceof WentBack)) throw error;
      given.pop();
    }
  }
}

/** An asker that gives what is remembered as the first answers, says nothing until it has, and remembers the others. */
function remembering(asker: Asker, given: Given[]): Asker {
  let at = 0;
  const unlessAgain = (say: (text: string) => void) => (text: string) => {
    if (at >= given.length) say(text);
  };

  async function answered<Answer>(
    message: string,
    read: (text: string) => Answer | Promise<Answer>,
    ask: (read: (text: string) => Promise<Answer>) => Promise<Answer>,
  ): Promise<Answer> {
    const before = given[at];
    if (before?.message === message) {
      at += 1;
      const answer = await attempt(() => read(before.text));
      if (!(answer instanceof RunError)) return answer;
      at -= 1;
    }
    // What was answered behind a question that is another one now is asked again.
    given.length = at;
    return ask(async (text) => {
      if (text.trim() === BACK) throw new WentBack();
      const answer = await read(text);
      given.push({ message, text });
      at = given.length;
      return answer;
    });
  }

  return {
    say: unlessAgain(asker.say),
    found: unlessAgain(asker.found),
    warn: unlessAgain(asker.warn),
    end: asker.end,
    choose: (message, choices) =>
      answered(
        message,
        (text) => {
          const chosen = choices.find(({ value }) => value === text);
          if (chosen === undefined) throw new WentBack();
          return chosen.value;
        },
        async (read) => read(await asker.choose<string>(message, [...choices, ...goBack(at)])),
      ),
    text: ({ read, ...question }) =>
      answered(question.message, read, (reading) => asker.text({ ...question, read: reading })),
    secret: ({ read, ...question }) =>
      answered(question.message, read, (reading) => asker.secret({ ...question, read: reading })),
    confirm: (message) =>
      answered(
        message,
        (text) => text === "yes",
        async (read) => read((await asker.confirm(message)) ? "yes" : "no"),
      ),
  };
}

/** There is none before the first question. */
function goBack(at: number) {
  return at === 0 ? [] : [{ value: BACK, label: "Back to the question before" }];
}
