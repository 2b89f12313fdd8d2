/** `auth-migrate status`: where a checkpoint stands, also while a run goes on. It reads and changes nothing. */

import { type CheckpointStatus, readStatus } from "../../checkpoint/status.js";
import { statusText } from "../../report/status-text.js";
import type { ExitCode } from "../exit-codes.js";
import type { Io } from "../io.js";
import { createTerminal, printable } from "../terminal.js";
import { CheckpointValues, voiceOf } from "../values.js";

/** @param given the options' values as commander parsed them */
export async function runStatus(
  _files: string[],
  given: Record<string, unknown>,
  io: Io,
): Promise<ExitCode> {
  const values = CheckpointValues.parse(given);
  const terminal = createTerminal(voiceOf(values), io);
  const status = readStatus(values.checkpoint);
  if (terminal.voice.json) terminal.event({ type: "status", ...printed(status), exitCode: 0 });
  else for (const line of statusText(status)) terminal.prose(printable(line));
  return 0;
}

/** With its times as they are printed. */
function printed({ begunAt, writtenAt, cutoverAt, ...status }: CheckpointStatus) {
  return {
    ...status,
    begunAt: begunAt?.toISOString() ?? null,
    writtenAt: writtenAt.toISOString(),
    cutoverAt: cutoverAt?.toISOString() ?? null,
  };
}
