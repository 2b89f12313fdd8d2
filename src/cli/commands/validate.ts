/** `auth-migrate validate`, and `import --dry-run`: the run without a core. */

import { nameOf } from "../../source/input-bytes.js";
import { DEFAULT_POLICY } from "../../plan/policy.js";
import type { Part } from "../../events/shard.js";
import { validateUsers } from "../../run/validate-users.js";
import { recognizedText } from "../../report/input-text.js";
import { endRun, createReporter } from "../ending.js";
import type { ExitCode } from "../exit-codes.js";
import { withInputs, type GivenUsers, withPasswords } from "../given-inputs.js";
import { watchSignals } from "../interruption.js";
import { nextCommands } from "../resume-command.js";
import { type Keys, loadKeys } from "../secrets.js";
import type { Terminal } from "../terminal.js";
import { verb } from "../verb.js";
import {
  inputOptions,
  reading,
  readingPolicy,
  type ReadingValues,
  requireKnowableCoverage,
  requireReadable,
} from "../options/reading.js";
import { pace, type PaceValues } from "../options/running.js";
import { target, type TargetValues } from "../options/target.js";

const options = { ...reading, ...pace };

/** What an import's options say beside those of `validate`. */
export type DryRunValues = ReadingValues &
  Pick<PaceValues, "rate"> &
  Partial<Pick<TargetValues, "onExisting" | "assumeEmpty" | "core" | "coreConfig">>;

export const validateVerb = verb({
  options,
  examples: [
    "auth-migrate validate users.csv",
    "auth-migrate validate users.json --from firebase --hash-config hash-config.txt",
  ],
  check(files, values, { io }) {
    requireReadable(files, values, io);
    requireKnowableCoverage(files, values);
  },
  run: (files, values, terminal) => validateFiles(files, { values, terminal }),
});

/** The dry run over files that are to be opened. */
export async function validateFiles(
  files: readonly string[],
  dry: Omit<Validating, "keys">,
): Promise<ExitCode> {
  const { values, terminal } = dry;
  const keys = await loadKeys(values, terminal);
  return withInputs(files, inputOptions(values), terminal.io.stdin, (inputs) =>
    withPasswords(inputs, values, terminal, (users) => validateFrom(users, { ...dry, keys })),
  );
}

/** What a dry run over opened inputs needs. */
interface Validating {
  readonly values: DryRunValues;
  readonly keys: Pick<Keys, "hashConfig" | "signerKey">;
  readonly terminal: Terminal;
  /** Undefined for a whole export. */
  readonly part?: Part | undefined;
}

/** The dry run over inputs that are open already. */
export async function validateFrom(
  { inputs, findings, passwordCoverage }: GivenUsers,
  { values, keys, terminal, part }: Validating,
): Promise<ExitCode> {
  const { rate, onExisting = DEFAULT_POLICY.onExisting, assumeEmpty = false } = values;
  for (const line of recognizedText(inputs, nameOf)) terminal.note(line);
  const interruption = watchSignals(terminal, "Stopping.");
  const reporter = createReporter(terminal);
  try {
    for (const finding of findings) reporter.onEvent({ type: "finding", ...finding });
    const summary = await validateUsers({
      inputs,
      policy: { ...readingPolicy(values), onExisting, assumeEmpty },
      hashConfig: keys.hashConfig,
      signerKey: keys.signerKey,
      namespace: values.namespace,
      limit: values.limit,
      rejectsOut: values.rejectsOut,
      part,
      signal: interruption.signal,
      onEvent: reporter.onEvent,
      passwordCoverage,
    });
    const files = inputs.map(({ path }) => path);
    const next = nextCommands({ files, options: { ...options, ...target } }, terminal.io.argv);
    const told = reporter.end();
    return await endRun(terminal, { summary, told, interruption, values, next, rate });
  } finally {
    reporter.end();
    interruption.dispose();
  }
}
