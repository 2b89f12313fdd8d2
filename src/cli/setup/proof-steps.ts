/** One user's password against the hash that would be sent, on this machine alone. A wrong signer key is caught here, before anything is written or sent. */

import { RunError } from "../../errors/run-error.js";
import { normalizeHash } from "../../hash/normalize.js";
import { createSignerKeys } from "../../hash/signer-keys.js";
import { type FoundUser, findUsers } from "../../prove/find-users.js";
import { allProved } from "../../prove/proof.js";
import { traceOf } from "../../prove/trace.js";
import { proveUsers, type Subject } from "../../prove/prove-users.js";
import { readPasswordsFile } from "../../source/passwords-file.js";
import { proveHere } from "../import-proof.js";
import { USER_QUESTION } from "../prompts.js";
import type { FirstLook } from "./first-look.js";
import { UNSETTLED } from "./parameters-steps.js";
import type { Change, Known, Step } from "./steps.js";
import { rowText } from "../../errors/place.js";

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

const NO_HASHES =
  "The files have no hash that a password could be tried with, so there is no proof.";

const NO_PROOF = { proved: false, user: null } as const;

export const PROOF: readonly Step[] = [
  {
    isOpen: ({ proof, next }) => proof === null && next === "user",
    option: "--prove FILE or --skip-proof",
    async given(known, canAsk) {
      const { look, values } = known;
      if (look === null) return null;
      if (values.prove !== undefined) return { proof: await proveFromFile(values.prove, known) };
      if (values.skipProof || !canAsk) return { proof: NO_PROOF };
      return look.hasHashes ? null : { proof: NO_PROOF, said: [{ as: "say", text: NO_HASHES }] };
    },
    says: ({ look, subjects, explained }) =>
      look === null || subjects.length > 0 || explained ? "" : `${whatMayBeWrong(look)} ${WHY}`,
    question: () => ({ kind: "text", message: USER_QUESTION }),
    async check(name, known) {
      if (name === "") return { next: "skip", explained: true };
      return { found: await userNamed(name, known), next: "password", explained: true };
    },
    writes: ({ proof, core, hashConfig = null, signerKey = null }, earlier) =>
      // A remote core's key is proved there alone, so that a trace of this proof would spare nothing.
      core?.kind !== "embedded" || !proof?.user
        ? {}
        : {
            proof: traceOf(proof.user, { hashConfig, signerKey }, earlier.proof?.salt) ?? undefined,
          },
  },
  {
    isOpen: ({ proof, next }) => proof === null && next === "password",
    question: () => ({ kind: "secret", message: "That user's password" }),
    check(password, known) {
      if (password === "") {
        throw new RunError("usage", "No password has no characters", { hint: "Type it again." });
      }
      return proved({ ...known, subjects: [...known.subjects, { found: known.found, password }] });
    },
  },
  {
    isOpen: ({ proof, next }) => proof === null && next === "skip",
    question: () => ({ kind: "confirm", message: "Go on without knowing that it works?" }),
    check: (answer, { subjects }) =>
      answer === "yes"
        ? { proof: NO_PROOF }
        : { next: subjects.length === 0 ? "user" : "choice", failure: null },
  },
  {
    isOpen: ({ proof }) => proof === null,
    // Behind parameters that were corrected.
    given: (known) => (known.next === "prove" ? proved(known) : null),
    question: ({ failure, subjects }) => ({
      kind: "choose",
      message: "And now?",
      choices: offered(failure === "wrong_signer_key" ? KEY_FIRST : AFTER_FAILURE, subjects),
    }),
    check(next, { subjects }) {
      if (next === "parameters") return { ...UNSETTLED, corrects: true, next: "prove" };
      if (next !== "password") return { next: next === "skip" ? "skip" : "user" };
      return {
        next: "password",
        found: subjects.at(-1)?.found ?? null,
        subjects: subjects.slice(0, -1),
      };
    },
  },
];

/** Tries all passwords that were typed. */
async function proved(known: Known): Promise<Change> {
  const { look, policy, hashConfig = null, signerKey = null, subjects } = known;
  const signerKeys = createSignerKeys(signerKey);
  const by = { policy, hashConfig, signerKeys, hints: "flags" } as const;
  const last = (await proveUsers(subjects, by)).at(-1);
  const failed = { subjects, next: "choice", failure: null } as const;
  if (last?.ok && look?.needsSignerKey && last.algorithm !== "vendor_scrypt") {
    return { ...failed, said: [{ as: "warn", text: NO_SCRYPT }] };
  }
  if (last?.ok) {
    const text = `Proved: the password verifies against the hash of ${rowText(last.row)}.`;
    const user = subjects.at(-1)?.found ?? null;
    return { proof: { proved: true, user }, said: [{ as: "found", text }] };
  }
  if (last === undefined) return failed;
  const text = `Not proved (${last.code}).\n${last.hint}`;
  return { ...failed, failure: last.code, said: [{ as: "warn", text }] };
}

/** @throws RunError `usage` */
async function userNamed(name: string, { look, policy }: Known): Promise<FoundUser> {
  const passwordExport = look?.passwordExport;
  const [found] = await findUsers(look?.inputs ?? [], [name], { policy, passwordExport });
  if (found) return found;
  throw new RunError("usage", "No row of the files is this user's", {
    hint: "Write the email, phone or id as the export does.",
  });
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
async function proveFromFile(
  file: string,
  { look, policy, hashConfig = null, signerKey = null }: Known,
): Promise<Known["proof"]> {
  const users = await readPasswordsFile(file);
  const { inputs = [], passwordExport } = look ?? {};
  const setting = { policy, inputs, passwordExport, keys: { hashConfig, signerKey } };
  const { proofs, found } = await proveHere(users, setting);
  if (allProved(proofs)) {
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
