/** The walk's last step: all answers are shown, agreed to and written. */

import { RunError } from "../../errors/run-error.js";
import type { Terminal } from "../terminal.js";
import { type Asker, attempt, told } from "./asker.js";
import {
  type Answers,
  movedTo,
  type Places,
  type PlannedFile,
  planFiles,
  requireNoLoss,
  unwrittenLines,
} from "./configuration.js";
import { answerLines } from "./instructions.js";
import { writeTogether } from "./write-together.js";

const WRITE = [{ value: "write", label: "Write it" }] as const;

/** What is to be written, and where. */
interface Writing {
  readonly answers: Answers;
  readonly places: Places;
  readonly force: boolean;
}

/**
 * Writes what the operator agrees to. What can't be written asks for another place, so that no
 * answer is lost; without questions it is shown.
 */
export async function writeAnswers(
  writing: Writing,
  asker: Asker | null,
  { problem }: Pick<Terminal, "problem">,
): Promise<Writing & { readonly written: readonly string[] }> {
  const { answers, places, force } = writing;
  const planned = await planFiles(answers, places);
  if (!force) await agree(answers, planned, asker);
  const failure = await attempt(() => writeTogether(planned));
  if (!(failure instanceof RunError)) {
    return { ...writing, written: planned.map(({ path }) => path) };
  }
  if (asker === null) {
    for (const line of unwrittenLines(planned)) problem(line);
    throw failure;
  }
  asker.warn(told(failure));
  const config = await asker.text({
    message: "The configuration's file (Enter: the same again)",
    initial: places.config,
    read: (path) => path,
  });
  return writeAnswers({ ...writing, ...movedTo(config, writing) }, asker, { problem });
}

/** Shows all answers, and what is written of them, before anything is. */
async function agree(
  answers: Answers,
  planned: readonly PlannedFile[],
  asker: Asker | null,
): Promise<void> {
  if (asker === null) return requireNoLoss(planned);
  if (planned.length === 0) return;
  asker.found(answerLines(answers, planned).join("\n"));
  for (const { loses } of planned) if (loses !== null) asker.warn(loses);
  await asker.choose("Is that right?", WRITE);
}
