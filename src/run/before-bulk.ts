/** What a run does between its preflight and its first user: reads the inputs, tells their findings and lets a proof be made. It sends nothing. */

import type { Core } from "../core/core.js";
import type { Finding, MigrationEvent } from "../events/events.js";
import type { FindingCode } from "../events/findings.js";
import { countProved, NOBODY_PROVED, type ProvedUsers } from "../events/standing.js";
import { requireUsers } from "../stage/input-facts.js";
import { type ReadingRun, readInputs } from "../stage/read-inputs.js";
import { type Inspection, untriedKinds } from "../stage/inspection.js";
import type { CarriedRoles } from "../plan/carried.js";
import { isRefusal } from "../plan/plan.js";
import type { Stage } from "../stage/stage.js";
import type { StagedRow } from "../stage/staged-row.js";
import type { BulkSetting } from "./bulk/mode.js";
import { foreseeJoined } from "./joined-findings.js";
import type { EarlierProof, ProofResult, ReadingOptions, SignIns } from "./options.js";
import { requireRoles } from "./require-carried.js";
import {
  bareHashes,
  earlierKey,
  keptIn,
  type ProofKeeper,
  type Shown,
  shownBy,
} from "./kept-proofs.js";

const UNPROVED: ProofResult = { fitted: [] };

/** What the reading of the inputs has shown, and the proof. */
export interface Preparation {
  readonly inspection: Inspection;
  /** Findings that a dry run tells last. */
  readonly untold: readonly Finding[];
  /** What known passwords have shown on this machine. */
  readonly shown: Shown;
  /** What an earlier run has proved of the signer key. */
  readonly earlierKey: EarlierProof["signerKey"];
  /** Whose passwords were verified on this machine; nobody where that proves none of a run's signer key. */
  readonly provedUsers: ProvedUsers;
  /** Hashes of kinds of which none was. */
  readonly untried: Readonly<Record<string, number>>;
  /** The test users of the proof, where a core is to be asked for them. */
  readonly signIns: SignIns | null;
  /** Rows as the proof has shown their users. */
  readonly asProved: (rows: readonly StagedRow[], file: string) => readonly StagedRow[];
}

interface Surroundings extends ReadingRun {
  readonly stage: Stage;
  /** How an import uses the core's queue. */
  readonly bulkSetting?: BulkSetting | null;
  /** To which users are to be sent; null in a dry run. */
  readonly core: Core | null;
  /** The roles that a core has; null where none is carried, or no core is asked. */
  readonly roles: CarriedRoles | null;
  /** Has what earlier runs have proved; null without a checkpoint. */
  readonly proofs: ProofKeeper | null;
}

/**
 * Reads the inputs into the stage, tells what was found and asks for the proof.
 *
 * @throws RunError when an input can't be read or has changed since, `no_users`,
 *   `hash_config_missing`, `role_unknown`, `disk`, or what `beforeBulk` throws
 */
export async function prepareBulk(
  options: ReadingOptions,
  surroundings: Surroundings,
): Promise<Preparation> {
  const { policy, inputs, part, rejectsOut, limit, namespace } = options;
  const { signal, core, roles, stage, bulkSetting = null, proofs } = surroundings;
  const asked = { ...options, keepsRaw: rejectsOut !== undefined };
  const inspection = await readInputs(asked, surroundings);
  const bare = signal.aborted ? [] : await bareHashes(proofs, inspection.files, namespace);
  const keyBefore = earlierKey(proofs, options);
  const { plain = {} } = keptIn(proofs);
  const prepared = (
    { fitted, signIns }: ProofResult,
    findings: readonly Finding[],
  ): Preparation => {
    const shown = shownBy(fitted, bare);
    const isOpen = (inspection.algorithms.vendor_scrypt ?? 0) > 0 && !shown.isKey;
    const proved = fitted.length > 0 && (!isOpen || keyBefore === "same");
    const untried = untriedKinds(inspection, fitted);
    const isPlain = (scope: string): boolean => scope in plain || shown.fits.includes(scope);
    const open = new Set(bare.flatMap(({ file, scope }) => (isPlain(scope) ? [] : file)));
    const isWhole = bare.every(({ file }) => open.has(file));
    const left = isWhole || open.size === 0 ? null : stage.found(PREHASH, open);
    const untold = findings.flatMap((one) =>
      !isSettled(one) ? one : open.size === 0 ? [] : { ...one, ...left },
    );
    const isVouched = policy.allowHash.includes("as-typed");
    return {
      inspection,
      untold,
      shown,
      earlierKey: keyBefore,
      provedUsers: proved ? countProved(fitted, untried) : NOBODY_PROVED,
      untried,
      signIns: signIns ?? null,
      asProved: (rows, file) => (isVouched || open.has(file) ? rows : rows.map(asTyped)),
    };
  };
  if (signal.aborted) return prepared(UNPROVED, []);
  if (part === undefined) requireUsers(inspection.files, inputs);
  const findings = inspection.findings.filter(isSoAt(core));
  const tell = (some: readonly Finding[]): void => emitFindings(some, surroundings.emit);
  // Told after the proof, and only where that didn't settle it.
  if (core !== null) {
    tell(findings.filter((finding) => !isSettled(finding)));
    const joined = foreseeJoined(stage, core.target, policy, bulkSetting, limit);
    tell(joined.map((finding) => ({ ...finding, foreseen: true })));
  }
  const isShown = bare.length > 0 && bare.every(({ scope }) => plain[scope] === true);
  const earlier = { signerKey: keyBefore, plain: isShown };
  const proof = await askBefore(options, inspection, signal, earlier);
  if (roles !== null && !signal.aborted) await requireRoles(inspection.roles, roles, policy, core);
  const preparation = prepared(proof, findings);
  if (core === null) return preparation;
  tell(preparation.untold.filter(isSettled));
  // The question may have waited for hours, and a file that is still being written was read in part.
  for (const input of inputs) await input.requireUnchanged();
  return { ...preparation, untold: [] };
}

const PREHASH = "prehash_possible" satisfies FindingCode;

/** What a proof may settle. */
const isSettled = ({ code }: Finding): boolean => code === PREHASH;

/** A proof has settled for all users of a file what no hash shows: passwords are hashed as typed. */
function asTyped(row: StagedRow): StagedRow {
  const { user } = row;
  if (user === null || isRefusal(user.plan)) return row;
  const notices = user.plan.notices.filter((code) => code !== PREHASH);
  return { ...row, user: { ...user, plan: { ...user.plan, notices } } };
}

/** Our own core reads passwords as UTF-8. */
const isSoAt =
  (core: Core | null) =>
  ({ code }: Finding): boolean =>
    core?.target.kind !== "embedded" || code !== "scrypt_non_ascii_passwords";

/** What `beforeBulk` says; nothing is proved where a stop ended it. */
async function askBefore(
  { beforeBulk }: Pick<ReadingOptions, "beforeBulk">,
  inspection: Inspection,
  signal: AbortSignal,
  earlier: EarlierProof,
): Promise<ProofResult> {
  if (beforeBulk === undefined) return UNPROVED;
  try {
    return await beforeBulk(inspection, signal, earlier);
  } catch (error) {
    if (signal.aborted && error === signal.reason) return UNPROVED;
    throw error;
  }
}

/** Emits findings, the important ones first. */
export function emitFindings(
  findings: readonly Finding[],
  emit: (event: MigrationEvent) => void,
): void {
  for (const finding of findings) emit({ type: "finding", ...finding });
}
