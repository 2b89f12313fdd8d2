/** What is checked before the first user is read: that the core is one, takes the key, can do what the policy needs, and is the one that the checkpoint knows. */

import { CoreFailure, unlessNotOffered } from "../core/core-failure.js";
import type { Core } from "../core/core.js";
import { scopeIn } from "../core/dialect.js";
import { optionName } from "../errors/option-name.js";
import { RunError } from "../errors/run-error.js";
import type { Checkpoint, CoreBinding } from "../checkpoint/checkpoint.js";
import { runErrorFrom } from "../calls/core-errors.js";
import { durationText } from "../events/duration.js";
import type { Policy } from "../plan/policy.js";

/** Finished users that a remote core is asked for on resume. */
const SAMPLE = 20;
/** An address, and an id, that no user has: reserved by RFC 2606. */
export const NO_USER = { email: "auth-migrate-probe@example.invalid" };

/**
 * True where users are looked up before anything is sent, at a core that offers it. Without lookups
 * only `--on-existing update` can bring users, and no id is kept.
 */
export function wantsLookups({ assumeEmpty }: Policy): boolean {
  return !assumeEmpty;
}

/**
 * Asks the core, without changing anything, whether this run can work.
 *
 * @param cutOver people sign in at the core; false by default
 * @returns whether users are to be looked up before anything is sent
 * @throws RunError `usage` (`--assume-empty` or `--on-existing update` since the cut-over),
 *   `core_unreachable`, `outage` (it is busy), `key_refused`, `core_incompatible`,
 *   `core_without_lookups`, `core_feature_missing`, `disk`
 */
export async function checkCore(core: Core, policy: Policy, cutOver = false): Promise<boolean> {
  if (cutOver) requireCare(policy);
  await ask("probe", () => core.probe());
  const looksUp = wantsLookups(policy) && (await offersLookups(core, policy));
  if (policy.keepIds) await ask("map", () => core.findMapping(NO_USER.email));
  return looksUp;
}

/** Under `update` users may be replaced without a lookup; but they keep the id that they have at the core. */
async function offersLookups(core: Core, { onExisting, keepIds }: Policy): Promise<boolean> {
  try {
    await ask("lookup", () => core.findUsers(NO_USER));
    return true;
  } catch (error) {
    const isWithout = error instanceof RunError && error.code === "core_without_lookups";
    if (isWithout && onExisting === "update" && !keepIds) return false;
    throw error;
  }
}

/**
 * Whether the core can have no user whom this migration didn't bring, so that no lookup is needed.
 * Only an embedded core can know that: no stranger gets a password there but by another
 * import into the same data file.
 */
export async function isEmptyCore(core: Core): Promise<boolean> {
  return core.target.kind === "embedded" && (await ask("lookup", () => core.countUsers())) === 0;
}

/**
 * The core's answer to a question before the first user.
 *
 * @throws RunError as {@link checkCore}
 */
export async function ask<T>(
  call: "probe" | "lookup" | "map",
  question: () => Promise<T>,
): Promise<T> {
  try {
    return await question();
  } catch (error) {
    if (!(error instanceof CoreFailure)) throw error;
    // At the lookup as at the probe: a core that fails before the first user is no core to start with.
    const fatal = runErrorFrom(error, call) ?? runErrorFrom(error, "probe");
    if (fatal !== null) throw fatal;
    throw notReady(error);
  }
}

/** A busy core is there, and takes calls later. */
function notReady(cause: CoreFailure): RunError {
  const { kind, retryAfterMs = 0, message } = cause;
  const wait = retryAfterMs > 0 ? `wait ${durationText(retryAfterMs)}, as it asks` : "wait a while";
  return new RunError(
    kind === "busy" ? "outage" : "core_unreachable",
    `The core isn't ready: ${message}`,
    {
      hint: `${kind === "busy" ? `Nothing was sent: ${wait}` : "Look into the core's log"}, then run the same command again.`,
      cause,
    },
  );
}

/**
 * Makes sure that a checkpoint goes on at the core that it knows, and binds a new one.
 *
 * @param targetMoved the operator says that the same core is at another URL now
 * @throws RunError `checkpoint_other_core`, `undo_unfinished`
 */
export async function bindCheckpoint(
  checkpoint: Checkpoint,
  binding: CoreBinding,
  core: Core,
  targetMoved: boolean,
): Promise<void> {
  requireNoneBegun(checkpoint);
  const known = checkpoint.binding();
  if (known === null) return checkpoint.bind(binding);
  requireSameCore(checkpoint.path, known, { binding, core, targetMoved });
  if (binding.kind === "remote") {
    await requireSameUsers(checkpoint, core, binding.url);
    if (binding.url !== (known.kind === "remote" && known.url)) checkpoint.bind(binding);
  }
}

/** The core of a command, and what is said about it. */
interface GivenCore {
  readonly core: Core;
  readonly binding: CoreBinding;
  /** The core that the checkpoint knows is at another URL now. */
  readonly targetMoved: boolean;
}

/**
 * Makes sure that a command is for the core that a checkpoint belongs to.
 *
 * @throws RunError `checkpoint_other_core`
 */
export function requireSameCore(
  path: string,
  known: CoreBinding,
  { binding, core, targetMoved }: GivenCore,
): void {
  const same =
    known.kind === "embedded"
      ? binding.kind === "embedded" && binding.coreId === known.coreId
      : binding.kind === "remote" &&
        (binding.url === known.url ||
          // A core can move; no tenant becomes another one.
          (targetMoved && scopeIn(binding.url) === scopeIn(known.url)));
  if (!same) throw otherCore(path, known, describeGiven(binding, core));
}

/**
 * Asks a remote core for some of the users who are there by the checkpoint.
 *
 * @throws RunError `checkpoint_other_core`
 */
export async function requireSameUsers(
  checkpoint: Checkpoint,
  core: Core,
  url: string,
): Promise<void> {
  const { finished, removals } = checkpoint;
  const sample = finished
    .sample(SAMPLE, Math.random)
    .flatMap(({ id, coreId }) => (coreId === null || removals.isBegun(id) ? [] : [coreId]));
  let unknown = 0;
  for (const userId of sample) {
    // A core without lookups can't be asked; its URL has to do.
    const found = await ask("probe", () => unlessNotOffered(() => core.getUser(userId), "unasked"));
    if (found === null) unknown += 1;
  }
  // Some may have been removed since; another core lacks them all.
  if (unknown <= sample.length / 2) return;
  const lacks = `The core at ${url} lacks ${unknown} of ${sample.length} users whom the checkpoint ${checkpoint.path} says were brought there.`;
  throw new RunError("checkpoint_other_core", lacks, {
    hint: `It is another core, or users were removed from it: give ${optionName("--core")} the URL of the core that the checkpoint belongs to, or start anew there with a checkpoint of its own, ${optionName("--checkpoint", "FILE")}.`,
  });
}

/** Since the cut-over a password at the core is the user's own, whether this migration brought it or not. */
function requireCare({ assumeEmpty, onExisting }: Policy): void {
  if (assumeEmpty) {
    throw new RunError(
      "usage",
      `${optionName("--assume-empty")} can't be given since the cut-over: people sign in at the core.`,
      {
        hint: `Run the same command without ${optionName("--assume-empty")}: it looks users up before it sends them.`,
      },
    );
  }
  if (onExisting !== "update") return;
  throw new RunError(
    "usage",
    `${optionName("--on-existing")} update can't be given since the cut-over: people sign in at the core, and it would replace their passwords.`,
    {
      hint: `Run the same command with ${optionName("--on-existing")} skip, also where the configuration file or the environment says update: users who are there are left as they are. Was the cut-over recorded too early, take it back: auth-migrate cutover --revoke.`,
    },
  );
}

function describe(binding: CoreBinding): string {
  return binding.kind === "remote" ? binding.url : `an embedded core (id ${binding.coreId})`;
}

function describeGiven(binding: CoreBinding, { target }: Core): string {
  if (binding.kind === "remote" || target.kind === "remote") return describe(binding);
  const where = "file" in target ? target.file : target.database;
  return `the embedded core ${where} (id ${binding.coreId})`;
}

/**
 * Makes sure that no undo has begun a removal of which it isn't known what became.
 *
 * @throws RunError `undo_unfinished`
 */
export function requireNoneBegun({ path, removals }: Checkpoint): void {
  if (!removals.areBegun()) return;
  throw new RunError("undo_unfinished", `An undo of ${path} has begun and isn't finished.`, {
    hint: "Finish it first: auth-migrate undo, with this checkpoint and core, goes on where it stopped. Then an import brings the users anew.",
  });
}

/** The error for a checkpoint of another core; `given` names the core of this run. */
export function otherCore(path: string, known: CoreBinding, given: string): RunError {
  const moved =
    known.kind === "remote" && scopeIn(known.url) === scopeIn(given)
      ? ` If the same core has a new URL, add ${optionName("--target-moved")}.`
      : "";
  return new RunError(
    "checkpoint_other_core",
    `The checkpoint ${path} belongs to ${describe(known)}, but this run is for ${given}.`,
    {
      hint: `Go on at the core that the checkpoint knows (${optionName("--core", "URL")} or ${optionName("--data", "FILE")}), or give this run a checkpoint of its own with ${optionName("--checkpoint", "FILE")}, and where it keeps hashes a vault of its own with ${optionName("--vault", "FILE")}.${moved}`,
    },
  );
}
