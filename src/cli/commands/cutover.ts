/** `auth-migrate cutover`: records that people sign in at the core, and says what that means. */

import { z } from "zod";
import { recordCutover } from "../../run/cutover.js";
import { count } from "../../report/count.js";
import { unfinishedUsers } from "../../report/status-text.js";
import { readersOf } from "../data-file.js";
import type { ExitCode } from "../exit-codes.js";
import type { Io } from "../io.js";
import { createTerminal, printable } from "../terminal.js";
import { CheckpointValues, voiceOf } from "../values.js";

const CutoverValues = CheckpointValues.extend({ undo: z.boolean().default(false) });

const MEANING = {
  recorded: [
    "From now on no import with this checkpoint overwrites a password or a contact: a row that has changed since is skipped (changed_after_cutover).",
    "New users are imported as before. If this was too early: auth-migrate cutover --undo",
  ],
  undone: [
    "Changed passwords and contacts are sent again, also over what people have changed at the core since.",
  ],
} as const;

/** @param given the options' values as commander parsed them */
export async function runCutover(
  _files: string[],
  given: Record<string, unknown>,
  io: Io,
): Promise<ExitCode> {
  const { checkpoint, undo, ...values } = CutoverValues.parse(given);
  const terminal = createTerminal(voiceOf(values), io);
  const tellOfReaders = readersOf([checkpoint], terminal);
  const { status, changed } = recordCutover(checkpoint, { undo });
  tellOfReaders();
  const { cutoverAt, users } = status;
  const unfinished = unfinishedUsers(status);
  if (terminal.voice.json) {
    const told = { checkpoint, changed, users, unfinished, exitCode: 0 };
    const time = cutoverAt?.toISOString() ?? null;
    terminal.event({ type: "cutover", cutoverAt: time, ...told });
    return 0;
  }
  terminal.prose(printable(`${checkpoint}: ${headline(cutoverAt, changed)}`));
  for (const line of meaning(cutoverAt, changed)) terminal.prose(line);
  if (unfinished > 0 && !undo) {
    terminal.result(
      `${count(unfinished, "user")} of ${users.toLocaleString("en-US")} ${unfinished === 1 ? "is" : "are"} unfinished: run the import again, it goes on with them.`,
    );
  }
  return 0;
}

function meaning(cutoverAt: Date | null, changed: boolean): readonly string[] {
  if (cutoverAt !== null) return MEANING.recorded;
  return changed ? MEANING.undone : [];
}

function headline(cutoverAt: Date | null, changed: boolean): string {
  if (cutoverAt === null) {
    return changed
      ? "the cut-over is taken back; nobody signs in at the core yet."
      : "no cut-over was recorded; there is nothing to take back.";
  }
  const since = `people sign in at the core since ${cutoverAt.toISOString()}`;
  return changed ? `recorded: ${since}.` : `${since}, as recorded before.`;
}
