/** What an import does between its preflight and its first call: looks at the inputs, takes their inspection, tells its findings and lets a proof be made. It sends nothing. */

import { inspectInputs } from "../inspect/inspect-inputs.js";
import type { Digester } from "../plan/digests.js";
import type { Inspection } from "../inspect/inspection.js";
import { requireUsers } from "../inspect/file-users.js";
import type { Finding, MigrationEvent } from "../events/events.js";
import { totalBytes } from "../source/inputs.js";
import type { BeforeBulk, ImportOptions, ProofResult, ReadingOptions, SignIns } from "./options.js";
import { requireRoles } from "./require-carried.js";
import { isRefusal } from "../plan/plan.js";
import type { Policy } from "../plan/policy.js";
import { createProgress } from "../calls/progress.js";
import type { Core } from "../core/core.js";
import { createTally } from "../events/tally.js";
import type { Timing } from "../calls/timing.js";
import type { Stage } from "../stage/stage.js";
import type { StagedRow } from "../stage/staged-row.js";

/** What the reading of the inputs has shown. */
export interface Prepared {
  readonly inspection: Inspection;
}

/** What the bulk is told. */
export interface Preparation extends Prepared {
  readonly proved: boolean;
  /** Whether the signer key is proved as well. */
  readonly provesSignerKey: boolean;
  /** The test users of the proof, where a core is to be asked for them. */
  readonly signIns: SignIns | null;
  /** A row as the proof has shown its user. */
  readonly asProved: (row: StagedRow) => StagedRow;
}

const UNPROVED = { proved: false, provesSignerKey: false, assumePlain: false };

/** What it needs of the run. */
export interface Surroundings {
  /** Stops it; then the bulk has nothing to do either. */
  readonly signal: AbortSignal;
  readonly emit: (event: MigrationEvent) => void;
  readonly timing: Timing;
  /** When the run began, by `timing`. */
  readonly start: number;
  readonly digester: Digester;
  /** Gets all rows. */
  readonly stage: Pick<Stage, "take" | "planWaiting" | "settle">;
}

/**
 * Reads the inputs for their inspection, tells what was found and asks for the proof.
 *
 * @throws RunError when an input can't be read or has changed since, `no_users`,
 *   `hash_config_missing`, `role_unknown`, or what `beforeBulk` throws
 */
export async function prepareBulk(
  options: ReadingOptions & Pick<ImportOptions, "core">,
  surroundings: Surroundings,
): Promise<Preparation> {
  const { policy, beforeBulk } = options;
  const { signal, emit } = surroundings;
  const read = await readForInspection(options, surroundings);
  const { inspection } = read;
  if (signal.aborted) return { ...read, ...UNPROVED, signIns: null, asProved: asStaged };
  if (options.part === undefined) requireUsers(inspection.files, options.inputs);
  const { core, carried } = options;
  const findings = applyingAt(core, inspection.findings);
  // Told after the proof, and only where that didn't settle it.
  emitFindings(
    findings.filter((finding) => !isSettled(finding)),
    emit,
  );
  const proof = await askBefore(beforeBulk, inspection, signal);
  if (carried?.roles) {
    await requireRoles(inspection.roles, carried.roles, policy, core);
  }
  if (!proof.assumePlain) emitFindings(findings.filter(isSettled), emit);
  // The question may have waited for hours, and a file that is still being written was read in part.
  for (const input of options.inputs) await input.requireUnchanged();
  const { proved, provesSignerKey = proved, signIns = null } = proof;
  const asProved = rowsAs(proof, policy);
  return { ...read, proved, provesSignerKey, signIns, asProved };
}

/** What a proof may settle. */
export const isSettled = ({ code }: Finding): boolean => code === "prehash_possible";

/** How rows are seen once a proof was made. */
export function rowsAs(
  { assumePlain }: Pick<ProofResult, "assumePlain">,
  { allowHash }: Policy,
): Preparation["asProved"] {
  return assumePlain && !allowHash.includes("as-typed") ? asTyped : asStaged;
}

const asStaged = (row: StagedRow): StagedRow => row;

/** The proof has settled for all users what no hash shows: passwords are hashed as typed. */
function asTyped(row: StagedRow): StagedRow {
  const { user } = row;
  if (user === null || isRefusal(user.plan)) return row;
  const notices = user.plan.notices.filter((code) => code !== "prehash_possible");
  return { ...row, user: { ...user, plan: { ...user.plan, notices } } };
}

/** What `beforeBulk` says; nothing is proved where a stop ended it. */
export async function askBefore(
  beforeBulk: BeforeBulk | undefined,
  inspection: Inspection,
  signal: AbortSignal,
): Promise<ProofResult> {
  if (beforeBulk === undefined || signal.aborted) return UNPROVED;
  try {
    return await beforeBulk(inspection, signal);
  } catch (error) {
    if (signal.aborted && error === signal.reason) return UNPROVED;
    throw error;
  }
}

/**
 * Reads the inputs into the stage.
 *
 * @throws RunError when an input can't be read, `hash_config_missing`, or `disk`
 */
export async function readForInspection(
  options: ReadingOptions,
  { signal, emit, timing, start, digester, stage }: Surroundings,
): Promise<Prepared> {
  const { inputs, rejectsOut } = options;
  const tally = createTally();
  const progress = createProgress(emit, {
    tally,
    timing,
    start,
    pace: null,
    phase: "census",
    totalBytes: totalBytes(inputs),
  });
  const run = { signal, tally, progress, emit, digester, stage };
  const asked = { ...options, keepsRaw: rejectsOut !== undefined };
  return { inspection: await inspectInputs(asked, run) };
}

/** Findings without those that can't be true at a core: ours reads passwords as UTF-8. */
function applyingAt(core: Pick<Core, "target">, findings: readonly Finding[]): readonly Finding[] {
  if (core.target.kind !== "embedded") return findings;
  return findings.filter(({ code }) => code !== "scrypt_non_ascii_passwords");
}

/** Emits findings, the important ones first. */
export function emitFindings(
  findings: readonly Finding[],
  emit: (event: MigrationEvent) => void,
): void {
  for (const finding of findings) emit({ type: "finding", ...finding });
}
