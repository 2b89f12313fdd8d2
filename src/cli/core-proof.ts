/** What an import makes of its test users' sign-ins at a remote core: it goes on, goes on unproved and says why, or stops before the bulk. */

import { RunError, sentence } from "../errors/run-error.js";
import { finding, type FindingCode } from "../events/findings.js";
import { allProved, type Proof, type Unproved } from "../prove/proof.js";
import { type SignInJudge, type ProvedUser, signInsOf } from "../prove/sign-ins.js";
import type { SignIns } from "../run/options.js";
import { placeOf } from "../errors/place.js";

/** How the sign-ins are judged. */
interface SignInRules {
  /** The file that names the test users; undefined where they were asked for. */
  readonly file: string | undefined;
  /** `--require-proof`. */
  readonly required: boolean;
}

const AGAIN = "then run the same command again: it goes on where it stopped";

/** The test users, and what is done once the core was asked for them. */
export function judgedSignIns(users: readonly ProvedUser[], rules: SignInRules): SignIns {
  const local = users.map(({ proof }) => proof);
  return signInsOf(users, (proofs) =>
    proofs === null ? unavailable(local, rules) : judge(proofs, rules),
  );
}

/** @throws RunError `proof_failed`, `outage`, `proof_user_existed`, `proof_unavailable` */
function judge(proofs: readonly Proof[], rules: SignInRules): ReturnType<SignInJudge> {
  const failed = proofs.filter((proof) => !proof.ok);
  const existed = failed.filter(({ code }) => code === "user_existed");
  const unanswered = failed.filter(({ code }) => code === "sign_in_failed");
  const wrong = failed.find((one) => !existed.includes(one) && !unanswered.includes(one));
  if (wrong !== undefined) throw proofFailed(proofs, rules.file, wrong);
  const [silent] = unanswered;
  if (silent !== undefined) {
    throw new RunError(
      "outage",
      `No other user was sent: the core couldn't be asked for ${whoseOf(silent, rules.file)}.`,
      { hint: silent.hint },
    );
  }
  const [known] = existed;
  if (known !== undefined && !rules.required) return unproved("proof_user_existed", existed);
  if (known !== undefined) {
    throw new RunError(
      "proof_user_existed",
      `No other user was sent: ${whoseOf(known, rules.file)} was at the core before this migration, so a sign-in proves nothing.`,
      { hint: `${sentence(known.hint)} Take such users out of the test users, ${AGAIN}.` },
    );
  }
  const unasked = proofs.filter(({ signedIn }) => signedIn === null);
  if (unasked.length > 0) return unavailable(unasked, rules);
  return { proved: allProved(proofs), findings: [] };
}

function unproved(code: FindingCode, proofs: readonly Proof[]): ReturnType<SignInJudge> {
  const rows = proofs.flatMap(({ row }) => row ?? []);
  return { proved: false, findings: [finding(code, { count: rows.length, rows })] };
}

/** @throws RunError `proof_unavailable` under `--require-proof` */
function unavailable(proofs: readonly Proof[], { required }: SignInRules): ReturnType<SignInJudge> {
  if (!required) return unproved("proof_unavailable", proofs);
  throw new RunError(
    "proof_unavailable",
    "The core offers no sign-in (POST /recipe/signin), so nothing can be proved there.",
    {
      hint: "Leave out --require-proof, and sign in at the application as a pilot's users (--limit) before you import the rest.",
    },
  );
}

/**
 * That a test user isn't proved, and how many more.
 *
 * @param file names the test users; undefined where they were asked for
 * @param atCore whom the core has refused; undefined for a proof on this machine
 */
export function proofFailed(
  proofs: readonly Proof[],
  file: string | undefined,
  atCore?: Unproved,
): RunError {
  const failed = proofs.filter((proof) => !proof.ok);
  const first = atCore ?? failed[0];
  if (first === undefined) throw new Error("every user was proved");
  const { length: users } = proofs;
  const more = failed.length === 1 ? "" : `, and ${failed.length - 1} more of ${users} failed`;
  const told = (sent: string, where: string): string =>
    `${sent}: ${whoseOf(first, file)} couldn't be proved${where}, ${first.code}${more}.`;
  if (atCore === undefined) {
    return new RunError("proof_failed", told("Nothing was sent", ""), { hint: first.hint });
  }
  const whom = users === 1 ? "the test user" : `the ${users} test users`;
  return new RunError(
    "proof_failed",
    told(`This run has sent no user beside ${whom}`, " at the core"),
    { hint: `${sentence(first.hint)} Mend it, ${AGAIN}.` },
  );
}

/** "user 2 of tests.csv (users.csv, row 7)". */
function whoseOf({ user, row }: Unproved, file: string | undefined): string {
  const of = file === undefined ? "" : ` of ${file}`;
  return `user ${user}${of}${row === null ? "" : ` (${placeOf(row)})`}`;
}
