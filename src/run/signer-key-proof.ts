/** Whether a core is proved to hold the vendor's signer key. The checkpoint keeps a proof, which holds for later runs with the same parameters and the same key. */

import type { Checkpoint } from "../checkpoint/checkpoint.js";
import { optionName } from "../errors/option-name.js";
import { RunError } from "../errors/run-error.js";
import type { Finding } from "../events/events.js";
import { finding } from "../events/findings.js";
import type { Counts } from "../events/summary.js";
import type { Tally } from "../events/tally.js";
import type { Inspection } from "../stage/inspection.js";
import type { ReadingOptions } from "./options.js";

/** What a proof was made by, as digests; null where the run wasn't given one. */
interface Proved {
  /** Of the cost and the separator; hashes that are whole have their own. */
  readonly parameters: string | null;
  /** Of the signer key, which a remote core needn't be given here. */
  readonly key: string | null;
}

/** What a run's hashes are made and verified by. */
type Made = Pick<ReadingOptions, "hashConfig" | "signerKeys">;

/** Where a proof is kept, and what keys its digests. */
export type ProofKeeper = Pick<Checkpoint, "digester" | "proofNote" | "noteProof">;

/**
 * Whether the vendor scrypt hashes of a run are proved, by the run itself or by an earlier one.
 *
 * @param isProvedNow whether a user with such a hash was proved in this run
 * @throws RunError `proof_missing` where an earlier run has proved another key or other parameters:
 *   the one or the other locks its users out
 */
export function isKeyProved(
  keeper: ProofKeeper,
  made: Made,
  isProvedNow: boolean,
  { algorithms }: Pick<Inspection, "algorithms">,
): boolean {
  const other = isProvedNow ? null : earlierKey(keeper, made);
  if (other === null) return isProvedNow;
  if (other === "same" || (algorithms.vendor_scrypt ?? 0) === 0) return true;
  throw new RunError("proof_missing", `The ${other} not what an earlier run has proved.`, {
    hint: `Give what was proved: one of the two locks its users out. Where this is the right one, prove it by a user with such a hash, with ${optionName("--prove", "FILE")}. The users of another account of the vendor go to a core of their own.`,
  });
}

/** Whether an earlier run has proved what this one's hashes are made by, or what differs; null where none has proved anything. */
export function earlierKey(
  keeper: ProofKeeper,
  made: Made,
): "same" | "signer key is" | "hash parameters are" | null {
  const note = keeper.proofNote("proof");
  if (note === null) return null;
  // Of our own file: a run before has written it.
  const kept = JSON.parse(note) as Proved;
  const own = digestsOf(made, keeper);
  if (own.key !== null && kept.key !== null && own.key !== kept.key) return "signer key is";
  const isOther = own.parameters !== null && own.parameters !== kept.parameters;
  return isOther ? "hash parameters are" : "same";
}

/** Keeps what a run has proved for later ones. */
export function keepProof(keeper: ProofKeeper, made: Made): void {
  keeper.noteProof("proof", JSON.stringify(digestsOf(made, keeper)));
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

function digestsOf({ hashConfig, signerKeys: { key } }: Made, { digester }: ProofKeeper): Proved {
  const { signerKey: _, ...parameters } = hashConfig ?? {};
  const text = JSON.stringify(Object.entries(parameters).toSorted());
  return {
    parameters: hashConfig === null ? null : digester.part(text),
    key: key === null ? null : digester.part(Buffer.from(key, "base64").toString("base64")),
  };
}
