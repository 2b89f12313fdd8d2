/** An `Asker` without a terminal: it answers from a script, keeps to the rules of a real one, and writes down what was said. */

import { type Asker, BACK, canceled } from "../../../../src/cli/setup/asker.js";

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
  return {
    unheard: (work) => work(),
    said,
    asked,
    offered,
    labels,
    left: () => answers,
    say: (text) => void said.push(text),
    found: (text) => void said.push(text),
    warn: (text) => void said.push(text),
    end: (text) => void said.push(text),
    complain: (text) => void said.push(text),
    async prompt(question, back) {
      // Of any kind, a list as well: who begins has none before.
      const isFirst = asked.length === 0 || question.message === asked[0];
      if (!back && !isFirst) throw new Error(`"${question.message}" has no way back`);
      const answer = next(question.message);
      if (question.kind !== "choose") return answer;
      const values = question.choices.map(({ value }) => value);
      offered.push(values);
      labels.push(...question.choices.map(({ label }) => label));
      const isOne = values.includes(answer) || answer === BACK;
      if (!isOne) throw new Error(`"${question.message}" has no answer "${answer}"`);
      return answer;
    },
  };
}
