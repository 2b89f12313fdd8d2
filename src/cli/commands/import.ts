/** `auth-migrate import`: opens inputs and core, runs the import, tells how it ended. */

import { RunError } from "../../errors/run-error.js";
import type { CheckpointStatus } from "../../checkpoint/status.js";
import type { ImportSummary } from "../../events/summary.js";
import { importUsers } from "../../run/import-users.js";
import { nameOf } from "../../source/input-bytes.js";
import { areSmall, sourceNames } from "../../source/inputs.js";
import type { BeforeBulk } from "../../run/options.js";
import { pace, sending } from "../../run/shared-options.js";
import { type Part, shardText } from "../../events/shard.js";
import { firstLines, vaultNotes, vaultTexts } from "../../report/headline.js";
import { count } from "../../report/text.js";
import { coreText } from "../../report/summary-text.js";
import { DEFAULT_DATA, isUrl, namesCore } from "../core-choice.js";
import { openTarget, type Target, withTarget } from "../core-target.js";
import { endRun } from "../ending.js";
import type { ExitCode } from "../exit-codes.js";
import { requireApart } from "../given-inputs.js";
import { prepareProof, type ProofSetting, type RunProof, withUsers } from "../import-proof.js";
import { type Interruption, watchSignals } from "../interruption.js";
import { confirm } from "../prompts.js";
import { finishedBefore, typedForBridge, withSeenVault } from "../seen-vault.js";
import { createReporter, type Reporter } from "../reporter.js";
import { bridgeCommand, checkCommand, commandWithout, resumeCommand } from "../resume-command.js";
import { openPart, partNamed } from "../shard-files.js";
import { checkpointOf, DEFAULT_CHECKPOINT, type general } from "../options/general.js";
import type { ValuesOf } from "../options/option.js";
import { reading, readingMapping, requireReadable } from "../options/reading.js";
import { nothingProved, proof } from "../options/proving.js";
import { target } from "../options/target.js";
import type { Terminal } from "../terminal.js";
import { verb } from "../verb.js";
import { validateFiles } from "./validate.js";
import { requireVault, vault, vaultOf } from "../options/vault.js";
import { censusText, coverageText } from "../../report/input-text.js";

const options = {
  ...target,
  ...proof,
  ...reading,
  ...vault,
  ...pace,
  ...sending,
};

type ImportValues = ValuesOf<typeof options & typeof general>;

export const importVerb = verb({
  options,
  examples: [
    "auth-migrate import users.json --hash-config hash-config.txt",
    "auth-migrate import users.csv --core https://core.example.com --prove some.csv",
  ],
  check(files, values, { io }) {
    const isPart = partNamed(files) !== null;
    if (files.length === 0) {
      throw new RunError("usage", "No export was named.", {
        hint: "Name its files, as in: auth-migrate import users.csv. Run auth-migrate import --help for the rest.",
      });
    }
    requireReadable(files, values, io);
    requireApart(files, writtenBy(values));
    requireVault({ ...values, isPart });
  },
  async run(named, given, terminal) {
    const asked = partNamed(named);
    const opened = asked === null ? null : await openPart(asked.manifest, asked.shard);
    const { files, part } = opened ?? { files: named, part: undefined };
    const values = {
      ...given,
      from: given.from ?? (readingMapping(given) === undefined ? opened?.from() : undefined),
      checkpoint: checkpointOf(given, part),
    };
    requireSomeProof(values);
    if (values.dryRun) return validateFiles(files, { values, terminal, part });
    try {
      return await withUsers(files, values, terminal, async (setting) => {
        const proof = await prepareProof(values, setting, terminal);
        try {
          const typed = typedForBridge(terminal.io.argv, values);
          return await importFrom({ values, setting, proof, terminal, part, ...typed });
        } finally {
          proof.close();
        }
      });
    } catch (error) {
      // An import and a bridge take turns: it was stopped for this one.
      const kept = statusOfVault(values);
      for (const text of kept === null ? [] : vaultTexts(kept)) terminal.note(text);
      throw error;
    }
  },
});

/** Where the users of a checkpoint stand whose vault an import was given; one without is of no user of the bridge. */
function statusOfVault({ vault: named, checkpoint }: ImportValues): CheckpointStatus | null {
  const status = named === undefined ? null : finishedBefore(checkpoint);
  return status && withSeenVault(status);
}

/**
 * What earlier runs have proved counts. Of which hashes that is, the reading shows; a dry run knows no
 * earlier one, and goes by what `status` says.
 *
 * @throws RunError `proof_missing`
 */
function requireSomeProof({ prove, requireProof, dryRun, checkpoint }: ImportValues): void {
  if (prove !== undefined || !requireProof) return;
  const earlier = finishedBefore(checkpoint);
  if (earlier === null || (dryRun && !earlier.proved)) throw nothingProved();
}

/** What an import writes, by the options that say where. */
function writtenBy(values: ImportValues): Readonly<Record<string, string | undefined>> {
  const { core, coreConfig, data, checkpoint, vault: named, rejectsOut } = values;
  const byDefault = (core ?? coreConfig) === undefined ? DEFAULT_DATA : undefined;
  const place = data ?? byDefault;
  const written = {
    "--checkpoint": checkpoint,
    "--data": place === undefined || isUrl(place) ? undefined : place,
    "--vault": named,
  };
  return { ...(values.dryRun ? {} : written), "--rejects-out": rejectsOut };
}

interface Importing extends ReturnType<typeof typedForBridge> {
  readonly values: ImportValues;
  readonly setting: ProofSetting;
  readonly proof: RunProof;
  readonly terminal: Terminal;
  readonly part: Part | undefined;
}

async function importFrom(importing: Importing): Promise<ExitCode> {
  const { values, setting, terminal, part, argv, upstream } = importing;
  const forFew = areSmall(setting.inputs);
  const target = await openTarget(values, setting, terminal, { forFew });
  const interruption = watchSignals(
    terminal,
    "Stopping: calls in flight end, progress is saved. Once more leaves at once.",
  );
  const reporter = createReporter(terminal, {
    // What a person may want to stop, before a long run or a question.
    announce: values.core !== undefined && !terminal.outputMode.quiet,
  });
  // Told once the core is closed, since only then its data file is whole.
  const summary = await withTarget(values, target, () =>
    importInto(target, importing, interruption, reporter),
  );
  const kept = statusOfVault(values);
  const bridge = kept === null ? [] : vaultNotes(kept);
  const issues = reporter.issues();
  const typed = { options, values, argv, upstream, part: part && { from: values.from } };
  return endRun(terminal, { summary, issues, interruption, bridge, ...typed });
}

async function importInto(
  target: Target,
  { values, setting, proof, terminal, part, argv, upstream }: Importing,
  interruption: Interruption,
  reporter: Reporter,
): Promise<ImportSummary> {
  const { inputs } = setting;
  const { checkpoint } = values;
  const share = part === undefined ? "" : `shard ${shardText(part)} of `;
  const files = inputs.length === 1 ? nameOf(inputs[0]?.path ?? "") : `${inputs.length} files`;
  const work = `${share}${files} (${sourceNames(inputs)}) into ${coreText(target.core.target)}`;
  const file = checkpoint === DEFAULT_CHECKPOINT ? "" : `; checkpoint ${checkpoint}`;
  terminal.note(`Importing ${work}${file}`);
  const isForgotten = !namesCore(values) && target.made === DEFAULT_DATA;
  const asks = terminal.canPrompt && (values.core !== undefined || isForgotten) && !values.yes;
  // Counting takes half a second a million users: it is spared where nobody reads the number.
  const isTold = asks || !terminal.outputMode.quiet;
  const earlier = isTold ? finishedBefore(checkpoint) : null;
  /** Shows the counts before the first question; no earlier moment has them. */
  const confirmBulk: BeforeBulk = async (inspection, signal, known) => {
    reporter.makeRoom();
    const { rows } = inspection;
    // Why the earlier run ended is none of what goes on.
    const [stood = ""] = earlier === null ? [] : firstLines({ ...earlier, cut: null });
    if (earlier !== null) terminal.note(`Going on: ${stood}`);
    if (asks) terminal.note(`${censusText(inspection)}.`);
    if (inspection.passwordExport !== null) {
      terminal.note(`${coverageText(inspection.passwordExport)}.`);
    }
    const result = await proof.beforeBulk(inspection, signal, known);
    if (!asks) return result;
    if (isForgotten) {
      terminal.note(
        "No --core was given: this makes a core of this machine, to rehearse with. --core URL names the one that your application signs in at.",
      );
    }
    const does = earlier === null ? "Import" : "Go on with";
    await confirm("import", terminal, `${does} ${count(rows, "row")} of ${work}?`, signal);
    return result;
  };
  return importUsers({
    ...values,
    ...setting,
    ...target,
    part,
    vault: vaultOf(values),
    watch: proof.watch,
    beforeBulk: confirmBulk,
    signal: interruption.signal,
    onEvent: reporter.onEvent,
    timing: terminal.io.timing,
    command: resumeCommand(argv),
    unlimited: commandWithout("limit", options, argv),
    unproved: commandWithout("require-proof", options, argv),
    check: checkCommand(values),
    bridge: bridgeCommand({ ...values, upstream }),
  });
}
