/** Options of proofs: of the one in an import, and of `prove`. */

import { RunError } from "../../errors/run-error.js";
import { omit, type OptionSpecs, type ValuesOf } from "./option.js";
import { passwordExport, planning } from "./reading.js";
import { target } from "./target.js";
import { text } from "./types.js";
import { upstream } from "./upstream.js";

export const salt = {
  prehashSaltFile: {
    flags: "--prehash-salt-file <file>",
    group: "Proof",
    help: "file that holds a pepper or salt to try where a password doesn't verify",
    docs: "The vault keeps it",
    type: text,
  },
} as const satisfies OptionSpecs;

export const proof = {
  prove: {
    flags: "--prove <file>",
    help: "stop unless these test users' passwords (CSV: user,password) verify first, also at a remote core",
    brief: "stop unless these test users' passwords verify first",
    docs: "([proof.md](proof.md#what-is-done))",
    type: text,
    of: "files",
  },
  requireProof: {
    flags: "--require-proof",
    group: "Proof",
    help: "stop where nothing was proved",
    docs: "Also where a remote core can't be asked",
    of: "files",
  },
  ...salt,
} as const satisfies OptionSpecs;

/** Of `prove` alone. A core that the configuration file has for the import isn't touched by a proof that names none. */
const proving = {
  passwords: {
    flags: "--passwords <file>",
    help: "CSV or JSON of test users and passwords: user,password",
    type: text,
    defaultText: "they are asked for on a terminal",
  },
  core: {
    flags: "--core <url>",
    help: "then import these users into the core at this base URL, and sign in as each",
    docs: "Without `--core` or `--data` no core is touched",
    type: text,
    configured: false,
  },
  data: {
    flags: "--data <place>",
    help: "then import them into the embedded core in this file or database, and sign in as each",
    type: text,
    configured: false,
  },
} as const satisfies OptionSpecs;

/** Of `prove`: those of an import, without what matters to many users alone. */
export const proveOptions = {
  ...omit(target, "concurrency", "dryRun"),
  ...planning,
  ...passwordExport,
  ...salt,
  ...upstream,
  ...proving,
} as const satisfies OptionSpecs;

export type ProofValues = ValuesOf<typeof proof>;

/**
 * Of a run that requires a proof, where no earlier one has it.
 *
 * @param file of test users, none of whom proves the signer key; undefined where none is named
 */
export function nothingProved(file?: string): RunError {
  const [what, hint] =
    file === undefined
      ? [
          "--require-proof was given, and nothing to prove with.",
          "Write one or a few test users into a CSV file, user,password a line, and name it with --prove FILE.",
        ]
      : [
          "The files have vendor scrypt hashes, and no user with one was proved.",
          "Add a user with such a hash to the file given with --prove.",
        ];
  return new RunError("proof_missing", what, { hint });
}
