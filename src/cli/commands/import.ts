/** `auth-migrate import`: opens inputs and core, runs the import, tells how it ended. */

import { existsSync } from "node:fs";
import { RunError } from "../../errors/run-error.js";
import { purgeCheckpoint } from "../../checkpoint/purge.js";
import type { ImportSummary } from "../../events/events.js";
import { importUsers } from "../../run/import-users.js";
import { nameOf } from "../../source/input-bytes.js";
import { type Input, sourceNames } from "../../source/inputs.js";
import type { BeforeBulk } from "../../run/options.js";
import type { Inspection } from "../../inspect/inspection.js";
import { type Part, shardText } from "../../events/shard.js";
import { count } from "../../report/count.js";
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
import { importOptions } from "../options.js";
import { checkpointWords, coreWords, nextCommands } from "../resume-command.js";
import { loadKeys } from "../secrets.js";
import { type GivenPart, openPart } from "../shard-files.js";
import {
  ofShard,
  paceOfShard,
  type ShardOptionValues,
  ShardValues,
  shardOf,
} from "../shard-values.js";
import type { Io } from "../io.js";
import { createTerminal, type Terminal } from "../terminal.js";
import {
  ImportProofValues,
  inputOptions,
  paceOf,
  PaceValues,
  type PaceOptionValues,
  type ReadingOptionValues,
  ReadingValues,
  type TargetOptionValues,
  TargetValues,
  voiceOf,
} from "../values.js";
import { validateFiles, validateFrom } from "./validate.js";

/** @param given the options' values as commander parsed them */
export async function runImport(
  named: string[],
  given: Record<string, unknown>,
  io: Io,
): Promise<ExitCode> {
  const shardValues = ShardValues.parse(given);
  const { files, part, from } = await filesOf(named, shardValues);
  const values = ReadingValues.parse({ ...given, from: given.from ?? from });
  const targetValues = ofShard(TargetValues.parse(given), part);
  const { prove: proof, requireProof: required, ...proofValues } = ImportProofValues.parse(given);
  const dry = { values, given, part };
  if (targetValues.dryRun && proof === undefined && !required) return validateFiles(files, dry, io);
  const terminal = createTerminal(voiceOf(values), io);
  const keys = await loadKeys({ ...values, ...targetValues }, terminal);
  return withInputs(files, inputOptions(values), io.stdin, (inputs) =>
    withPasswords(inputs, values, terminal, async (users) => {
      requireCoverage(users, values);
      const choices = {
        ...{ file: proof, required, yes: targetValues.yes },
        core: targetValues.core === undefined ? "embedded" : "remote",
        config: typeof given.config === "string" ? given.config : undefined,
      } as const;
      const setting = proofSetting({ ...values, ...proofValues }, users.inputs, keys);
      // Before a core is opened: a proof that fails must leave no data file behind and have called nobody.
      const beforeBulk = await prepareProof(choices, setting, terminal);
      if (targetValues.dryRun) {
        return validateFrom(users, { ...dry, keys, terminal });
      }
      const paceValues = paceOfShard(PaceValues.parse(given), shardValues, part);
      return importFrom(users, {
        ...{ values, targetValues, paceValues, setting, beforeBulk, terminal, part },
      });
    }),
  );
}

/**
 * The files that were named, or a shard's part.
 *
 * @throws RunError `usage` for none and for both; as {@link openPart}
 */
async function filesOf(
  named: string[],
  values: ShardOptionValues,
): Promise<Pick<GivenPart, "files" | "from"> & Partial<Pick<GivenPart, "part">>> {
  const given = shardOf(values);
  if (given !== null) {
    if (named.length === 0) return openPart(given.manifest, given.shard);
    throw new RunError("usage", "--manifest says which files are read, and others were named.", {
      hint: "Leave them out, or import them without --manifest and --shard.",
    });
  }
  if (named.length > 0) return { files: named, from: undefined };
  throw new RunError("usage", "No export was named.", {
    hint: "Name its files, as in: auth-migrate import users.csv. Run auth-migrate --help for the rest.",
  });
}

/** What an import from opened inputs needs. */
interface Importing {
  readonly values: ReadingOptionValues;
  readonly targetValues: TargetOptionValues;
  readonly paceValues: PaceOptionValues;
  readonly setting: ProofSetting;
  readonly beforeBulk: BeforeBulk;
  readonly terminal: Terminal;
  /** Undefined for a whole export. */
  readonly part: Part | undefined;
}

async function importFrom(users: GivenUsers, importing: Importing): Promise<ExitCode> {
  const { values, targetValues, setting, terminal } = importing;
  const target = await openTarget(targetValues, setting.keys, terminal);
  const next = nextCommands(
    {
      files: users.inputs.map(({ path }) => path),
      options: importOptions(),
      core: coreWords(targetValues),
      checkpoint: checkpointWords(targetValues),
    },
    terminal.io.argv,
  );
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
    return await endRun(terminal, { summary, told: reporter.end(), interruption, values, next });
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
  { values, targetValues, paceValues, setting, beforeBulk, terminal, ...bulk }: Bulk,
): Promise<ImportSummary> {
  const { interruption, reporter, part } = bulk;
  const { onExisting, assumeEmpty, changeKind, assumeNeverSignedIn } = targetValues;
  const { checkpoint, targetMoved, yes } = targetValues;
  const share = part === undefined ? "" : `shard ${shardText(part)} of `;
  const work = `${share}${describe(inputs)} into ${coreText(target.core.target)}`;
  terminal.note(`Importing ${work}; checkpoint ${checkpoint}`);
  const asks = targetValues.core !== undefined && !yes;
  /** With the counts, which nobody has before; and before anybody is asked for. */
  const confirmBulk: BeforeBulk = async (inspection) => {
    reporter.makeRoom();
    if (inspection !== null) terminal.note(`${censusText(inspection)}.`);
    const result = await beforeBulk(inspection);
    if (asks) await confirmImport(terminal, `Import ${work}?`);
    return result;
  };
  for (const finding of findings) reporter.onEvent({ type: "finding", ...finding });
  return unlessDeclined(checkpoint, () =>
    importUsers({
      inputs,
      ...target,
      checkpoint,
      targetMoved,
      policy: { ...setting.policy, onExisting, assumeEmpty, changeKind, assumeNeverSignedIn },
      hashConfig: setting.keys.hashConfig,
      signerKey: setting.keys.signerKey,
      namespace: values.namespace,
      limit: values.limit,
      rejectsOut: values.rejectsOut,
      part,
      ...paceOf(paceValues),
      expectUsers: values.expectUsers,
      beforeBulk: confirmBulk,
      signal: interruption.signal,
      onEvent: reporter.onEvent,
      passwordCoverage,
    }),
  );
}

/** A checkpoint is bound to its core. Where the operator has said no, or there was nobody to send, a new one must not keep them from naming another core. */
const UNSENT: ReadonlySet<string> = new Set(["confirmation_declined", "no_users"]);

async function unlessDeclined<T>(checkpoint: string, work: () => Promise<T>): Promise<T> {
  const isNew = !existsSync(checkpoint);
  try {
    return await work();
  } catch (error) {
    if (isNew && error instanceof RunError && UNSENT.has(error.code)) {
      purgeCheckpoint(checkpoint);
    }
    throw error;
  }
}

/** "245 rows; hashes: bcrypt 115, argon2 30". */
function censusText({ rows, algorithms }: Inspection): string {
  const hashes = Object.entries(algorithms).map(
    ([name, number]) => `${name} ${number.toLocaleString("en-US")}`,
  );
  return `${count(rows, "row")}; ${hashes.length === 0 ? "no hashes" : `hashes: ${hashes.join(", ")}`}`;
}

function describe(inputs: readonly Input[]): string {
  const files = inputs.length === 1 ? nameOf(inputs[0]?.path ?? "") : `${inputs.length} files`;
  return `${files} (${sourceNames(inputs)})`;
}
