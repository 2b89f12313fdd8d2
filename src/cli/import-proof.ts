/** The proof in an import: made before a core is opened, so that a wrong key leaves no trace, and weighed against the census before the first call. */

import type { BeforeBulk } from "../migration/options.js";
import type { Census } from "../migration/census/census.js";
import { allProved, type Proof, provedAlgorithms } from "../migration/proof/proof.js";
import { RunError } from "../errors/run-error.js";
import { proofLines } from "../report/proof-text.js";
import { readPasswordsFile, type TestUser } from "../source/passwords-file.js";
import { askForTestUser, chooseToProve } from "./prompts.js";
import { type ProofSetting, proveHere } from "./proving.js";
import { printable, type Terminal } from "./terminal.js";

/** What the operator wants of the proof. */
export interface ImportProofChoices {
  /** `--prove`: the test users' passwords. */
  readonly file: string | undefined;
  /** `--require-proof`. */
  readonly required: boolean;
  /** `--yes`: don't ask. */
  readonly yes: boolean;
}

const HOW =
  "Write one or a few test users into a CSV file, user,password a line, and name it with --prove FILE.";

/**
 * Proves the users of `--prove`, and says what is to be weighed before the bulk.
 *
 * @throws RunError `passwords_invalid`; `proof_failed` naming the first failing user's row and why;
 *   `proof_missing` under `--require-proof` without `--prove`
 */
export async function prepareProof(
  choices: ImportProofChoices,
  setting: ProofSetting,
  terminal: Terminal,
): Promise<BeforeBulk> {
  const { file, required } = choices;
  if (file === undefined && required) {
    throw new RunError("proof_missing", "--require-proof was given, and nothing to prove with.", {
      hint: HOW,
    });
  }
  const proofs = file === undefined ? [] : await proveFile(file, setting, terminal);
  return (census) => weigh(proofs, census, { choices, setting, terminal });
}

async function proveFile(
  file: string,
  setting: ProofSetting,
  terminal: Terminal,
): Promise<readonly Proof[]> {
  const users = await readPasswordsFile(file);
  const { proofs } = await proveHere(users, setting);
  const failed = proofs.filter(({ ok }) => !ok);
  const [first] = failed;
  if (first === undefined || first.ok) {
    terminal.note(`Proved: the passwords of all ${proofs.length} users of ${file} verify.`);
    return proofs;
  }
  const { user, row, code, hint } = first;
  const where = row === null ? "" : ` (${row.file}, row ${row.number})`;
  const others = failed.length - 1;
  const more = others === 0 ? "" : `, and ${others} more of ${proofs.length} failed`;
  throw new RunError(
    "proof_failed",
    `Nothing was sent: user ${user} of ${file}${where} couldn't be proved, ${code}${more}.`,
    { hint },
  );
}

interface Weighing {
  readonly choices: ImportProofChoices;
  readonly setting: ProofSetting;
  readonly terminal: Terminal;
}

async function weigh(
  proofs: readonly Proof[],
  census: Census | null,
  { choices, setting, terminal }: Weighing,
): ReturnType<BeforeBulk> {
  const open = (census?.algorithms.vendor_scrypt ?? 0) > 0 && !provesScrypt(proofs);
  if (open && choices.required) {
    throw new RunError(
      "proof_missing",
      "The files have vendor scrypt hashes, and no user with one was proved.",
      { hint: "Add a user with such a hash to the file given with --prove." },
    );
  }
  const all = open ? [...proofs, ...(await proveNow(choices, setting, terminal))] : proofs;
  const proved = allProved(all) && (!open || provesScrypt(all));
  return { proved, assumePlain: provesPlain(all, census, setting) };
}

/** Asks where somebody can answer; a wrong signer key locks everybody out, and no core can tell. */
async function proveNow(
  { yes }: ImportProofChoices,
  setting: ProofSetting,
  terminal: Terminal,
): Promise<readonly Proof[]> {
  if (!terminal.canPrompt || yes) {
    terminal.note("The signer key is not proved; auth-migrate prove does that with a password.");
    return [];
  }
  const question = "These hashes need the right signer key, which isn't proved yet. What now?";
  const users: TestUser[] = [];
  while (await chooseToProve(question)) {
    users.push(await askForTestUser(null));
    // With those before: two right passwords tell a wrong key, one can't.
    const last = (await proveHere(users, setting)).proofs.slice(-1);
    for (const line of proofLines(last)) terminal.note(printable(line));
    if (provesScrypt(last)) return last;
  }
  return [];
}

function provesScrypt(proofs: readonly Proof[]): boolean {
  return (provedAlgorithms(proofs).vendor_scrypt ?? 0) > 0;
}

/** Whether every input and every algorithm that could hide a pre-hash has somebody proved. */
function provesPlain(
  proofs: readonly Proof[],
  census: Census | null,
  { inputs }: ProofSetting,
): boolean {
  const proved = provedAlgorithms(proofs);
  const files = new Set(
    proofs.map(({ algorithm, row }) => (algorithm === "vendor_scrypt" ? null : row?.file)),
  );
  const bare = (["bcrypt", "argon2"] as const).filter((name) => census?.algorithms[name]);
  return (
    bare.length > 0 &&
    bare.every((name) => proved[name]) &&
    inputs.every(({ path }) => files.has(path))
  );
}
