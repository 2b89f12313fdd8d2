/** `auth-migrate checkpoint purge`: removes a checkpoint whose migration is over. Nobody's checkpoint goes without a yes. */

import { z } from "zod";
import { RunError } from "../../errors/run-error.js";
import { purgeCheckpoint } from "../../checkpoint/purge.js";
import { type CheckpointStatus, readStatus } from "../../checkpoint/status.js";
import { count } from "../../report/count.js";
import { statusText, unfinishedUsers } from "../../report/status-text.js";
import type { ExitCode } from "../exit-codes.js";
import { confirmPurge } from "../prompts.js";
import type { Io } from "../io.js";
import { createTerminal, printable, type Terminal } from "../terminal.js";
import { CheckpointValues, voiceOf } from "../values.js";

const PurgeValues = CheckpointValues.extend({ yes: z.boolean().default(false) });

/** @param given the options' values as commander parsed them */
export async function runCheckpointPurge(
  _files: string[],
  given: Record<string, unknown>,
  io: Io,
): Promise<ExitCode> {
  const { checkpoint, yes, ...values } = PurgeValues.parse(given);
  const terminal = createTerminal(voiceOf(values), io);
  if (!yes) await agree(readStatus(checkpoint), terminal);
  const { status, removed } = purgeCheckpoint(checkpoint);
  const { users } = status;
  const unfinished = unfinishedUsers(status);
  if (terminal.voice.json) {
    terminal.event({ type: "purge", checkpoint, removed, users, unfinished, exitCode: 0 });
  } else {
    const left =
      unfinished === 0 ? "" : `, ${unfinished.toLocaleString("en-US")} of them unfinished`;
    terminal.result(printable(`Removed ${removed.join(", ")}: ${count(users, "user")}${left}.`));
  }
  return 0;
}

/** @throws RunError `usage` where nobody can be asked, `confirmation_declined` */
async function agree(status: CheckpointStatus, terminal: Terminal): Promise<void> {
  const { checkpoint } = status;
  if (!terminal.canPrompt) {
    throw new RunError("usage", `Nobody can be asked whether ${checkpoint} is to be removed.`, {
      hint: "Look at it with auth-migrate status, then give --yes.",
    });
  }
  for (const line of statusText(status)) terminal.note(printable(line));
  terminal.note(
    "Without it nothing can be resumed, a newer export is sent whole, every user counts as a stranger, and which user at the core was which at the vendor is forgotten.",
  );
  await confirmPurge(terminal, `Remove ${printable(checkpoint)}?`);
}
