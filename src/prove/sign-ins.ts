/** Imports test users who were proved here, and no others, signs in at the core as each of them, and says what its answers mean. */

import { randomBytes } from "node:crypto";
import { CoreFailure, unlessNotOffered } from "../core/core-failure.js";
import type { SignInOutcome } from "../core/core.js";
import { DIALECTS } from "../core/dialect.js";
import { originText } from "../errors/place.js";
import type { RowEvent } from "../events/events.js";
import type { ImportSummary } from "../events/summary.js";
import type { GivenImport } from "../run/defaults.js";
import { importUsers } from "../run/import-users.js";
import type { Ending, SignInContext, SignIns, SignInVerdict } from "../run/options.js";
import type { Input } from "../source/inputs.js";
import type { SourceItem } from "../source/source.js";
import type { TestUser } from "../source/passwords-file.js";
import type { FoundUser } from "./find-users.js";
import { coreSignerKey, HINTS, importFailed, signInFailed } from "./hints.js";
import type { Proof, Proved, Reason } from "./proof.js";

/** A user who was proved here, with what a sign-in takes. */
export interface ProvedUser {
  readonly proof: Proved;
  readonly found: FoundUser;
  readonly password: string;
}

/** What the sign-ins of one user showed. */
type Answer = "right" | "refused" | "takes_anything" | "not_offered" | CoreFailure;

/** A user with all that was found out. */
interface Checked {
  readonly user: ProvedUser;
  readonly ending: Ending;
  readonly answer: Answer | null;
}

/** The password of no user: what a core must refuse. */
const WRONG_PASSWORD_BYTES = 24;
/** The address of no user: reserved by RFC 2606. */
const UNKNOWN_USER = "auth-migrate-probe@example.invalid";
const BEYOND_ASCII = /[^\0-\x7f]/;

/**
 * The test users who were proved here, with their rows and passwords. Users whose hash the bridge
 * verifies are left out: they can't sign in at the core yet.
 *
 * @param local the proof of these users, as `proveTestUsers` makes it
 */
export function provedUsers(
  users: readonly TestUser[],
  local: { readonly proofs: readonly Proof[]; readonly found: readonly (FoundUser | null)[] },
): ProvedUser[] {
  const { proofs, found } = local;
  return proofs.flatMap((proof, index) => {
    const [user, row] = [users[index], found[index]];
    return user === undefined || !row || !proof.ok || proof.bridged
      ? []
      : [{ proof, found: row, password: user.password }];
  });
}

/** Judges what the sign-ins of all test users showed; null where the core offers none. What it throws ends the run. */
export type SignInJudge = (proofs: readonly Proof[] | null) => Omit<SignInVerdict, "signedIn">;

/** Test users for an import that asks the core for them before it sends any other user. */
export function signInsOf(users: readonly ProvedUser[], judge: SignInJudge): SignIns {
  return {
    rows: users.map(({ found }) => found.row),
    isOffered: offersSignIn,
    async conclude(endings, context) {
      if (endings === null) return { ...judge(null), signedIn: 0 };
      const proofs = await signInAll(users, endings, context);
      const signedIn = proofs.filter((proof) => proof.ok && proof.signedIn === true).length;
      return { ...judge(proofs), signedIn };
    },
  };
}

/**
 * Whether a core has a sign-in that can be asked. Asks under an address of no user, so nothing is changed.
 *
 * @throws RunError as `Caller.call`
 */
async function offersSignIn(context: SignInContext): Promise<boolean> {
  return (await attempt(context, UNKNOWN_USER, randomPassword())) !== "not_offered";
}

/**
 * Signs in as each user with the right password, which must do, and with another one, which must not.
 *
 * @param endings what the import of each came to
 * @returns one proof for each user, in order
 * @throws RunError as `Caller.call`; the signal's reason where it was aborted
 */
async function signInAll(
  users: readonly ProvedUser[],
  endings: readonly Ending[],
  context: SignInContext,
): Promise<Proof[]> {
  const checked: Checked[] = [];
  for (const [index, user] of users.entries()) {
    context.signal.throwIfAborted();
    // The safe side: of an existing user nothing is proved.
    const ending = endings[index] ?? "existed";
    const answer = typeof ending === "string" ? await signIn(context, user) : null;
    checked.push({ user, ending, answer });
  }
  const { target } = context.core;
  const dialect = (target.kind === "remote" && target.dialect) || DIALECTS.interface.name;
  const keyField = DIALECTS[dialect].signerKeyField;
  return checked.map((one) => conclude(one, checked, keyField));
}

async function signIn(context: SignInContext, user: ProvedUser): Promise<Answer> {
  const email = user.found.record.email?.value ?? "";
  const right = await attempt(context, email, user.password);
  if (right !== "OK") return right === "WRONG_CREDENTIALS_ERROR" ? "refused" : right;
  const wrong = await attempt(context, email, randomPassword());
  if (wrong === "OK") return "takes_anything";
  return wrong === "WRONG_CREDENTIALS_ERROR" ? "right" : wrong;
}

async function attempt(
  { core, caller }: SignInContext,
  email: string,
  password: string,
): Promise<SignInOutcome["status"] | "not_offered" | CoreFailure> {
  const signIn = () => core.signIn({ email, password }).then(({ status }) => status);
  // A sign-in may be repeated, as a lookup may.
  const result = await caller.call("lookup", () =>
    unlessNotOffered(signIn, "not_offered" as const),
  );
  return result.ok ? result.value : result.failure;
}

function randomPassword(): string {
  return randomBytes(WRONG_PASSWORD_BYTES).toString("base64url");
}

function conclude(one: Checked, all: readonly Checked[], keyField: string): Proof {
  const { user, ending, answer } = one;
  const { proof } = user;
  if (typeof ending !== "string") {
    // A user whom the core didn't answer for may be taken the next time.
    const code = ending.type === "failure" ? "sign_in_failed" : "import_failed";
    return { ...proof, ok: false, code, hint: importFailed(ending.code, ending.hint) };
  }
  if (answer instanceof CoreFailure) {
    return { ...proof, ok: false, code: "sign_in_failed", hint: signInFailed(answer.message) };
  }
  if (answer === "takes_anything") {
    const code = "wrong_password_accepted";
    return { ...proof, ok: false, signedIn: true, code, hint: HINTS[code] };
  }
  if (answer === "refused") {
    return { ...proof, ok: false, signedIn: false, ...whyRefused(one, all, keyField) };
  }
  const signedIn = answer === "right" ? true : null;
  return ending === "brought"
    ? { ...proof, signedIn }
    : { ...proof, ok: false, signedIn, code: "user_existed", hint: HINTS.user_existed };
}

/** A wrong key keeps every scrypt user out and no other; an encoding only those whom it changes. */
function whyRefused(one: Checked, all: readonly Checked[], keyField: string): Reason {
  const signerKey: Reason = { code: "core_signer_key", hint: coreSignerKey(keyField) };
  const keyIsRight = all.some((other) => isScrypt(other.user) && other.answer === "right");
  const mayBeKey = isScrypt(one.user) && !keyIsRight;
  if (one.ending === "existed") {
    // One's own password may be another one there; beside others who sign in it is no accident.
    const othersSignIn = all.some(({ answer }) => answer === "right");
    return mayBeKey && othersSignIn
      ? signerKey
      : { code: "user_existed", hint: HINTS.user_existed_refused };
  }
  const keyAtFault = all.some(
    (other) => isScrypt(other.user) && other.answer === "refused" && !isBeyondAscii(other),
  );
  if (isScrypt(one.user) && isBeyondAscii(one) && (keyIsRight || !keyAtFault)) {
    return { code: "core_password_encoding", hint: HINTS.core_password_encoding };
  }
  return mayBeKey ? signerKey : { code: "sign_in_refused", hint: HINTS.sign_in_refused };
}

function isScrypt({ proof }: ProvedUser): boolean {
  return proof.algorithm === "vendor_scrypt";
}

function isBeyondAscii({ user }: Checked): boolean {
  return BEYOND_ASCII.test(user.password);
}

/** What came of it. */
export interface CoreProof {
  readonly proofs: readonly Proof[];
  /** The import of these users alone. */
  readonly summary: ImportSummary;
}

/**
 * Imports the users' rows alone, by the import's own policy and checkpoint: a later import finds them
 * unchanged. Then each must be able to sign in with the password, and not with another one.
 *
 * @param options as for the import of all rows; its `onEvent` and `beforeBulk` are told nothing
 * @throws RunError as {@link importUsers} does; the signal's reason where it was aborted
 */
export async function proveAtCore(
  users: readonly ProvedUser[],
  options: GivenImport,
): Promise<CoreProof> {
  let atCore: readonly Proof[] | null = null;
  const untaken: RowEvent[] = [];
  const inputs = options.inputs.flatMap((input) => foundIn(input, users));
  const summary = await importUsers({
    ...options,
    proof: true,
    // A core takes the hash of each of them.
    vault: options.vault ?? null,
    inputs,
    // They were found with their hashes.
    passwordExport: undefined,
    beforeBulk: async () => ({
      fitted: users.map(({ proof }) => proof),
      signIns: signInsOf(users, (proofs) => {
        atCore = proofs;
        const haveSignedIn = proofs?.every(({ ok, signedIn }) => ok && signedIn === true);
        return { proved: haveSignedIn ?? false, findings: [] };
      }),
    }),
    onEvent: (event) => {
      if ("row" in event) untaken.push(event);
    },
  });
  options.signal?.throwIfAborted();
  const proofs = atCore ?? users.map((user) => unasked(user, untaken));
  return { proofs, summary };
}

/** An input of the users' rows alone, as they were found: it isn't read again. None without such a row. */
function foundIn(input: Input, users: readonly ProvedUser[]): Input[] {
  const items = new Map<number, SourceItem>();
  for (const { found } of users) {
    const { row, record } = found;
    const origin = row.origin && originText(row);
    if (row.file === input.path) items.set(row.number, { kind: "record", ...row, origin, record });
  }
  if (items.size === 0) return [];
  const sorted = [...items.values()].sort((one, other) => one.number - other.number);
  return [
    {
      ...input,
      read: async function* () {
        yield sorted;
      },
    },
  ];
}

/** The proof at a core without a sign-in: this machine's own, unless the user's import failed. */
function unasked({ proof, found: { row } }: ProvedUser, untaken: readonly RowEvent[]): Proof {
  const event = untaken.find((one) => one.row.file === row.file && one.row.number === row.number);
  if (event === undefined) return proof;
  const hint = importFailed(event.code, event.hint);
  return { ...proof, ok: false, code: "import_failed", hint };
}
