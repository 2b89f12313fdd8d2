/** The proof in an import: made before a core is opened, so that a wrong key leaves no trace, and weighed against the inspection before the first call. */

import type { ProofResult } from "../run/options.js";
import type { Inspection } from "../inspect/inspection.js";
import { allProved, type Proof, type ProofCode, provedAlgorithms } from "../prove/proof.js";
import { type LocalProof, proveTestUsers } from "../prove/prove-users.js";
import { provedUsers } from "../prove/sign-ins.js";
import { stillHolds } from "../prove/trace.js";
import { RunError } from "../errors/run-error.js";
import { proofLines } from "../report/proof-text.js";
import { readPasswordsFile, type TestUser } from "../source/passwords-file.js";
import { readProofTrace } from "./config-file.js";
import { judgedSignIns } from "./core-proof.js";
import type { GeneralValues } from "./options/general.js";
import type { ProofValues } from "./options/proving.js";
import type { TargetValues } from "./options/target.js";
import { askForSignerKey, askForTestUser, chooseToProve } from "./prompts.js";
import type { Terminal } from "./terminal.js";
import { printable } from "../report/text.js";
import type { Input } from "../source/inputs.js";
import type { Policy } from "../plan/policy.js";
import type { Keys } from "./secrets.js";
import { type PlanningValues, readingPolicy } from "./options/reading.js";
import { placeOf } from "../errors/place.js";
import type { PasswordExport } from "../password-export/load-export.js";
import type { GivenUsers } from "./given-inputs.js";

/** What the operator wants of the proof. `--config` names where a setup has left the trace of its own. */
type ImportProofChoices = ProofValues &
  Pick<TargetValues, "yes" | "core"> &
  Pick<GeneralValues, "config">;

/** What was proved on this machine. */
type Local = Pick<LocalProof, "proofs" | "found"> & { readonly users: readonly TestUser[] };

const NO_USERS: Local = { users: [], proofs: [], found: [] };

/**
 * Proves the users of `--prove`, and says what is to be weighed before the bulk; without an
 * inspection, what a dry run knows of it.
 *
 * @throws RunError `config_invalid`; `proof_failed` naming the first failing user's row and why;
 *   `proof_missing` under `--require-proof` without `--prove`
 */
export async function prepareProof(
  choices: ImportProofChoices,
  setting: ProofSetting,
  terminal: Terminal,
): Promise<(inspection: Inspection | null) => Promise<ProofResult>> {
  const { prove: file } = choices;
  const local =
    file === undefined ? NO_USERS : await proveFile(file, choices, { setting, terminal });
  return (inspection) => weigh(local, inspection, { choices, setting, terminal });
}

async function proveFile(
  file: string,
  { core }: ImportProofChoices,
  { setting, terminal }: Pick<Weighing, "setting" | "terminal">,
): Promise<Local> {
  const users = await readPasswordsFile(file);
  const { proofs, found } = await proveHere(users, setting);
  const failed = proofs.filter(({ ok }) => !ok);
  const [first] = failed;
  if (first === undefined || first.ok) {
    const verified = `the passwords of all ${proofs.length} users of ${file} verify`;
    terminal.note(
      core !== undefined
        ? `Proved here: ${verified}. These users are imported first, and sign in at the core before the others are sent.`
        : `Proved: ${verified}.`,
    );
    return { users, proofs, found };
  }
  const { user, row, code, hint } = first;
  const where = row === null ? "" : ` (${placeOf(row)})`;
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
  local: Local,
  inspection: Inspection | null,
  { choices, setting, terminal }: Weighing,
): Promise<ProofResult> {
  const { core, prove: file, requireProof: required } = choices;
  const open = (inspection?.algorithms.vendor_scrypt ?? 0) > 0 && !provesScrypt(local.proofs);
  if (open && required) {
    throw new RunError(
      "proof_missing",
      "The files have vendor scrypt hashes, and no user with one was proved.",
      { hint: "Add a user with such a hash to the file given with --prove." },
    );
  }
  // A proof of `setup` spares the question here, and never a sign-in at a core.
  const traced = open && core === undefined && (await isTraced(choices, setting));
  if (traced) terminal.note("Proved by setup: key, parameters and user are still the same.");
  const asked = open && !traced ? await proveNow(choices, setting, terminal) : NO_USERS;
  const all = [...local.proofs, ...asked.proofs];
  const users = [local, asked].flatMap((part) => provedUsers(part.users, part));
  return {
    provesSignerKey: traced || provesScrypt(all),
    proved: traced || (allProved(all) && (!open || provesScrypt(all))),
    assumePlain: provesPlain(all, inspection, setting),
    ...(core !== undefined && users.length > 0
      ? { signIns: judgedSignIns(users, { file, required }, terminal) }
      : {}),
  };
}

/** Whether `setup` has proved a user of these files on this machine, by the same key and parameters. */
export async function isTraced(
  { config }: Pick<GeneralValues, "config">,
  { inputs, keys }: Pick<ProofSetting, "inputs" | "keys">,
): Promise<boolean> {
  const trace = readProofTrace(config);
  return trace !== null && stillHolds(trace, inputs, keys);
}

/** Asks on a terminal: a wrong signer key locks every user out, and no core can tell. */
async function proveNow(
  { yes, core, prove: file }: ImportProofChoices,
  setting: ProofSetting,
  terminal: Terminal,
): Promise<Local> {
  const where = core !== undefined ? " at the core" : "";
  if (!terminal.canPrompt || yes) {
    const way =
      file === undefined
        ? "; --prove FILE does that with a password."
        : `: no user in ${printable(file)} has a hash that needs it.`;
    terminal.note(`The signer key${where} is not proved${way}`);
    return NO_USERS;
  }
  const question = `These hashes need the right signer key${where}, which isn't proved yet. What now?`;
  const users: TestUser[] = [];
  const known = setting.keys.signerKey;
  let typed: string | null = null;
  // With those before: two right passwords tell a wrong key, one can't.
  const prove = async (): Promise<Local> => {
    const keys = { hashConfig: setting.keys.hashConfig, signerKey: known ?? typed };
    const { proofs, found } = await proveHere(users, { ...setting, keys });
    return { users: users.slice(-1), proofs: proofs.slice(-1), found: found.slice(-1) };
  };
  const endsAs = ({ proofs }: Local, codes: readonly ProofCode[]): boolean =>
    proofs.some((proof) => !proof.ok && codes.includes(proof.code));
  while (await chooseToProve(question, terminal)) {
    users.push(await askForTestUser(null, terminal));
    let last = await prove();
    if (endsAs(last, ["signer_key_missing"])) {
      typed = await askForSignerKey(terminal);
      last = await prove();
    }
    for (const line of proofLines(last.proofs)) terminal.note(printable(line));
    if (provesScrypt(last.proofs)) return last;
    if (allProved(last.proofs)) {
      terminal.note("That user's hash needs no signer key: take one with a vendor scrypt hash.");
    }
    // A key that was typed is asked for again.
    if (endsAs(last, ["wrong_signer_key", "password_or_signer_key"])) typed = null;
  }
  return NO_USERS;
}

function provesScrypt(proofs: readonly Proof[]): boolean {
  return (provedAlgorithms(proofs).vendor_scrypt ?? 0) > 0;
}

/** Whether every input and every algorithm that could hide a pre-hash has a user who was proved. */
function provesPlain(
  proofs: readonly Proof[],
  inspection: Inspection | null,
  { inputs }: ProofSetting,
): boolean {
  const proved = provedAlgorithms(proofs);
  const files = new Set(
    proofs.map(({ algorithm, row }) => (algorithm === "vendor_scrypt" ? null : row?.file)),
  );
  const bare = (["bcrypt", "argon2"] as const).filter((name) => inspection?.algorithms[name]);
  return (
    bare.length > 0 &&
    bare.every((name) => proved[name]) &&
    inputs.every(({ path }) => files.has(path))
  );
}

/** What a proof is made of beside the test users. */
export interface ProofSetting {
  readonly inputs: readonly Input[];
  readonly passwordExport: PasswordExport | undefined;
  readonly policy: Policy;
  readonly keys: Keys;
  readonly signal?: AbortSignal;
}

export function proofSetting(values: PlanningValues, given: GivenUsers, keys: Keys): ProofSetting {
  return { ...given, keys, policy: readingPolicy(values, keys) };
}

/** Proves test users against the inputs; calls no core. */
export function proveHere(
  users: readonly TestUser[],
  {
    keys: { hashConfig, signerKey },
    ...setting
  }: Omit<ProofSetting, "keys"> & { readonly keys: Pick<Keys, "hashConfig" | "signerKey"> },
): Promise<LocalProof> {
  return proveTestUsers(users, { ...setting, hashConfig, signerKey, hints: "flags" });
}
