/** Opens the core that a run is for: the embedded one on its data file, or a remote one by its URL. */

import { existsSync, rmSync } from "node:fs";
import { purgeCheckpoint } from "../checkpoint/purge.js";
import { readStatus } from "../checkpoint/status.js";
import { purgeVault, readVault } from "../vault/vault-care.js";
import type { Core } from "../core/core.js";
import { CoreFailure } from "../core/core-failure.js";
import type { CoreSettings } from "../core/embedded/assemble-core.js";
import type { EmbeddedCore } from "../core/embedded/embedded-core.js";
import type { RemoteCore } from "../core/http/client.js";
import { checkedBaseUrl } from "../core/http/base-url.js";
import { RunError } from "../errors/run-error.js";
import { type CoreBinding, readBinding } from "../checkpoint/checkpoint.js";
import { DEFAULT_CONCURRENCY } from "../run/defaults.js";
import { runErrorFrom } from "../calls/core-errors.js";
import { otherCore } from "../run/preflight.js";
import { type CoreChoice, coreChoiceOf, nameOf, readersOf } from "./core-choice.js";
import { askForSecret } from "./prompts.js";
import { type Keys, readApiKey } from "./secrets.js";
import type { Terminal } from "./terminal.js";
import type { CoreValues } from "./options/target.js";
import { authorityIn } from "./small-file.js";

/** An open core and how the run uses it. */
export interface Target {
  readonly core: Core;
  readonly binding: CoreBinding;
  readonly concurrency: number;
  /** The data file, where opening the core has made it. */
  readonly made?: string;
}

interface Opening {
  /** Make no new core; false by default. */
  readonly mustExist?: boolean;
  /** It is asked for a few users only; false by default. */
  readonly forFew?: boolean;
}

/**
 * @throws RunError `config_invalid` (URL, key file), `data_unusable`, `file_not_private`,
 *   `checkpoint_other_core`, `disk`, and those of a database
 */
export async function openTarget(
  values: CoreValues,
  keys: Keys,
  terminal: Terminal,
  opening: Opening,
): Promise<Target> {
  if (values.core !== undefined) {
    const tellOfReaders = readersOf([values.checkpoint], terminal);
    readBinding(values.checkpoint);
    tellOfReaders();
    return connectRemote(values, values.core, terminal);
  }
  return openEmbedded(values, keys, terminal, opening);
}

/**
 * Lets `work` have an open core and closes it behind that.
 *
 * @throws what `work` throws; else RunError `disk` where the core can't be closed: what was answered
 *   is safe, but its data file isn't whole without the files beside it
 */
export async function withCore<T>(core: Core, work: () => Promise<T>): Promise<T> {
  let done: T;
  try {
    done = await work();
  } catch (error) {
    // What can't be closed after a failure is most likely its consequence; the first one is told.
    await core.close().catch(() => {});
    throw error;
  }
  try {
    await core.close();
  } catch (error) {
    throw error instanceof CoreFailure ? (runErrorFrom(error, "probe") ?? error) : error;
  }
  return done;
}

/** Of an import that goes on without its proof, status says how; files in use are another run's. */
const KEPT: ReadonlySet<string> = new Set(["proof_unavailable", "in_use"]);

/**
 * The same for a run that sends users. Where it fails before the first of them it takes back what it
 * has made: a checkpoint is bound to its core, and would keep the operator from naming another one.
 *
 * @throws as {@link withCore}
 */
export function withTarget<T>(
  { checkpoint, vault }: Pick<CoreValues, "checkpoint"> & { readonly vault?: string | undefined },
  { core, made }: Target,
  work: () => Promise<T>,
): Promise<T> {
  const isNew = !existsSync(checkpoint);
  const isNewVault = vault !== undefined && !existsSync(vault);
  const takeBack = async (): Promise<void> => {
    const isLeft = existsSync(checkpoint);
    if (!isNew || (isLeft && readStatus(checkpoint).users > 0)) return;
    // Its checkpoint outlives a vault that can't go. One with users is another run's.
    if (isNewVault && existsSync(vault) && readVault(vault).users === 0) purgeVault(vault);
    if (isLeft) purgeCheckpoint(checkpoint);
    if (made === undefined || (await core.countUsers()) > 0) return;
    await core.close();
    // It would be there as long as another process had the data file open.
    if (!existsSync(`${made}-wal`)) rmSync(made);
  };
  return withCore(core, () =>
    work().catch(async (error: unknown) => {
      const isUnsent = error instanceof RunError && !KEPT.has(error.code);
      // What can't be taken back is most likely a consequence, too.
      if (isUnsent) await takeBack().catch(() => {});
      throw error;
    }),
  );
}

async function openEmbedded(
  values: CoreValues,
  keys: Keys,
  terminal: Terminal,
  opening: Opening,
): Promise<Target> {
  const choice = coreChoiceOf(values, keys.coreConfig, terminal.note);
  const data = choice.kind === "file" ? [choice.file] : [];
  const tellOfReaders = readersOf([...data, values.checkpoint], terminal);
  const known = readBinding(values.checkpoint);
  // Before a data file is created: a run that forgot --core must not leave one behind.
  if (known?.kind === "remote") {
    throw otherCore(values.checkpoint, known, `the embedded core ${nameOf(choice)}`);
  }
  const { mustExist = false, forFew = false } = opening;
  const settings = { signerKey: keys.signerKey, ...keys.coreConfig.options };
  // Where the checkpoint says that there is a core, another one must not take its place.
  const isKnown = known !== null;
  const isMade = choice.kind === "file" && !existsSync(choice.file);
  const core = await openChosen(
    choice,
    { ...settings, mustExist: isKnown || mustExist },
    forFew,
  ).catch((error: unknown) => {
    if (!isKnown || choice.kind === "database" || existsSync(choice.file)) throw error;
    throw new RunError(
      "data_unusable",
      `The checkpoint ${values.checkpoint} belongs to an embedded core, but there is no data file ${choice.file}.`,
      {
        hint: `Name the data file that the earlier run wrote with --data, or bring it back from a backup.${mustExist ? "" : " To start anew, give this run a checkpoint of its own with --checkpoint FILE."}`,
        cause: error,
      },
    );
  });
  tellOfReaders();
  return {
    core,
    binding: { kind: "embedded", coreId: core.coreId },
    concurrency: values.concurrency ?? DEFAULT_CONCURRENCY.embedded,
    ...(isMade ? { made: choice.file } : {}),
  };
}

/** On a thread of its own unless it is for few users: the run goes on reading and noting while the core writes. */
export async function openChosen(
  choice: CoreChoice,
  settings: CoreSettings & { readonly mustExist: boolean },
  forFew: boolean,
): Promise<EmbeddedCore> {
  // Loaded only here: a dry run needs none of it.
  const { openThreadedCore } = await import("../core/embedded/threaded/threaded-core.js");
  if (choice.kind === "database") {
    return openThreadedCore({ database: choice.database, ...settings });
  }
  const { openEmbeddedCore } = await import("../core/embedded/embedded-core.js");
  const options = { file: choice.file, ...settings };
  return forFew ? openEmbeddedCore(options) : openThreadedCore(options);
}

/**
 * The core behind a URL, whatever a checkpoint says.
 *
 * @throws RunError `config_invalid` (URL, key file)
 */
export async function connectRemote(
  values: Omit<CoreValues, "checkpoint">,
  given: string,
  terminal: Terminal,
): Promise<Target & { readonly core: RemoteCore }> {
  const options = await connectionOf(values, given, terminal);
  // Loaded only here: the HTTP client is a quarter of the time that an embedded import takes to start.
  const { connectCore } = await import("../core/http/client.js");
  const { url, connections: concurrency } = options;
  return { core: connectCore(options), binding: { kind: "remote", url }, concurrency };
}

/**
 * What connecting to the core behind a URL takes.
 *
 * @throws RunError as {@link connectRemote}
 */
export async function connectionOf(
  values: Omit<CoreValues, "checkpoint">,
  given: string,
  terminal: Terminal,
) {
  const { allowInsecure, dialect } = values;
  // Checked before the operator is asked for a key. One spelling for one core: the checkpoint is bound to it.
  const { url } = checkedBaseUrl(given, values);
  const found = readApiKey(values.apiKeyFile);
  const message = "API key of the core (empty if it has none)";
  const otherwise = "Give the key by --api-key-file or AUTH_MIGRATE_API_KEY.";
  const apiKey = found ?? (await askForSecret(terminal, message, otherwise));
  const keyFrom = found === null ? undefined : (values.apiKeyFile ?? "AUTH_MIGRATE_API_KEY");
  const connections = values.concurrency ?? DEFAULT_CONCURRENCY.remote;
  const { env } = process;
  const ca = authorityIn(values.caFile);
  return { url, apiKey, keyFrom, connections, dialect, allowInsecure, env, ca };
}
