/** The second half of a proof: imports exactly the users who were proved here, as any import does, and signs in as each of them. It proves nobody whom the first half didn't. */

import { randomBytes } from "node:crypto";
import { CoreFailure } from "../../core/core-failure.js";
import type { Core, SignInOutcome } from "../../core/core.js";
import { type Caller, createCaller } from "../caller.js";
import type { GivenImport } from "../defaults.js";
import type { ImportSummary, RowEvent, RowRef } from "../events.js";
import { importUsers } from "../import-users.js";
import { createTally } from "../tally.js";
import { SYSTEM_TIMING } from "../timing.js";
import type { FoundUser } from "./find-users.js";
import { HINTS, importFailed, signInFailed } from "./hints.js";
import { onlyRows } from "./only-rows.js";
import type { Proof, Proved, Reason } from "./proof.js";

/** A user who was proved here, with what a sign-in takes. */
export interface ProvedUser {
  readonly proof: Proved;
  readonly found: FoundUser;
  readonly password: string;
}

/** What came of it. */
export interface CoreProof {
  readonly proofs: readonly Proof[];
  /** The import of these users alone. */
  readonly summary: ImportSummary;
}

/** What the sign-ins of one user showed. */
type SignIns = "right" | "refused" | "takes_anything" | "not_offered" | CoreFailure;

/** Nobody's password: what a core must refuse. */
const WRONG_PASSWORD_BYTES = 24;
const BEYOND_ASCII = /[^\0-\x7f]/;

/**
 * Imports the users' rows and no others, by the import's own policy and checkpoint, so that a later
 * import finds them unchanged. Then each must be able to sign in with the password, and not with
 * another one.
 *
 * @param options as for the import of all rows; its `onEvent` is told nothing
 * @throws RunError as {@link importUsers} does; the signal's reason where it was aborted
 */
export async function proveAtCore(
  users: readonly ProvedUser[],
  options: GivenImport,
): Promise<CoreProof> {
  const { core, timing = SYSTEM_TIMING } = options;
  const signal = options.signal ?? new AbortController().signal;
  const untaken = new Map<string, RowEvent>();
  const rows = users.map(({ found }) => found.row);
  const summary = await importUsers({
    ...options,
    inputs: onlyRows(options.inputs, rows),
    onEvent: (event) => {
      if ("row" in event) untaken.set(keyOf(event.row), event);
    },
  });
  signal.throwIfAborted();
  const caller = createCaller(createTally(), timing, signal, {
    rate: options.rate,
    outageBudgetMs: options.outageBudgetMs,
    probe: () => core.probe(),
  });
  const checked: { user: ProvedUser; answer: RowEvent | SignIns }[] = [];
  for (const user of users) {
    const answer = untaken.get(keyOf(user.found.row)) ?? (await signIn(core, caller, user));
    signal.throwIfAborted();
    checked.push({ user, answer });
  }
  // A wrong key keeps everybody out, an encoding only those whom it changes.
  const keyAtFault = checked.some(
    ({ user, answer }) => answer === "refused" && isScrypt(user) && !isBeyondAscii(user),
  );
  const context = { keyAtFault, someExisted: summary.existed > 0 };
  return { proofs: checked.map(({ user, answer }) => conclude(user, answer, context)), summary };
}

async function signIn(core: Core, caller: Caller, user: ProvedUser): Promise<SignIns> {
  const email = user.found.record.email?.value ?? "";
  const attempt = async (password: string): Promise<SignInOutcome["status"] | "not_offered"> => {
    try {
      return (await core.signIn({ email, password })).status;
    } catch (error) {
      if (error instanceof CoreFailure && error.kind === "not_offered") return "not_offered";
      throw error;
    }
  };
  // As a look-up, a sign-in may be repeated.
  const right = await caller.call("lookup", () => attempt(user.password));
  if (!right.ok) return right.failure;
  if (right.value === "not_offered") return "not_offered";
  if (right.value !== "OK") return "refused";
  const nobodys = randomBytes(WRONG_PASSWORD_BYTES).toString("base64url");
  const wrong = await caller.call("lookup", () => attempt(nobodys));
  if (!wrong.ok) return wrong.failure;
  return wrong.value === "OK" ? "takes_anything" : "right";
}

function conclude(
  user: ProvedUser,
  answer: RowEvent | SignIns,
  context: { readonly keyAtFault: boolean; readonly someExisted: boolean },
): Proof {
  const { proof } = user;
  if (answer === "right") return { ...proof, signedIn: true };
  if (answer === "not_offered") return proof;
  if (answer === "takes_anything") {
    const hint = HINTS.wrong_password_accepted;
    return { ...proof, ok: false, signedIn: true, code: "wrong_password_accepted", hint };
  }
  if (answer === "refused") {
    return { ...proof, ok: false, signedIn: false, ...whyRefused(user, context) };
  }
  if (answer instanceof CoreFailure) {
    const hint = signInFailed(answer.message);
    return { ...proof, ok: false, code: "sign_in_failed", hint };
  }
  return {
    ...proof,
    ok: false,
    code: "import_failed",
    hint: importFailed(answer.code, answer.hint),
  };
}

function whyRefused(
  user: ProvedUser,
  { keyAtFault, someExisted }: { readonly keyAtFault: boolean; readonly someExisted: boolean },
): Reason {
  if (someExisted) return { code: "sign_in_refused", hint: HINTS.sign_in_refused_existed };
  if (!isScrypt(user)) return { code: "sign_in_refused", hint: HINTS.sign_in_refused };
  return isBeyondAscii(user) && !keyAtFault
    ? { code: "core_password_encoding", hint: HINTS.core_password_encoding }
    : { code: "core_signer_key", hint: HINTS.core_signer_key };
}

function isScrypt({ proof }: ProvedUser): boolean {
  return proof.algorithm === "vendor_scrypt";
}

function isBeyondAscii({ password }: ProvedUser): boolean {
  return BEYOND_ASCII.test(password);
}

function keyOf({ file, number }: RowRef): string {
  return `${number} ${file}`;
}
