/** `auth-migrate validate`, and `import --dry-run`: the run without a core, or against one that is only asked. */

import { nameOf } from "../../source/input-bytes.js";
import type { ValidateSummary } from "../../events/summary.js";
import type { Part } from "../../events/shard.js";
import { coreText } from "../../report/summary-text.js";
import type { GivenReading } from "../../run/defaults.js";
import type { Asking } from "../../run/options.js";
import { validateUsers } from "../../run/validate-users.js";
import { recognizedText } from "../../report/input-text.js";
import { connectRemote, type Target, withCore } from "../core-target.js";
import { endRun, createReporter, type Reporter } from "../ending.js";
import type { ExitCode } from "../exit-codes.js";
import { withInputs, type GivenUsers, withPasswords } from "../given-inputs.js";
import { watchSignals } from "../interruption.js";
import { nextCommands } from "../resume-command.js";
import { type Keys, loadKeys } from "../secrets.js";
import type { Terminal } from "../terminal.js";
import { verb } from "../verb.js";
import { asking, type AskingValues } from "../options/asking.js";
import {
  inputOptions,
  reading,
  readingPolicy,
  type ReadingValues,
  requireKnowableCoverage,
  requireReadable,
} from "../options/reading.js";
import type { OptionSpecs } from "../options/option.js";
import { salt } from "../options/proving.js";
import { pace, type PaceValues } from "../options/running.js";
import { target as importTarget, type TargetValues } from "../options/target.js";
import { requireVault, vault } from "../options/vault.js";

const options = {
  ...reading,
  ...vault,
  ...salt,
  ...pace,
  ...asking,
  fields: {
    flags: "--fields",
    group: "Everyday options",
    help: "say of each field of the files what becomes of it, and how many rows fill it",
  },
} as const satisfies OptionSpecs;

/** What an import's options say beside those of `validate`. */
export type DryRunValues = ReadingValues &
  Pick<PaceValues, "rate"> &
  Pick<AskingValues, "onExisting" | "assumeEmpty" | "changeKind" | "assumeNeverSignedIn"> &
  Partial<Pick<TargetValues, "core" | "coreConfig">> & { readonly fields?: boolean };

export const validateVerb = verb({
  options,
  examples: [
    "auth-migrate validate users.json --hash-config hash-config.txt",
    "auth-migrate validate users.csv --core https://core.example.com",
  ],
  check(files, values, { io }) {
    requireReadable(files, values, io);
    requireKnowableCoverage(files, values);
    requireVault({ ...values, dryRun: true });
  },
  run: (files, values, terminal) =>
    validateFiles(files, {
      values,
      terminal,
      asking: values.core === undefined ? undefined : values,
    }),
});

/** The dry run over files that are to be opened. */
export async function validateFiles(
  files: readonly string[],
  dry: Omit<Validating, "keys">,
): Promise<ExitCode> {
  const { values, terminal } = dry;
  const keys = await loadKeys(values, terminal);
  return withInputs(files, inputOptions(values), terminal, (inputs) =>
    withPasswords(inputs, values, terminal, (users) => validateFrom(users, { ...dry, keys })),
  );
}

/** What a dry run over opened inputs needs. */
interface Validating {
  readonly values: DryRunValues;
  readonly keys: Pick<Keys, "hashConfig" | "signerKey" | "pepper">;
  readonly terminal: Terminal;
  /** Undefined for a whole export. */
  readonly part?: Part | undefined;
  /** Undefined where no core is asked, also where the options name one. */
  readonly asking?: (AskingValues & Pick<PaceValues, "rate">) | undefined;
}

/** The dry run over inputs that are open already. */
export async function validateFrom(
  users: GivenUsers,
  { values, terminal, asking: asked, ...dry }: Validating,
): Promise<ExitCode> {
  const target =
    asked?.core === undefined ? null : await connectRemote(asked, asked.core, terminal);
  for (const line of recognizedText(users.inputs, nameOf)) terminal.note(line);
  if (target !== null) terminal.note(`Asking ${coreText(target.core.target)}; nothing is sent`);
  const interruption = watchSignals(terminal, "Stopping.");
  const reporter = createReporter(terminal, { dry: true });
  const validate = (): Promise<ValidateSummary> =>
    validateUsers({
      hints: "flags",
      ...optionsOf(users, { ...dry, values }),
      asks: target === null || asked === undefined ? undefined : askingOf(asked, target, reporter),
      signal: interruption.signal,
      onEvent: reporter.onEvent,
    });
  for (const finding of users.findings) reporter.onEvent({ type: "finding", ...finding });
  const summary = await (target === null ? validate() : withCore(target.core, validate));
  const files = users.inputs.map(({ path }) => path);
  const next = nextCommands({ files, options: { ...options, ...importTarget } }, terminal.io.argv);
  const told = reporter.told();
  return endRun(terminal, { summary, told, interruption, values, next, rate: values.rate });
}

function optionsOf(
  { inputs, passwordCoverage }: GivenUsers,
  { values, keys, part }: Pick<Validating, "values" | "keys" | "part">,
): GivenReading {
  const { onExisting, assumeEmpty, changeKind, assumeNeverSignedIn } = values;
  const existing = { onExisting, assumeEmpty, changeKind, assumeNeverSignedIn };
  return {
    inputs,
    policy: { ...readingPolicy(values, keys), ...existing },
    hashConfig: keys.hashConfig,
    signerKey: keys.signerKey,
    namespace: values.namespace,
    limit: values.limit,
    rejectsOut: values.rejectsOut,
    tellsFields: values.fields === true,
    part,
    passwordCoverage,
  };
}

function askingOf(
  {
    checkpoint,
    targetMoved,
    outageBudget,
    checkExisting,
    rate,
    bulk,
  }: NonNullable<Validating["asking"]>,
  target: Target,
  { onPrediction }: Reporter,
): Asking {
  const pacing = { rate, bulk, outageBudgetMs: outageBudget };
  return { ...target, ...pacing, checkpoint, targetMoved, checkExisting, onPrediction };
}
