/** Whether a core is proved to hold the vendor's signer key. The checkpoint keeps a proof, which holds for later runs with the same parameters and the same key. */

import type { Checkpoint } from "../checkpoint/checkpoint.js";
import type { Finding } from "../events/events.js";
import { finding } from "../events/findings.js";
import type { Counts } from "../events/summary.js";
import type { Tally } from "../events/tally.js";
import type { HashConfig } from "../hash/hash.js";
import type { Inspection } from "../stage/inspection.js";

/** What a proof was made by, as digests. */
interface Proved {
  /** Of the cost and the separator. */
  readonly parameters: string;
  /** Of the signer key; null where the run wasn't given one, as one into a remote core needn't be. */
  readonly key: string | null;
}

/** Where a proof is kept, and what keys its digests. */
type ProofKeeper = Pick<Checkpoint, "digester" | "proofNote" | "noteProof">;

/**
 * Keeps what a run has proved, or finds what an earlier one has. A run by another key or other
 * parameters, which nothing proves, takes away what was kept.
 *
 * @param isProvedNow whether a user with such a hash was proved in this run
 * @returns whether the run's vendor scrypt hashes are proved
 */
export function settleProof(
  keeper: ProofKeeper,
  hashConfig: HashConfig | null,
  isProvedNow: boolean,
  inspection: Inspection,
): boolean {
  const own = digestsOf(hashConfig, keeper);
  if (isProvedNow) {
    keeper.noteProof(JSON.stringify(own));
    return true;
  }
  const isProved = isProvedBefore(keeper, hashConfig);
  const hasSuch = (inspection.algorithms.vendor_scrypt ?? 0) > 0;
  if (!isProved && hasSuch) keeper.noteProof(null);
  return isProved;
}

/** Whether an earlier run's proof holds for these parameters. */
export function isProvedBefore(keeper: ProofKeeper, hashConfig: HashConfig | null): boolean {
  const text = keeper.proofNote();
  if (text === null) return false;
  // Of our own file: a run before has written it.
  const kept = JSON.parse(text) as Proved;
  const own = digestsOf(hashConfig, keeper);
  return (
    kept.parameters === own.parameters &&
    (kept.key === own.key || kept.key === null || own.key === null)
  );
}

/** The finding of a run whose vendor scrypt hashes nothing proves; those of users who were at the core before aren't sent. */
export function unprovedFindings(
  isProved: boolean,
  {
    ready,
    outcomes,
    counts,
  }: Pick<Tally, "ready" | "outcomes"> & { readonly counts: Pick<Counts, "algorithms"> },
): Finding[] {
  const { vendor_scrypt: hashes = 0 } = counts.algorithms;
  const brought = ready.import + ready.passwordless + ready.thirdparty - outcomes.existed;
  const users = Math.min(hashes, brought);
  return isProved || users <= 0 ? [] : [finding("unproved", { count: users, rows: [] })];
}

function digestsOf(hashConfig: HashConfig | null, { digester }: ProofKeeper): Proved {
  const { signerKey = null, ...parameters } = hashConfig ?? {};
  return {
    parameters: digester.part(JSON.stringify(Object.entries(parameters).toSorted())),
    key: signerKey === null ? null : digester.part(signerKey),
  };
}
