/** `auth-migrate checkpoint purge`: removes a checkpoint whose migration is over. It asks for a yes first. */

import { purgeCheckpoint } from "../../checkpoint/purge.js";
import { type CheckpointStatus, readStatus } from "../../checkpoint/status.js";
import { unfinishedUsers } from "../../errors/unfinished.js";
import { leftText } from "../../report/headline.js";
import { count, printable } from "../../report/text.js";
import { statusText } from "../../report/status-text.js";
import { confirm, requireAgreeable } from "../prompts.js";
import { checkpoint } from "../options/general.js";
import { checkpointWords, commandLine } from "../resume-command.js";
import type { OptionSpecs } from "../options/option.js";
import type { Terminal } from "../terminal.js";
import { verb } from "../verb.js";

const options = {
  ...checkpoint,
  yes: {
    flags: "--yes",
    group: "Output and questions",
    help: "don't ask before it is removed",
    docs: "Needed without a terminal",
  },
} as const satisfies OptionSpecs;

export const purgeVerb = verb({
  options,
  examples: [
    "auth-migrate checkpoint purge",
    "auth-migrate checkpoint purge --checkpoint pilot.checkpoint --yes",
  ],
  check(_files, { checkpoint, yes }, { canPrompt }) {
    requireAgreeable(
      checkpoint,
      commandLine(["status", ...checkpointWords({ checkpoint })]),
      yes || canPrompt,
    );
  },
  async run(_files, { checkpoint, yes }, terminal) {
    if (!yes) await agree(readStatus(checkpoint), terminal);
    const { status, removed } = purgeCheckpoint(checkpoint);
    const { users } = status;
    const unfinished = unfinishedUsers(status);
    const left = leftText(status);
    const whose = left === null ? `: ${count(users, "user")}` : `. ${left}`;
    const ended = { type: "summary", command: "checkpoint purge", exitCode: 0 } as const;
    terminal.answer({ ...ended, checkpoint, removed, users, unfinished }, () => [
      `Removed ${removed.join(", ")}${whose}.`,
    ]);
    return 0;
  },
});

async function agree(status: CheckpointStatus, terminal: Terminal): Promise<void> {
  const { checkpoint } = status;
  for (const line of statusText(status)) terminal.note(printable(line));
  terminal.note(
    "Without it nothing can be resumed, a newer export is sent whole, every user counts as a stranger, and which user at the core was which at the vendor is forgotten.",
  );
  await confirm("removal", terminal, `Remove ${printable(checkpoint)}?`);
}
