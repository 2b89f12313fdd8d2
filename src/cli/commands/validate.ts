/** `auth-migrate validate`, and `import --dry-run`: the run without a core. */

import { openInputs } from "../../migration/inputs.js";
import { validateUsers } from "../../migration/validate-users.js";
import { endRun } from "../ending.js";
import type { ExitCode } from "../exit-codes.js";
import { watchSignals } from "../interruption.js";
import { createReporter } from "../reporter.js";
import { resumeCommand } from "../resume-command.js";
import { createTerminal } from "../terminal.js";
import { inputOptions, loadHashConfig, ReadingValues, readingPolicy, voiceOf } from "../values.js";

/** @param given the options' values as commander parsed them */
export async function runValidate(
  files: string[],
  given: Record<string, unknown>,
): Promise<ExitCode> {
  const values = ReadingValues.parse(given);
  const terminal = createTerminal(voiceOf(values));
  const hashConfig = loadHashConfig(values.hashConfig);
  const inputs = await openInputs(files, inputOptions(values));
  for (const { path, source, reason } of inputs) {
    terminal.note(`${path}: read as ${source.name} (${reason})`);
  }
  const interruption = watchSignals(terminal, "Stopping.");
  const reporter = createReporter(terminal);
  try {
    const summary = await validateUsers({
      inputs,
      policy: readingPolicy(values),
      hashConfig,
      namespace: values.namespace,
      signal: interruption.signal,
      onEvent: reporter.onEvent,
    });
    const again = resumeCommand();
    return endRun(terminal, { summary, told: reporter.end(), interruption, values, again });
  } finally {
    reporter.end();
    interruption.dispose();
  }
}
