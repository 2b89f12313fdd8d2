/** `auth-migrate validate`, and `import --dry-run`: the run without a core. */

import type { HashConfig } from "../../hash/hash.js";
import { nameOf } from "../../migration/input-bytes.js";
import { validateUsers } from "../../migration/validate-users.js";
import { endRun } from "../ending.js";
import type { ExitCode } from "../exit-codes.js";
import { withInputs } from "../given-inputs.js";
import { watchSignals } from "../interruption.js";
import { type GivenUsers, withPasswords } from "../password-export.js";
import { createReporter } from "../reporter.js";
import { resumeCommand } from "../resume-command.js";
import { createTerminal, type Terminal } from "../terminal.js";
import {
  inputOptions,
  loadHashConfig,
  type ReadingOptionValues,
  ReadingValues,
  readingPolicy,
  voiceOf,
} from "../values.js";

/** @param given the options' values as commander parsed them */
export async function runValidate(
  files: string[],
  given: Record<string, unknown>,
): Promise<ExitCode> {
  const values = ReadingValues.parse(given);
  const terminal = createTerminal(voiceOf(values));
  const hashConfig = loadHashConfig(values.hashConfig);
  return withInputs(files, inputOptions(values), (inputs) =>
    withPasswords(inputs, values, terminal, (users) =>
      validateFrom(users, { values, hashConfig, terminal }),
    ),
  );
}

/** What a dry run over opened inputs needs. */
interface Validating {
  readonly values: ReadingOptionValues;
  readonly hashConfig: HashConfig | null;
  readonly terminal: Terminal;
}

/** The dry run over inputs that are open already. */
export async function validateFrom(
  { inputs, findings, passwordCoverage }: GivenUsers,
  { values, hashConfig, terminal }: Validating,
): Promise<ExitCode> {
  for (const { path, source, reason } of inputs) {
    terminal.note(`${nameOf(path)}: read as ${source.name} (${reason})`);
  }
  const interruption = watchSignals(terminal, "Stopping.");
  const reporter = createReporter(terminal);
  try {
    for (const finding of findings) reporter.onEvent({ type: "finding", ...finding });
    const summary = await validateUsers({
      inputs,
      policy: readingPolicy(values),
      hashConfig,
      namespace: values.namespace,
      limit: values.limit,
      signal: interruption.signal,
      onEvent: reporter.onEvent,
      passwordCoverage,
    });
    const again = resumeCommand();
    return await endRun(terminal, { summary, told: reporter.end(), interruption, values, again });
  } finally {
    reporter.end();
    interruption.dispose();
  }
}
