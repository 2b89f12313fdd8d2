/** `auth-migrate validate`, and `import --dry-run`: the run without a core, or against one that is only asked. */

import { nameOf } from "../../source/input-bytes.js";
import type { ValidateSummary } from "../../events/summary.js";
import type { Part } from "../../events/shard.js";
import { coreText } from "../../report/summary-text.js";
import { validateUsers } from "../../run/validate-users.js";
import { recognizedText } from "../../report/input-text.js";
import { connectRemote, withCore } from "../core-target.js";
import { endRun } from "../ending.js";
import type { ExitCode } from "../exit-codes.js";
import { requireApart } from "../given-inputs.js";
import { prepareProof, type ProofSetting, withUsers } from "../import-proof.js";
import { watchSignals } from "../interruption.js";
import { createReporter } from "../reporter.js";
import type { Terminal } from "../terminal.js";
import { verb } from "../verb.js";
import { reading, type ReadingValues, requireReadable } from "../options/reading.js";
import { checkpoint, type GeneralValues } from "../options/general.js";
import { omit, type OptionSpecs, pick, type ValuesOf } from "../options/option.js";
import { type ProofValues, salt } from "../options/proving.js";
import { pace, sending } from "../../run/shared-options.js";
import { core, existing, target as importTarget, type TargetValues } from "../options/target.js";
import { positiveNumber } from "../options/types.js";
import { requireVault, vault, type VaultNames } from "../options/vault.js";

/** Options by which a dry run asks a core. They are an import's, but for the URL, which only the command line gives. */
const asking = {
  core: {
    ...core.core,
    help: "ask the core at this base URL how an import would end for each row, by reads alone",
    docs: "On the command line alone ([import.md](import.md#a-dry-run-against-the-core))",
    variable: false,
    configured: false,
  },
  // What lies on this machine isn't asked: the embedded core belongs to one process at a time.
  ...omit(core, "core", "data", "coreConfig"),
  ...checkpoint,
  ...existing,
  ...pick(importTarget, "changeKind", "assumeNeverSignedIn"),
  ...sending,
  checkExisting: {
    flags: "--check-existing <n>",
    group: "The core",
    help: "with --core: most users who are looked up; of more an even sample is",
    type: positiveNumber,
    default: 100_000,
    of: "dry run",
  },
} as const satisfies OptionSpecs;

type AskingValues = ValuesOf<typeof asking>;

const options = {
  ...reading,
  ...vault,
  ...salt,
  ...pace,
  ...asking,
  fields: {
    flags: "--fields",
    help: "say of each field of the files what becomes of it, and how many rows fill it; show an inferred mapping",
    of: "dry run",
  },
} as const satisfies OptionSpecs;

/** What an import's options say beside those of `validate`. */
type DryRunValues = ReadingValues &
  VaultNames &
  Pick<GeneralValues, "config"> &
  ValuesOf<typeof pace> &
  Pick<AskingValues, "onExisting" | "assumeEmpty" | "changeKind" | "assumeNeverSignedIn"> &
  Partial<ProofValues & Pick<TargetValues, "core" | "coreConfig">> & { readonly fields?: boolean };

export const validateVerb = verb({
  options,
  examples: [
    "auth-migrate validate users.json --hash-config hash-config.txt",
    "auth-migrate validate users.csv --core https://core.example.com",
  ],
  check(files, values, { io }) {
    requireReadable(files, values, io);
    requireApart(files, { "--rejects-out": values.rejectsOut });
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
export function validateFiles(files: readonly string[], dry: Validating): Promise<ExitCode> {
  return withUsers(files, dry.values, dry.terminal, (setting) => validateFrom(setting, dry));
}

interface Validating {
  readonly values: DryRunValues;
  readonly terminal: Terminal;
  readonly part?: Part | undefined;
  /** Undefined where no core is asked, also where the options name one. */
  readonly asking?: (AskingValues & ValuesOf<typeof pace>) | undefined;
}

/** The dry run over inputs that are open already. */
async function validateFrom(
  setting: ProofSetting,
  { values, terminal, part, asking: asked }: Validating,
): Promise<ExitCode> {
  const proof = await prepareProof({ ...values, dryRun: true }, setting, terminal);
  const target =
    asked?.core === undefined ? null : await connectRemote(asked, asked.core, terminal);
  const tellsIds = !values.keepIds;
  for (const line of recognizedText(setting.inputs, nameOf, { tellsIds })) terminal.note(line);
  if (target !== null) terminal.note(`Asking ${coreText(target.core.target)}; nothing is sent`);
  const interruption = watchSignals(terminal, "Stopping.");
  const reporter = createReporter(terminal, { dry: true, tellsIds });
  const validate = (): Promise<ValidateSummary> =>
    validateUsers({
      ...values,
      ...setting,
      watch: proof.watch,
      beforeBulk(...barrier) {
        reporter.makeRoom();
        return proof.beforeBulk(...barrier);
      },
      tellsFields: values.fields === true,
      part,
      asks:
        target === null || asked === undefined
          ? undefined
          : { ...asked, ...target, vault: values.vault, onPrediction: reporter.onEvent },
      signal: interruption.signal,
      onEvent: reporter.onEvent,
    });
  const summary = await (target === null ? validate() : withCore(target.core, validate));
  const issues = reporter.issues();
  const all = { ...options, ...importTarget };
  const typed = { options: all, values, part: part && { from: values.from } };
  return endRun(terminal, { summary, issues, interruption, bridge: [], ...typed });
}
