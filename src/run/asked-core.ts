/** A core that a dry run asks before anything is sent: the same questions as before an import, by reads alone. */

import { existsSync } from "node:fs";
import { retryingCore } from "./retrying-core.js";
import { SYSTEM_TIMING } from "../events/timing.js";
import { type Checkpoint, copyCheckpoint } from "../checkpoint/checkpoint.js";
import { unlessNotOffered } from "../core/core-failure.js";
import type { Core } from "../core/core.js";
import { RunError } from "../errors/run-error.js";
import type { Rules } from "../plan/action.js";
import type { BulkSetting } from "./bulk/mode.js";
import { bulkAt, withQueue } from "./bulk/setting.js";
import { requireVaultThere } from "./hash-keeper.js";
import type { AskableCore, Asking, ImportOptions, ReadingOptions } from "./options.js";
import { NOTHING_CARRIED, type Offered } from "../plan/carried.js";
import { ask, bindCheckpoint, checkCore, NO_USER } from "./preflight.js";
import { requireCarried } from "./require-carried.js";
import { createStop, type Stop } from "./stop.js";

/** Calls that change nothing at a core. */
const QUESTIONS: ReadonlySet<string> = new Set([
  "findUsers",
  "getUser",
  "findMapping",
  "listUsers",
  "countUsers",
  "capabilities",
  "findByThirdParty",
  "dialect",
  "close",
]);

/** A core whose questions alone are asked: what changes something rejects. */
export function askOnly(given: AskableCore): Core {
  const changes = async (): Promise<never> => {
    throw new RunError("internal", "A dry run was about to change something at the core.", {
      hint: "This is a bug in auth-migrate; please report it. Nothing was sent.",
    });
  };
  const others = Object.entries(given)
    .filter(([name, value]) => typeof value === "function" && !QUESTIONS.has(name))
    .map(([name]) => [name, changes]);
  return {
    ...given,
    ...Object.fromEntries(others),
    // The import's own probe is a request for a code, without a contact.
    async probe() {
      await given.dialect?.();
      // That there are no lookups, the lookup itself says better.
      await unlessNotOffered(() => given.findUsers(NO_USER), null);
    },
  };
}

/** What a core has said before the first user. */
interface AtTheCore extends Pick<Rules, "cutOver" | "looksUp"> {
  /** How its queue is used; null where each user has calls of their own. */
  readonly bulkSetting: BulkSetting | null;
  /** No user of this migration was sent before. */
  readonly isFirst: boolean;
  /** What of accounts it keeps, by its queue as well. */
  readonly offered: Offered;
}

/** Of a run that was stopped while the core was asked. */
export function unsaidBy(checkpoint: Checkpoint | null) {
  return {
    cutOver: isCutOver(checkpoint),
    isFirst: false,
    wasEmpty: false,
    looksUp: false,
    carried: NOTHING_CARRIED,
    bulkSetting: null,
  };
}

function isCutOver(checkpoint: Checkpoint | null): boolean {
  return checkpoint !== null && checkpoint.cutOver() !== null;
}

/**
 * Asks a core whether a run can work, and takes the checkpoint to it.
 *
 * @param checkpoint null for a first run that has none yet
 * @throws RunError as `checkCore` and `bindCheckpoint`, `core_feature_missing`
 */
export async function askFirst(
  core: Core,
  options: Pick<ImportOptions, "policy" | "binding" | "targetMoved" | "bulk" | "bulkBatch">,
  checkpoint: Checkpoint | null,
): Promise<AtTheCore> {
  const { policy, binding, targetMoved } = options;
  const cutOver = isCutOver(checkpoint);
  const looksUp = await checkCore(core, policy, cutOver);
  // What earlier runs have left open has to be looked for.
  const isFirst = checkpoint === null || checkpoint.binding() === null;
  if (checkpoint !== null) await bindCheckpoint(checkpoint, binding, core, targetMoved);
  const capabilities = await ask("probe", () => core.capabilities());
  const { bulkImport: isOffered } = capabilities;
  const bulkSetting = await bulkAt(core, options, { isOffered, isFirst: isFirst && looksUp });
  const offered = withQueue(capabilities, bulkSetting !== null);
  return { cutOver, looksUp, isFirst, offered, bulkSetting };
}

/** What a dry run that asks a core has at hand. */
export interface Asked extends Pick<AtTheCore, "bulkSetting">, Omit<Rules, "policy" | "digester"> {
  readonly asks: Asking;
  readonly core: Core;
  readonly stop: Stop;
  /** Second factors are taken for carried, and only a write could tell. */
  readonly areFactorsUntried: boolean;
  /** A private copy of the import's checkpoint; null for a first run. */
  readonly checkpoint: Checkpoint | null;
}

/**
 * Asks what an import asks before its first user, and lets `work` ask on.
 *
 * @throws what `work` throws; RunError as {@link askFirst}, `core_without_lookups` also under
 *   `--assume-empty`, `checkpoint_invalid`, `disk`, `vault_missing`
 */
export async function whileAsking<T>(
  asks: Asking,
  { policy, timing = SYSTEM_TIMING, signal: given }: ReadingOptions,
  work: (asked: Asked) => Promise<T>,
): Promise<T> {
  const stop = createStop(given);
  const isNew = asks.checkpoint === null || !existsSync(asks.checkpoint);
  const checkpoint = isNew ? null : copyCheckpoint(asks.checkpoint);
  try {
    const core = askOnly(asks.core);
    const patient = retryingCore(core, timing, stop.signal);
    const asking = async () => {
      const { offered, ...at } = await askFirst(patient, { ...asks, policy }, checkpoint);
      // An import may do without lookups; a dry run that can't ask has nothing to say.
      if (!at.looksUp)
        await checkCore(patient, { ...policy, assumeEmpty: false, onExisting: "skip" });
      const carried = requireCarried(policy, offered);
      if (checkpoint !== null) requireVaultThere(policy, checkpoint, asks.vault);
      return { ...at, carried, areFactorsUntried: carried.totp && offered.totp === null };
    };
    const unsaid = { ...unsaidBy(checkpoint), areFactorsUntried: false };
    const found = await unlessStopped(stop.signal, asking, unsaid);
    const asked = { core, asks, stop, checkpoint };
    return await work({ ...asked, ...found, wasEmpty: policy.assumeEmpty });
  } finally {
    checkpoint?.close();
  }
}

/** An operator who stops the run while the core is asked needs no error of the core's. */
export async function unlessStopped<T>(
  signal: AbortSignal,
  asking: () => Promise<T>,
  unsaid: T,
): Promise<T> {
  try {
    return await asking();
  } catch (error) {
    if (!signal.aborted) throw error;
    return unsaid;
  }
}
