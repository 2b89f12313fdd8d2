/** All answers are shown, agreed to and written. What can't be written asks for another place, so that no answer is lost; without questions it is shown. */

import { RunError } from "../../errors/run-error.js";
import { attempt, told } from "./asker.js";
import { movedTo, planFiles, requireNoLoss, unwrittenLines } from "./configuration.js";
import { answerLines } from "./instructions.js";
import type { Change, Known, Plan, Saying, Step } from "./steps.js";
import { writeTogether } from "./write-together.js";

const WRITE = [{ value: "write", label: "Write it" }] as const;

/** @param answersOf makes the answers of all that is known */
export function writing(answersOf: (known: Known) => Promise<Plan["answers"]>): readonly Step[] {
  return [
    {
      isOpen: ({ written, unwritten }) => written === null && unwritten === null,
      async given(known, canAsk) {
        if (known.plan !== null) return null;
        const answers = await answersOf(known);
        const plan = { answers, files: await planFiles(answers, known.places) };
        const isForced = known.values.force;
        if (!canAsk && !isForced) requireNoLoss(plan.files);
        return !canAsk || isForced || plan.files.length === 0
          ? write({ ...known, plan }, canAsk)
          : { plan, said: shown(plan) };
      },
      question: () => ({ kind: "choose", message: "Is that right?", choices: WRITE }),
      check: (_write, known) => write(known, true),
    },
    {
      isOpen: ({ unwritten }) => unwritten !== null,
      question: ({ places }) => ({
        kind: "text",
        message: "The configuration's file (Enter: the same again)",
        initial: places.config,
      }),
      check: (config, { places }) => ({ places: movedTo(config, places), unwritten: null }),
    },
  ];
}

function shown({ answers, files }: Plan): readonly Saying[] {
  const loses = files.flatMap((file) => file.loses ?? []);
  return [
    { as: "found", text: answerLines(answers, files).join("\n") },
    ...loses.map((text) => ({ as: "warn", text }) as const),
  ];
}

/** @throws RunError where nothing can be asked about it */
async function write({ plan, problem }: Known, canAsk: boolean): Promise<Change> {
  const files = plan?.files ?? [];
  const failure = await attempt(() => writeTogether(files));
  if (!(failure instanceof RunError)) {
    return { plan, written: files.map(({ path }) => path) };
  }
  if (canAsk) {
    return { plan: null, unwritten: failure, said: [{ as: "warn", text: told(failure) }] };
  }
  for (const line of unwrittenLines(files)) problem(line);
  throw failure;
}
