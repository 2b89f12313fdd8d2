/** `auth-migrate cutover`: records that people sign in at the core, and says what that means. */

import { boundCore as coreOf, type CheckpointStatus, readStatus } from "../../checkpoint/status.js";
import { unfinishedUsers } from "../../errors/unfinished.js";
import { RunError } from "../../errors/run-error.js";
import { againText, leftText, unprovedTexts, vaultTexts } from "../../report/headline.js";
import { boundCore, momentOf } from "../../report/status-text.js";
import { recordCutover } from "../../run/cutover.js";
import { readersOf } from "../core-choice.js";
import { checkpoint, DEFAULT_CHECKPOINT } from "../options/general.js";
import type { OptionSpecs } from "../options/option.js";
import { commandLines } from "../../report/layout.js";
import { checkpointWords, commandLine } from "../resume-command.js";
import { confirm } from "../prompts.js";
import { withSeenVault } from "../seen-vault.js";
import type { Terminal } from "../terminal.js";
import { verb } from "../verb.js";

/** Without its default, which doesn't show whether it was named. */
const { default: _, ...unnamed } = checkpoint.checkpoint;

/** A file or a variable that says so once would take back every cut-over. */
const options = {
  checkpoint: { ...unnamed, defaultText: DEFAULT_CHECKPOINT },
  revoke: {
    flags: "--revoke",
    help: "take it back: changed passwords are sent again",
    docs: "On the command line alone",
    variable: false,
    configured: false,
  },
  yes: {
    flags: "--yes",
    group: "Output and questions",
    help: "don't ask where users are open, queued or failed",
    docs: "Needed for them without a terminal",
  },
} as const satisfies OptionSpecs;

const RECORDED = [
  "From now on no import with this checkpoint overwrites a password or a contact: a row that has changed since is skipped (changed_after_cutover). An undo removes no user any more.",
  "New users are imported as before. If this was too early:",
];
const REVOKED = [
  "Changed passwords and contacts are sent again, also over what people have changed at the core since. An undo stays refused: people may have signed in there.",
];

export const cutoverVerb = verb({
  options,
  examples: ["auth-migrate cutover", "auth-migrate cutover --revoke"],
  async run(_files, { checkpoint: named, revoke, yes }, terminal) {
    const checkpoint = named ?? DEFAULT_CHECKPOINT;
    if (named === undefined && !revoke) requireRealCore(checkpoint);
    if (!revoke && !yes) await agree(readStatus(checkpoint), terminal);
    const tellOfReaders = readersOf([checkpoint], terminal);
    const { status, changed } = recordCutover(checkpoint, { revoke });
    tellOfReaders();
    const { cutoverAt, users } = status;
    const unfinished = unfinishedUsers(status);
    const left = leftText(status);
    if (terminal.outputMode.json) {
      terminal.event({
        type: "cutover",
        cutoverAt: cutoverAt?.toISOString() ?? null,
        checkpoint,
        changed,
        users,
        unfinished,
        exitCode: 0,
      });
      return 0;
    }
    terminal.result(`${checkpoint}: ${headline(status, changed)}`);
    const meaning = cutoverAt !== null ? RECORDED : changed ? REVOKED : [];
    for (const line of meaning) terminal.result(line);
    const show = (...words: string[]): void => {
      const command = commandLine([...words, ...checkpointWords({ checkpoint })]);
      for (const line of commandLines(command, terminal.resultColumns)) terminal.verbatim(line);
    };
    if (!revoke) {
      show("cutover", "--revoke");
      const seen = withSeenVault(status);
      for (const line of [...unprovedTexts(seen), ...vaultTexts(seen)]) terminal.result(line);
      if (left !== null) {
        terminal.result(`${left}${againText(status)}`);
        return 0;
      }
    }
    terminal.result("To see where it stands:");
    show("status");
    return 0;
  },
});

/**
 * A rehearsal isn't cut over by default: the real import's checkpoint would go on overwriting what
 * people change.
 *
 * @throws RunError `usage`
 */
function requireRealCore(checkpoint: string): void {
  if (coreOf(checkpoint)?.kind !== "embedded") return;
  throw new RunError(
    "usage",
    `Nothing was recorded: ${checkpoint} is of an import into an embedded core, which is there to rehearse with.`,
    {
      hint: `Name the checkpoint of the import into your core: auth-migrate cutover --checkpoint FILE. Where people do sign in at the embedded core: auth-migrate cutover --checkpoint ${checkpoint}`,
    },
  );
}

/**
 * Who is left can't sign in once people are sent to the core.
 *
 * @throws RunError `usage` where nobody can be asked; `confirmation_declined`
 */
async function agree(status: CheckpointStatus, terminal: Terminal): Promise<void> {
  const left = leftText(status);
  // A run that goes on is told of by the lock that it holds.
  if (left === null || status.cutoverAt !== null || status.running) return;
  const why = `${left}. Such users may be unable to sign in at the core.`;
  if (!terminal.canPrompt) {
    throw new RunError("usage", `Nothing was recorded. ${why}`, {
      hint: `Give --yes to cut over without them, or bring them first${againText(status)}`,
    });
  }
  terminal.note(why);
  await confirm("cutover", terminal, "Cut over without them?");
}

function headline({ cutoverAt, core }: CheckpointStatus, changed: boolean): string {
  if (cutoverAt === null) {
    return changed
      ? "the cut-over is taken back; people don't sign in at the core yet."
      : "no cut-over was recorded; there is nothing to take back.";
  }
  // A rehearsal has a checkpoint, too.
  const named = core === null ? "core" : boundCore(core);
  const since = `people sign in at the ${named} since ${momentOf(cutoverAt)}`;
  return changed ? `recorded: ${since}.` : `${since}, as recorded before.`;
}
