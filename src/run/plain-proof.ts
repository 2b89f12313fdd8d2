/** Whether known passwords show that hashes are of passwords as they are typed, which no hash shows. The checkpoint keeps of which files and algorithms that is proved, for later runs. */

import type { Checkpoint } from "../checkpoint/checkpoint.js";
import type { HashAlgorithm } from "../hash/hash.js";
import type { Input } from "../source/inputs.js";
import type { Inspection } from "../stage/inspection.js";
import type { BeforeBulk, ProofResult } from "./options.js";

/** Algorithms whose hashes may be of a changed password. */
const BARE = ["bcrypt", "argon2"] as const satisfies readonly HashAlgorithm[];

export const UNPROVED: ProofResult = { proved: false, assumePlain: false };

/** Of what a proof holds: files by their paths, and algorithms. */
interface Proved {
  readonly files: readonly string[];
  readonly algorithms: readonly string[];
}

/** What `beforeBulk` says, with what earlier proofs have shown; what this one shows is kept. */
export function withEarlierProofs(
  keeper: Pick<Checkpoint, "plainNote" | "notePlain">,
  inputs: readonly Pick<Input, "path">[],
  beforeBulk: BeforeBulk = async () => UNPROVED,
): BeforeBulk {
  return async (inspection, signal) => {
    const proof = await beforeBulk(inspection, signal);
    const note = keeper.plainNote();
    // Of our own file: a run before has written it.
    const kept: Proved = note === null ? { files: [], algorithms: [] } : JSON.parse(note);
    const these = {
      files: inputs.map(({ path }) => path),
      algorithms: bareAlgorithms(inspection),
    };
    if (these.algorithms.length === 0) return proof;
    if (proof.assumePlain) {
      const files = [...new Set([...kept.files, ...these.files])];
      const algorithms = [...new Set([...kept.algorithms, ...these.algorithms])];
      keeper.notePlain(JSON.stringify({ files, algorithms } satisfies Proved));
    }
    const isKept =
      these.files.every((path) => kept.files.includes(path)) &&
      these.algorithms.every((name) => kept.algorithms.includes(name));
    return isKept ? { ...proof, assumePlain: true } : proof;
  };
}

/** Those of hashes that are sent. */
export function bareAlgorithms({ algorithms }: Pick<Inspection, "algorithms">) {
  return BARE.filter((name) => (algorithms[name] ?? 0) > 0);
}
