/** One user's password against the hash that would be sent, on this machine alone. A wrong signer key is caught here, before anything is written or sent. */

import { RunError } from "../../errors/run-error.js";
import { findUsers } from "../../prove/find-users.js";
import { allProved, lacksKeyProof } from "../../prove/proof.js";
import { traceOf } from "../../prove/trace.js";
import { proveFound, proveTestUsers } from "../../prove/prove-test-users.js";
import { readPasswordsFile } from "../../source/passwords-file.js";
import { proofFailed } from "../core-proof.js";
import { proveByAsking } from "../prove-by-asking.js";
import { canceled, type Talk } from "./asker.js";
import { type FirstLook, isWhole, scryptsOf } from "./first-look.js";
import { parametersOf } from "./parameters.js";
import type { Known, Parameters, SetupProof, Step } from "./steps.js";

const NO_HASHES =
  "The files have no hash that a password could be tried with, so there is no proof.";

const BRIDGE_ALONE =
  "No core takes the files' hashes, so there is no proof here. `auth-migrate prove` with --on-unusable-hash bridge tries passwords with those that the bridge verifies.";

const NO_PROOF: SetupProof = { proved: false, user: null };

/** What is proved, and by which parameters. */
type Proving = Pick<Known, "policy" | "values"> & {
  readonly look: FirstLook;
  readonly parameters: Parameters;
};

export const PROOF: Step = {
  option: "--prove FILE or --skip-proof",
  isGiven: ({ values: { prove, skipProof } }) => prove !== undefined || skipProof,
  async take(known, talk) {
    const { look, parameters, values } = known;
    if (look === undefined || parameters === undefined) return known;
    const proving = { ...known, look, parameters };
    const { prove: file } = values;
    if (file !== undefined) {
      return { ...known, proof: await talk.once(() => proveFromFile(file, proving)) };
    }
    if (values.skipProof || !talk.canAsk) return { ...known, proof: NO_PROOF };
    const { summary } = look;
    const mayHaveHashes = !isWhole(summary) || Object.keys(summary.algorithms).length > 0;
    if (mayHaveHashes) return { ...known, ...(await askForProof(proving, talk)) };
    talk.say(look.bridged > 0 ? BRIDGE_ALONE : NO_HASHES);
    return { ...known, proof: NO_PROOF };
  },
  writes: ({ proof, core, parameters }, earlier) =>
    // A remote core's key is proved there alone, so that a trace of this proof would spare nothing.
    core?.kind !== "embedded" || parameters === undefined || !proof?.user
      ? {}
      : { proof: traceOf(proof.user, parameters, earlier.proof?.salt) ?? undefined },
};

/** Asks for users and passwords until one verifies, or the operator goes on without. */
async function askForProof(
  { look, policy, ...known }: Proving,
  talk: Talk,
): Promise<Required<Pick<Known, "parameters" | "proof">>> {
  const { inputs, passwordExport, summary } = look;
  let { parameters } = known;
  const hasKey = scryptsOf(summary) > 0;
  const correct = {
    label: "Correct the parameters or signer key",
    ask: async () => {
      parameters = await parametersOf(look, null, null, talk);
    },
  };
  const proved = await proveByAsking(talk, {
    find: async (name) => (await findUsers(inputs, [name], { policy, passwordExport }))[0] ?? null,
    prove: (users, found) => proveFound(users, found, { policy, ...parameters }),
    needsKey: hasKey,
    stopped: canceled,
    correct: hasKey ? correct : undefined,
  });
  const proof = proved === null ? NO_PROOF : { proved: true, user: proved.found.at(-1) ?? null };
  return { parameters, proof };
}

/**
 * The proof that a file of test users gives.
 *
 * @throws RunError `config_invalid`; `proof_failed` where one of them isn't proved; `proof_missing`
 *   where none of them has a hash that needs the signer key, and others do
 */
async function proveFromFile(
  file: string,
  { look: { inputs, passwordExport }, policy, parameters: keys }: Proving,
): Promise<SetupProof> {
  const users = await readPasswordsFile(file);
  const setting = { policy, inputs, passwordExport, ...keys };
  const { proofs, found, untried } = await proveTestUsers(users, setting);
  if (allProved(proofs)) {
    if (lacksKeyProof(untried)) {
      throw new RunError(
        "proof_missing",
        `The files have vendor scrypt hashes, and no user in ${file} has one`,
        { hint: "Add a user with such a hash: the others say nothing of the signer key." },
      );
    }
    const scrypt = proofs.findIndex(({ algorithm }) => algorithm === "vendor_scrypt");
    return { proved: true, user: found[Math.max(0, scrypt)] ?? null };
  }
  throw proofFailed(proofs, file);
}
