/** The walk's fourth step: one user's password against the hash that would be sent, on this machine alone. A wrong signer key is caught here, before anything is written or sent. */

import { RunError } from "../../errors/run-error.js";
import { normalizeHash } from "../../hash/normalize.js";
import { createSignerKeys } from "../../hash/signer-keys.js";
import type { Policy } from "../../plan/policy.js";
import { type FoundUser, findUsers } from "../../prove/find-users.js";
import { allProved } from "../../prove/proof.js";
import { proveUsers, type Subject } from "../../prove/prove-users.js";
import { readPasswordsFile } from "../../source/passwords-file.js";
import { proveHere } from "../import-proof.js";
import { USER_QUESTION } from "../prompts.js";
import type { Asker } from "./asker.js";
import type { FirstLook } from "./first-look.js";
import { askForParameters, type Parameters } from "./parameters-step.js";
import { rowText } from "../../errors/place.js";

/** How the proof ended, with the parameters that it may have corrected. */
export interface ProofEnd {
  readonly proved: boolean;
  /** One of the users who were proved, with the vendor's scrypt if there is one; null without any. */
  readonly user: FoundUser | null;
  readonly parameters: Parameters;
}

const AFTER_FAILURE = [
  { value: "password", label: "Type the password again" },
  { value: "user", label: "Take another user, too" },
  { value: "parameters", label: "Correct the parameters or signer key" },
  { value: "skip", label: "Skip the proof" },
] as const;

type Choice = (typeof AFTER_FAILURE)[number];

/** The key is certain to be wrong. */
const KEY_FIRST = [...AFTER_FAILURE].sort(
  ({ value }, other) => Number(other.value === "parameters") - Number(value === "parameters"),
);

const WHY =
  "looks right in every file and locks people out after the move. One user whose password you know shows it; nothing is sent for that, and the password is kept nowhere. Leave the user empty to go on without a proof.";

const NO_SCRYPT =
  "That password fits. But the user's hash needs no signer key, and others in the files do: take one whose hash is the vendor's scrypt.";

/** Asks for users and passwords until one is proved, or the operator skips the proof knowingly. */
export async function askForProof(
  look: FirstLook,
  given: Parameters,
  policy: Policy,
  asker: Asker,
): Promise<ProofEnd> {
  let parameters = given;
  // All of them, as two right passwords show what one can't: that it is the key that is wrong.
  const subjects: Subject[] = [];
  if (!look.hasHashes) {
    asker.say("The files have no hash that a password could be tried with, so there is no proof.");
    return { proved: false, user: null, parameters };
  }
  asker.say(`${whatMayBeWrong(look)} ${WHY}`);
  let next: Choice["value"] = "user";
  for (;;) {
    let choices: readonly Choice[] = AFTER_FAILURE;
    if (next === "skip") {
      if (await asker.confirm("Go on without knowing that it works?")) {
        return { proved: false, user: null, parameters };
      }
    } else {
      if (next === "parameters") parameters = await askForParameters(look, asker);
      else {
        const subject = await askForSubject(next === "password" ? subjects.pop() : undefined);
        if (subject === null) {
          next = "skip";
          continue;
        }
        subjects.push(subject);
      }
      const last = (await proveUsers(subjects, provingBy(parameters, policy))).at(-1);
      if (last?.ok && look.needsSignerKey && last.algorithm !== "vendor_scrypt") {
        asker.warn(NO_SCRYPT);
      } else if (last?.ok) {
        asker.found(`Proved: the password verifies against the hash of ${rowText(last.row)}.`);
        return { proved: true, user: subjects.at(-1)?.found ?? null, parameters };
      } else if (last !== undefined) {
        asker.warn(`Not proved (${last.code}).\n${last.hint}`);
        if (last.code === "wrong_signer_key") choices = KEY_FIRST;
      }
    }
    const ways = offered(choices, subjects);
    next = subjects.length === 0 ? "user" : await asker.choose("And now?", ways);
  }

  /** @param before whose password is to be typed again */
  async function askForSubject(before?: Subject): Promise<Subject | null> {
    const found = before?.found ?? (await askForUser(look, policy, asker));
    if (found === null) return null;
    const read = (password: string): Subject => {
      if (password !== "") return { found, password };
      throw new RunError("usage", "No password has no characters", { hint: "Type it again." });
    };
    return asker.secret({ message: "That user's password", read });
  }
}

function provingBy({ hashConfig, signerKey }: Parameters, policy: Policy) {
  return { policy, hashConfig, signerKeys: createSignerKeys(signerKey), hints: "flags" } as const;
}

/** A hash of another kind has neither parameters nor a key. */
function offered(choices: readonly Choice[], subjects: readonly Subject[]): readonly Choice[] {
  return subjects.some(mayBeScrypt)
    ? choices
    : choices.filter(({ value }) => value !== "parameters");
}

function whatMayBeWrong({ needsSignerKey, scrypt }: FirstLook): string {
  const hasKey = needsSignerKey || scrypt.length > 0;
  return hasKey ? "A wrong signer key or a changed password" : "A changed password";
}

/** Whether a user's hash is the vendor's scrypt, as far as it can be told without the right parameters. */
function mayBeScrypt({ found }: Subject): boolean {
  const hash = found?.record.hash ?? null;
  if (found === null || hash === null) return false;
  const verdict = normalizeHash(hash, { vendor: found.input.vendor });
  if (verdict.verdict === "accepted") return verdict.algorithm === "vendor_scrypt";
  return verdict.verdict === "refused" && SCRYPT_REFUSALS.test(verdict.code);
}

/** Of a hash of the vendor's scrypt, and of one beside a salt that may be its. */
const SCRYPT_REFUSALS = /^(?:hash_config|signer_key|fscrypt|salted_unknown)/;

/**
 * The proof that a file of test users gives.
 *
 * @throws RunError `config_invalid`; `proof_failed` where one of them isn't proved
 */
export async function proveFromFile(
  file: string,
  look: FirstLook,
  parameters: Parameters,
  policy: Policy,
): Promise<ProofEnd> {
  const users = await readPasswordsFile(file);
  const { inputs, passwordExport } = look;
  const setting = { policy, inputs, passwordExport, keys: parameters };
  const { proofs, found } = await proveHere(users, setting);
  if (allProved(proofs)) {
    const scrypt = proofs.findIndex(({ algorithm }) => algorithm === "vendor_scrypt");
    return { proved: true, user: found[Math.max(0, scrypt)] ?? null, parameters };
  }
  const failed = proofs.filter((proof) => !proof.ok);
  const [first] = failed;
  throw new RunError(
    "proof_failed",
    `${failed.length} of the ${users.length} users in ${file} can't be proved; user ${first?.user}: ${first?.code}`,
    { hint: first?.hint ?? "Check the file." },
  );
}

/** @returns null where none is named */
function askForUser(look: FirstLook, policy: Policy, asker: Asker): Promise<FoundUser | null> {
  return asker.text({
    message: USER_QUESTION,
    async read(name) {
      if (name === "") return null;
      const [found] = await findUsers(look.inputs, [name], {
        policy,
        passwordExport: look.passwordExport,
      });
      if (found) return found;
      throw new RunError("usage", "No row of the files is this user's", {
        hint: "Write the email, phone or id as the export does.",
      });
    },
  });
}
