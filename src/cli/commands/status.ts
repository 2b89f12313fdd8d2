/** `auth-migrate status`: shows where a checkpoint stands, even during a run. It changes nothing. */

import { type CheckpointStatus, readStatus } from "../../checkpoint/status.js";
import { statusText } from "../../report/status-text.js";
import { checkpoint } from "../options/general.js";
import { printable } from "../terminal.js";
import { verb } from "../verb.js";

export const statusVerb = verb({
  options: checkpoint,
  examples: ["auth-migrate status", "auth-migrate status --checkpoint pilot.checkpoint --json"],
  async run(_files, values, terminal) {
    const status = readStatus(values.checkpoint);
    if (terminal.outputMode.json)
      terminal.event({ type: "status", ...printed(status), exitCode: 0 });
    else for (const line of statusText(status)) terminal.prose(printable(line));
    return 0;
  },
});

/** The status with its times as ISO 8601 texts, as it is printed. */
function printed({ begunAt, writtenAt, cutoverAt, ...status }: CheckpointStatus) {
  return {
    ...status,
    begunAt: begunAt?.toISOString() ?? null,
    writtenAt: writtenAt.toISOString(),
    cutoverAt: cutoverAt?.toISOString() ?? null,
  };
}
