/** `auth-migrate reconcile`: asks the core whether it has the users whom the checkpoint takes for finished. It changes nothing. */

import { type CheckpointStatus, readStatuses } from "../../checkpoint/status.js";
import { areSmall, type Input } from "../../source/inputs.js";
import {
  DEFAULT_SAMPLE,
  type Reconciliation,
  reconcileUsers,
  requireFilesFor,
} from "../../reconcile/reconcile-users.js";
import { commandLines, fitted } from "../../report/layout.js";
import { unprovedTexts, vaultTexts } from "../../report/headline.js";
import { reconcileText } from "../../report/reconcile-text.js";
import { coreText } from "../../report/summary-text.js";
import { openTarget, type Target, withCore } from "../core-target.js";
import { type ExitCode, exitCodeOfShards } from "../exit-codes.js";
import { withInputs } from "../given-inputs.js";
import { watchSignals } from "../interruption.js";
import { createReporter } from "../reporter.js";
import { checkpointWords, commandLine } from "../resume-command.js";
import { loadKeys } from "../secrets.js";
import {
  checkpoints,
  type GivenCheckpoints,
  givenCheckpoints,
  requireOneExport,
} from "../options/general.js";
import { carrying, carryPolicy } from "../options/carrying.js";
import type { OptionSpecs, ValuesOf } from "../options/option.js";
import { files, inputOptions, requireReadable } from "../options/reading.js";
import { pace } from "../../run/shared-options.js";
import { core, gentle } from "../options/target.js";
import { sampleSize } from "../options/types.js";
import { withSeenVault } from "../seen-vault.js";
import type { Terminal } from "../terminal.js";
import { verb } from "../verb.js";
import { boundReaders, namesOf, openReaders } from "../../checkpoint/several.js";

const options = {
  ...core,
  ...checkpoints,
  ...files,
  ...pace,
  ...carrying,
  fields: {
    flags: "--fields",
    help: "read back and compare what was carried of the accounts of users in the files",
    docs: "With the import's `--carry`, `--roles` and `--mapping`",
  },
  sample: {
    flags: "--sample <n|all>",
    help: "how many users to ask the core for, at random",
    type: sampleSize,
    default: DEFAULT_SAMPLE,
  },
  ...gentle,
} as const satisfies OptionSpecs;

export const reconcileVerb = verb({
  options,
  examples: [
    "auth-migrate reconcile",
    "auth-migrate reconcile users.csv --core https://core.example.com --api-key-file key.txt --sample all",
  ],
  check(files, values, { io }) {
    requireOneExport(values);
    requireFilesFor(values.fields, files);
    requireReadable(files, values, io);
  },
  async run(files, values, terminal) {
    // Before a core is opened: where no user was sent, no data file must be made.
    const read = givenCheckpoints(values);
    const bound = firstBound(read.checkpoints);
    const keys = await loadKeys(values, terminal);
    return withInputs(files, inputOptions(values), terminal, async (inputs) => {
      const opening = { mustExist: true, forFew: inputs.length > 0 && areSmall(inputs) };
      const target = await openTarget({ ...values, checkpoint: bound }, keys, terminal, opening);
      return withCore(target.core, () => reconcileWith(target, inputs, read, values, terminal));
    });
  },
});

async function reconcileWith(
  target: Target,
  inputs: readonly Input[],
  { checkpoints, manifest }: GivenCheckpoints,
  values: ValuesOf<typeof options>,
  terminal: Terminal,
): Promise<ExitCode> {
  const interruption = watchSignals(terminal, "Stopping. Once more leaves at once.");
  terminal.note(`Asking ${coreText(target.core.target)} for users of ${namesOf(checkpoints)}`);
  const reporter = createReporter(terminal);
  const result = await reconcileUsers({
    ...values,
    ...target,
    inputs,
    checkpoint: checkpoints,
    manifest: manifest ?? undefined,
    fields: values.fields ? carryPolicy(values) : undefined,
    concurrency: values.concurrency,
    signal: interruption.signal,
    onEvent: reporter.onEvent,
  });
  const status = withSeenVault(readStatuses(checkpoints, manifest?.rows).sum);
  const exitCode =
    (result.interrupted ? interruption.exitCode() : null) ?? exitCodeOf(result, status);
  terminal.answer({ type: "summary", ...result, vault: status.vault, exitCode }, () => [
    ...vaultTexts(status),
    ...reconcileText(result, reporter.issues().groups, terminal.layout, status),
    ...(exitCode === 0 && checkpoints.length === 1 ? cutoverLines(result, status, terminal) : []),
  ]);
  return exitCode;
}

/** What is next at a core that agrees, and what no password has shown, unless it is a rehearsal's, a pilot's or one that people sign in at. */
function cutoverLines(
  { core, agrees, asked, unfinished, running }: Reconciliation,
  status: CheckpointStatus,
  { resultColumns, layout }: Terminal,
): string[] {
  const { checkpoint, cut, cutoverAt } = status;
  const isWhole = asked > 0 && agrees && unfinished === 0 && !running && cut === null;
  if (core.kind === "embedded" || !isWhole || cutoverAt !== null) return [];
  const open = unprovedTexts(status).flatMap((line) => fitted(line, layout.columns));
  if (status.unproved > 0) return open;
  const command = commandLine(["cutover", ...checkpointWords({ checkpoint })]);
  const next = "Before people sign in at this core:";
  return [...open, next, ...commandLines(command, resultColumns)];
}

/**
 * A difference stays one however often the core is asked. Only users who got no answer may get one
 * next time. Users who are left are no agreement, unless a pilot left them on purpose.
 */
function exitCodeOf(result: Reconciliation, { running, cut }: CheckpointStatus): ExitCode {
  const { agrees, unanswered, shards, unfinished } = result;
  const ofShards = exitCodeOfShards(shards);
  if (!agrees || ofShards === 65) return 65;
  if (unanswered > 0 || ofShards !== 0) return 75;
  return unfinished > 0 && cut !== "limited" && !result.running && !running ? 65 : 0;
}

/** @throws RunError as {@link boundReaders} */
function firstBound(checkpoints: readonly string[]): string {
  const { readers, close } = openReaders(checkpoints, null);
  try {
    return boundReaders(readers)[0].path;
  } finally {
    close();
  }
}
