/** What known passwords that fitted say of the other hashes of the files. */

import type { Proof } from "../prove/proof.js";
import type { Inspection } from "../stage/inspection.js";
import type { GivenUsers } from "./given-inputs.js";

/** A kind of hash, and in which file, that a known password has fitted. */
export type Tried = Pick<Proof, "algorithm" | "row">;

/** Whether the signer key is proved. */
export function provesScrypt(tried: readonly Tried[]): boolean {
  return tried.some(({ algorithm }) => algorithm === "vendor_scrypt");
}

/** Whether every input and every algorithm that could hide a pre-hash has a user who was proved. */
export function provesPlain(
  tried: readonly Tried[],
  inspection: Inspection,
  { inputs }: Pick<GivenUsers, "inputs">,
): boolean {
  const proved = new Set(tried.map(({ algorithm }) => algorithm));
  const files = new Set(
    tried.map(({ algorithm, row }) => (algorithm === "vendor_scrypt" ? null : row?.file)),
  );
  const bare = (["bcrypt", "argon2"] as const).filter((name) => inspection.algorithms[name]);
  return (
    bare.length > 0 &&
    bare.every((name) => proved.has(name)) &&
    inputs.every(({ path }) => files.has(path))
  );
}
