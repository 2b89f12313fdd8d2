/** One user's password against the hash that would be sent, on this machine alone. A wrong signer key is caught here, before anything is written or sent. */

import { RunError } from "../../errors/run-error.js";
import { createSignerKeys } from "../../hash/signer-keys.js";
import { type FoundUser, findUsers } from "../../prove/find-users.js";
import { allProved, lacksKeyProof, type ProofCode } from "../../prove/proof.js";
import { traceOf } from "../../prove/trace.js";
import { proveTestUsers } from "../../prove/prove-test-users.js";
import { proveUsers, type Subject } from "../../prove/prove-users.js";
import { readPasswordsFile } from "../../source/passwords-file.js";
import { USER_QUESTION } from "../prompts.js";
import type { Choice, Question, Talk } from "./asker.js";
import { type FirstLook, isWhole, scryptsOf } from "./first-look.js";
import { parametersOf } from "./parameters.js";
import type { Known, Parameters, SetupProof, Step } from "./steps.js";
import { rowText } from "../../errors/place.js";

const AFTER_FAILURE = [
  { value: "password", label: "Type the password again" },
  { value: "user", label: "Try another user as well" },
  { value: "parameters", label: "Correct the parameters or signer key" },
  { value: "skip", label: "Skip the proof" },
] as const;

/** The key is certain to be wrong. */
const KEY_FIRST = [...AFTER_FAILURE].sort(
  ({ value }, other) => Number(other.value === "parameters") - Number(value === "parameters"),
);

const WHY =
  "looks right in every file and locks people out after the move. One user whose password you know shows it; nothing is sent for that, and the password is kept nowhere. Leave the user empty to go on without a proof.";

const NO_SCRYPT =
  "That password fits. But the user's hash needs no signer key, and others in the files do: take one whose hash is the vendor's scrypt.";

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
    const mayHaveHashes = !isWhole(summary) || summary.hashes.length > 0;
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
  proving: Proving,
  talk: Talk,
): Promise<Required<Pick<Known, "parameters" | "proof">>> {
  const { look } = proving;
  let { parameters } = proving;
  // All of them, as two right passwords show what one can't: that it is the key that is wrong.
  const subjects: Subject[] = [];
  const chooseNext = (all: readonly Choice[]): Promise<string> => {
    const choices = all.filter(({ value }) => value !== "parameters" || hasKey(look));
    return talk.ask({ kind: "choose", message: "And now?", choices }, String);
  };
  const mayBeWrong = hasKey(look)
    ? "A wrong signer key or a changed password"
    : "A changed password";
  talk.say(`${mayBeWrong} ${WHY}`);
  let next = "user";
  for (;;) {
    const found =
      next === "password"
        ? subjects.pop()?.found
        : next === "user"
          ? await talk.ask({ kind: "text", message: USER_QUESTION }, (name) =>
              name === "" ? undefined : userNamed(name, proving),
            )
          : undefined;
    if (found !== undefined) {
      const password = await talk.ask(PASSWORD, nonEmpty);
      subjects.push({ found, password });
    } else if (next === "parameters") {
      parameters = await parametersOf(look, null, null, talk);
    } else {
      if ((await talk.ask(GO_ON, String)) === "yes") return { parameters, proof: NO_PROOF };
      next = subjects.length === 0 ? "user" : await chooseNext(AFTER_FAILURE);
      continue;
    }
    const last = await talk.onceUnheard(() => proved(subjects, { ...proving, parameters }));
    if (last.user !== null) {
      talk.found(last.says);
      return { parameters, proof: { proved: true, user: last.user } };
    }
    talk.warn(last.says);
    next = await chooseNext(last.failure === "wrong_signer_key" ? KEY_FIRST : AFTER_FAILURE);
  }
}

const PASSWORD: Question = { kind: "secret", message: "That user's password" };
const GO_ON: Question = { kind: "confirm", message: "Go on without knowing that it works?" };

/** @throws RunError `usage` */
function nonEmpty(password: string): string {
  if (password !== "") return password;
  throw new RunError("usage", "No password has no characters", { hint: "Type it again." });
}

/** Tries all passwords that were typed; the last one decides. */
async function proved(
  subjects: readonly Subject[],
  { look, policy, parameters: { hashConfig, signerKey } }: Proving,
): Promise<{
  readonly says: string;
  readonly user: FoundUser | null;
  readonly failure: ProofCode | null;
}> {
  const by = {
    policy,
    hashConfig,
    signerKeys: createSignerKeys(signerKey),
    hints: "flags",
  } as const;
  const last = (await proveUsers(subjects, by)).at(-1);
  if (last === undefined) throw new Error("nobody was to be proved");
  if (!last.ok) {
    return { says: `Not proved (${last.code}).\n${last.hint}`, user: null, failure: last.code };
  }
  if (scryptsOf(look.summary) > 0 && last.algorithm !== "vendor_scrypt") {
    return { says: NO_SCRYPT, user: null, failure: null };
  }
  const says = `Proved: the password verifies against the hash of ${rowText(last.row)}.`;
  return { says, user: subjects.at(-1)?.found ?? null, failure: null };
}

/** @throws RunError `usage` */
async function userNamed(name: string, { look, policy }: Proving): Promise<FoundUser> {
  const { inputs, passwordExport } = look;
  const [found] = await findUsers(inputs, [name], { policy, passwordExport });
  if (found) return found;
  throw new RunError("usage", "No row of the files is this user's", {
    hint: "Write the email, phone or id as the export does.",
  });
}

/** Files without scrypt hashes have neither parameters nor a key. */
function hasKey({ summary }: FirstLook): boolean {
  return scryptsOf(summary) > 0;
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
  const setting = { policy, inputs, passwordExport, ...keys, hints: "flags" } as const;
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
  const failed = proofs.filter((proof) => !proof.ok);
  const [first] = failed;
  throw new RunError(
    "proof_failed",
    `${failed.length} of the ${users.length} users in ${file} can't be proved; user ${first?.user}: ${first?.code}`,
    { hint: first?.hint ?? "Check the file." },
  );
}
