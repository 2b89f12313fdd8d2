/** `auth-migrate import`: opens inputs and core, runs the import, tells how it ended. */

import { importUsers } from "../../migration/import-users.js";
import { type Input, openInputs, sourceNames } from "../../migration/inputs.js";
import { coreText } from "../../report/summary-text.js";
import { openTarget } from "../core-target.js";
import { endRun } from "../ending.js";
import type { ExitCode } from "../exit-codes.js";
import { prepareProof } from "../import-proof.js";
import { watchSignals } from "../interruption.js";
import { confirmImport } from "../prompts.js";
import { proofSetting } from "../proving.js";
import { createReporter } from "../reporter.js";
import { resumeCommand } from "../resume-command.js";
import { loadKeys } from "../secrets.js";
import { createTerminal } from "../terminal.js";
import {
  ImportProofValues,
  inputOptions,
  ReadingValues,
  TargetValues,
  voiceOf,
} from "../values.js";
import { runValidate } from "./validate.js";

/** @param given the options' values as commander parsed them */
export async function runImport(
  files: string[],
  given: Record<string, unknown>,
): Promise<ExitCode> {
  const values = ReadingValues.parse(given);
  const targetValues = TargetValues.parse(given);
  const { prove: file, requireProof: required, ...proofValues } = ImportProofValues.parse(given);
  if (targetValues.dryRun && file === undefined && !required) return runValidate(files, given);
  const terminal = createTerminal(voiceOf(values));
  const keys = await loadKeys({ ...values, ...targetValues }, terminal);
  const inputs = await openInputs(files, inputOptions(values));
  const choices = { file, required, yes: targetValues.yes };
  const setting = proofSetting({ ...values, ...proofValues }, inputs, keys);
  // Before a core is opened: a proof that fails must leave no data file behind and have called nobody.
  const beforeBulk = await prepareProof(choices, setting, terminal);
  if (targetValues.dryRun) return runValidate(files, given);
  const target = await openTarget(targetValues, keys, terminal);
  const again = resumeCommand();
  const work = `${describe(inputs)} into ${coreText(target.core.target)}`;
  const interruption = watchSignals(
    terminal,
    "Stopping: calls in flight end, progress is saved. Once more leaves at once.",
  );
  try {
    const { onExisting, assumeEmpty, checkpoint, targetMoved, yes } = targetValues;
    if (targetValues.core !== undefined && !yes) await confirmImport(terminal, `Import ${work}?`);
    terminal.note(`Importing ${work}; checkpoint ${checkpoint}`);
    const reporter = createReporter(terminal, true);
    try {
      const summary = await importUsers({
        inputs,
        ...target,
        checkpoint,
        targetMoved,
        policy: { ...setting.policy, onExisting, assumeEmpty },
        hashConfig: keys.hashConfig,
        namespace: values.namespace,
        beforeBulk,
        signal: interruption.signal,
        onEvent: reporter.onEvent,
      });
      return endRun(terminal, { summary, told: reporter.end(), interruption, values, again });
    } finally {
      reporter.end();
    }
  } finally {
    interruption.dispose();
    await target.core.close();
  }
}

function describe(inputs: readonly Input[]): string {
  const files = inputs.length === 1 ? (inputs[0]?.path ?? "") : `${inputs.length} files`;
  return `${files} (${sourceNames(inputs)})`;
}
