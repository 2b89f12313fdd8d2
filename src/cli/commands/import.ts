/** `auth-migrate import`: opens inputs and core, runs the import, tells how it ended. */

import type { ImportSummary } from "../../migration/events.js";
import { importUsers } from "../../migration/import-users.js";
import { nameOf } from "../../migration/input-bytes.js";
import { type Input, sourceNames } from "../../migration/inputs.js";
import type { BeforeBulk } from "../../migration/options.js";
import { coreText } from "../../report/summary-text.js";
import { openTarget, type Target, withCore } from "../core-target.js";
import { endRun } from "../ending.js";
import type { ExitCode } from "../exit-codes.js";
import { withInputs } from "../given-inputs.js";
import { prepareProof } from "../import-proof.js";
import { type Interruption, watchSignals } from "../interruption.js";
import { type GivenUsers, requireCoverage, withPasswords } from "../password-export.js";
import { confirmImport } from "../prompts.js";
import { type ProofSetting, proofSetting } from "../proving.js";
import { createReporter, type Reporter } from "../reporter.js";
import { resumeCommand } from "../resume-command.js";
import { loadKeys } from "../secrets.js";
import { createTerminal, type Terminal } from "../terminal.js";
import {
  ImportProofValues,
  inputOptions,
  loadHashConfig,
  paceOf,
  PaceValues,
  type PaceOptionValues,
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
      const paceValues = PaceValues.parse(given);
      return importFrom(users, {
        ...{ values, targetValues, paceValues, setting, beforeBulk, terminal },
      });
    }),
  );
}

/** What an import from opened inputs needs. */
interface Importing {
  readonly values: ReadingOptionValues;
  readonly targetValues: TargetOptionValues;
  readonly paceValues: PaceOptionValues;
  readonly setting: ProofSetting;
  readonly beforeBulk: BeforeBulk;
  readonly terminal: Terminal;
}

async function importFrom(users: GivenUsers, importing: Importing): Promise<ExitCode> {
  const { values, targetValues, setting, terminal } = importing;
  const target = await openTarget(targetValues, setting.keys, terminal);
  const again = resumeCommand();
  const interruption = watchSignals(
    terminal,
    "Stopping: calls in flight end, progress is saved. Once more leaves at once.",
  );
  const reporter = createReporter(terminal, true);
  try {
    // Told once the core is closed, since only then its data file is whole.
    const summary = await withCore(target.core, () =>
      importInto(target, users, { ...importing, interruption, reporter }),
    );
    return await endRun(terminal, { summary, told: reporter.end(), interruption, values, again });
  } finally {
    reporter.end();
    interruption.dispose();
  }
}

/** What an import into an open core needs beside that. */
interface Bulk extends Importing {
  readonly interruption: Interruption;
  readonly reporter: Reporter;
}

async function importInto(
  target: Target,
  { inputs, findings, passwordCoverage }: GivenUsers,
  { values, targetValues, paceValues, setting, beforeBulk, terminal, interruption, reporter }: Bulk,
): Promise<ImportSummary> {
  const { onExisting, assumeEmpty, checkpoint, targetMoved, yes } = targetValues;
  const work = `${describe(inputs)} into ${coreText(target.core.target)}`;
  if (targetValues.core !== undefined && !yes) await confirmImport(terminal, `Import ${work}?`);
  terminal.note(`Importing ${work}; checkpoint ${checkpoint}`);
  for (const finding of findings) reporter.onEvent({ type: "finding", ...finding });
  return importUsers({
    inputs,
    ...target,
    checkpoint,
    targetMoved,
    policy: { ...setting.policy, onExisting, assumeEmpty },
    hashConfig: setting.keys.hashConfig,
    namespace: values.namespace,
    limit: values.limit,
    ...paceOf(paceValues),
    expectUsers: values.expectUsers,
    beforeBulk,
    signal: interruption.signal,
    onEvent: reporter.onEvent,
    passwordCoverage,
  });
}

function describe(inputs: readonly Input[]): string {
  const files = inputs.length === 1 ? nameOf(inputs[0]?.path ?? "") : `${inputs.length} files`;
  return `${files} (${sourceNames(inputs)})`;
}
