/** `auth-migrate import`: opens inputs and core, runs the import, tells how it ended. */

import { importUsers } from "../../migration/import-users.js";
import { nameOf } from "../../migration/input-bytes.js";
import { type Input, sourceNames } from "../../migration/inputs.js";
import type { BeforeBulk } from "../../migration/options.js";
import { coreText } from "../../report/summary-text.js";
import { openTarget } from "../core-target.js";
import { endRun } from "../ending.js";
import type { ExitCode } from "../exit-codes.js";
import { withInputs } from "../given-inputs.js";
import { prepareProof } from "../import-proof.js";
import { watchSignals } from "../interruption.js";
import { type GivenUsers, requireCoverage, withPasswords } from "../password-export.js";
import { confirmImport } from "../prompts.js";
import { type ProofSetting, proofSetting } from "../proving.js";
import { createReporter } from "../reporter.js";
import { resumeCommand } from "../resume-command.js";
import { loadKeys } from "../secrets.js";
import { createTerminal, type Terminal } from "../terminal.js";
import {
  ImportProofValues,
  inputOptions,
  loadHashConfig,
  type ReadingOptionValues,
  ReadingValues,
  type TargetOptionValues,
  TargetValues,
  voiceOf,
} from "../values.js";
import { runValidate, validateFrom } from "./validate.js";

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
  return withInputs(files, inputOptions(values), (inputs) =>
    withPasswords(inputs, values, terminal, async (users) => {
      requireCoverage(users, values);
      const choices = { file, required, yes: targetValues.yes };
      const setting = proofSetting({ ...values, ...proofValues }, users.inputs, keys);
      // Before a core is opened: a proof that fails must leave no data file behind and have called nobody.
      const beforeBulk = await prepareProof(choices, setting, terminal);
      if (targetValues.dryRun) {
        const hashConfig = loadHashConfig(values.hashConfig);
        return validateFrom(users, { values, hashConfig, terminal });
      }
      return importFrom(users, { values, targetValues, setting, beforeBulk, terminal });
    }),
  );
}

/** What an import from opened inputs needs. */
interface Importing {
  readonly values: ReadingOptionValues;
  readonly targetValues: TargetOptionValues;
  readonly setting: ProofSetting;
  readonly beforeBulk: BeforeBulk;
  readonly terminal: Terminal;
}

async function importFrom(
  { inputs, findings, passwordCoverage }: GivenUsers,
  { values, targetValues, setting, beforeBulk, terminal }: Importing,
): Promise<ExitCode> {
  const { keys } = setting;
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
      for (const finding of findings) reporter.onEvent({ type: "finding", ...finding });
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
        passwordCoverage,
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
  const files = inputs.length === 1 ? nameOf(inputs[0]?.path ?? "") : `${inputs.length} files`;
  return `${files} (${sourceNames(inputs)})`;
}
