/** `auth-migrate validate`, and `import --dry-run`: the run without a core. */

import { z } from "zod";
import { nameOf } from "../../source/input-bytes.js";
import { DEFAULT_POLICY } from "../../plan/policy.js";
import type { Part } from "../../events/shard.js";
import { validateUsers } from "../../run/validate-users.js";
import { recognizedText } from "../../report/recognized-text.js";
import { endRun } from "../ending.js";
import type { ExitCode } from "../exit-codes.js";
import { withInputs } from "../given-inputs.js";
import { watchSignals } from "../interruption.js";
import { type GivenUsers, withPasswords } from "../password-export.js";
import { createReporter } from "../reporter.js";
import { importOptions, validateOptions } from "../options.js";
import { nextCommands } from "../resume-command.js";
import { type Keys, loadKeys } from "../secrets.js";
import type { Io } from "../io.js";
import { createTerminal, type Terminal } from "../terminal.js";
import {
  inputOptions,
  PaceValues,
  type ReadingOptionValues,
  ReadingValues,
  readingPolicy,
  TargetValues,
  voiceOf,
} from "../values.js";

/** What of an import's options decides how many calls it makes; `validate` has them not. */
const CallingValues = z.object({
  onExisting: TargetValues.shape.onExisting.default(DEFAULT_POLICY.onExisting),
  assumeEmpty: TargetValues.shape.assumeEmpty,
});

/** Where an import would find the signer key; `validate` has not these options either. */
const KeyValues = TargetValues.pick({ core: true, coreConfig: true });

/** @param given the options' values as commander parsed them */
export async function runValidate(
  files: string[],
  given: Record<string, unknown>,
  io: Io,
): Promise<ExitCode> {
  return validateFiles(files, { values: ReadingValues.parse(given), given }, io);
}

/** The dry run over files that are to be opened. */
export async function validateFiles(
  files: readonly string[],
  dry: Pick<Validating, "values" | "given" | "part">,
  io: Io,
): Promise<ExitCode> {
  const { values } = dry;
  const terminal = createTerminal(voiceOf(values), io);
  const keys = await loadKeys({ ...values, ...KeyValues.parse(dry.given) }, terminal);
  return withInputs(files, inputOptions(values), io.stdin, (inputs) =>
    withPasswords(inputs, values, terminal, (users) =>
      validateFrom(users, { ...dry, keys, terminal }),
    ),
  );
}

/** What a dry run over opened inputs needs. */
interface Validating {
  readonly values: ReadingOptionValues;
  readonly keys: Pick<Keys, "hashConfig" | "signerKey">;
  readonly terminal: Terminal;
  /** All options' values; what decides over calls is looked up in them. */
  readonly given: Record<string, unknown>;
  /** Undefined for a whole export. */
  readonly part?: Part | undefined;
}

/** The dry run over inputs that are open already. */
export async function validateFrom(
  { inputs, findings, passwordCoverage }: GivenUsers,
  { values, keys, terminal, given, part }: Validating,
): Promise<ExitCode> {
  const { rate } = PaceValues.parse(given);
  const { onExisting, assumeEmpty } = CallingValues.parse(given);
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
    const next = nextCommands(
      { files, options: [...importOptions(), ...validateOptions()] },
      terminal.io.argv,
    );
    const told = reporter.end();
    return await endRun(terminal, { summary, told, interruption, values, next, rate });
  } finally {
    reporter.end();
    interruption.dispose();
  }
}
