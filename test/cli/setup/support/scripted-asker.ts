/** An `Asker` without a terminal: it answers from a script, keeps to the rules of a real one, and writes down what was said. */

import { type Asker, attempt, canceled, told } from "../../../../src/cli/setup/asker.js";
import { RunError } from "../../../../src/errors/run-error.js";

export interface ScriptedAsker extends Asker {
  /** Everything that was said, and the errors that answers got. */
  readonly said: readonly string[];
  /** The questions, in order. */
  readonly asked: readonly string[];
  /** The values of each choice, as they were offered. */
  readonly offered: readonly (readonly string[])[];
  /** The labels of all choices. */
  readonly labels: readonly string[];
  /** Answers that no question took. */
  left(): readonly string[];
}

/** @param script answers in order: texts, `yes` or `no`, or a choice's value; at its end the operator cancels */
export function scriptedAsker(...script: readonly string[]): ScriptedAsker {
  const answers = [...script];
  const said: string[] = [];
  const asked: string[] = [];
  const offered: (readonly string[])[] = [];
  const labels: string[] = [];

  const next = (question: string): string => {
    asked.push(question);
    const answer = answers.shift();
    if (answer === undefined) throw canceled();
    return answer;
  };
  async function untilRead<T>(message: string, read: (text: string) => T | Promise<T>): Promise<T> {
    for (;;) {
      const text = next(message);
      const answer = await attempt(() => read(text));
      if (!(answer instanceof RunError)) return answer;
      said.push(told(answer));
    }
  }
  return {
    said,
    asked,
    offered,
    labels,
    left: () => answers,
    say: (text) => void said.push(text),
    found: (text) => void said.push(text),
    warn: (text) => void said.push(text),
    end: (text) => void said.push(text),
    async choose(message, choices) {
      const answer = next(message);
      labels.push(...choices.map(({ label }) => label));
      offered.push(choices.map(({ value }) => value));
      const chosen = choices.find(({ value }) => value === answer);
      if (chosen === undefined) throw new Error(`"${message}" has no answer "${answer}"`);
      return chosen.value;
    },
    text: ({ message, read }) => untilRead(message, read),
    secret: ({ message, read }) => untilRead(message, read),
    confirm: async (message) => next(message) === "yes",
  };
}
