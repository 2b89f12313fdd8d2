/** The dialogue of a proof, which setup, an import and `prove` have in common: it asks for test users until one is proved, or the operator goes on without. */

import { RunError, sentence } from "../errors/run-error.js";
import { rowText } from "../errors/place.js";
import type { FoundUser } from "../prove/find-users.js";
import type { Proof, ProofCode } from "../prove/proof.js";
import type { LocalProof } from "../prove/prove-test-users.js";
import { cutTo } from "../report/layout.js";
import { printable } from "../report/text.js";
import type { TestUser } from "../source/passwords-file.js";
import type { Question, Talk } from "./setup/asker.js";

/** What a command gives of it. */
interface Asked<P extends LocalProof> {
  /** Test users whose passwords are known. */
  readonly users?: readonly TestUser[];
  /** The row of a user who is named; absent where the proof looks for it itself. */
  find?(name: string): Promise<FoundUser | null>;
  /** @param found the rows of those who were named, in the order of `users` */
  prove(users: readonly TestUser[], found: readonly (FoundUser | null)[]): Promise<P>;
  /** The proof that another user may decide; null where there is none. Absent where work waits for one user who is proved, and may go on without. */
  open?(proofs: readonly Proof[]): Proof | null;
  /** Whether the proof is of the signer key. */
  readonly needsKey: boolean;
  /** That an earlier run has proved another key: without a proof of this one work stops. */
  readonly other?: RunError | null;
  /** What the operator who stops after a proof that failed ends with; absent where that is the proof itself. */
  stopped?(): RunError;
  /** Asks for what may be wrong beside the password; absent where that comes from elsewhere. */
  readonly correct?: { readonly label: string; ask(): Promise<unknown> } | undefined;
}

const WHY = "looks right in every file and locks people out after the move.";
const SHOWS =
  "One user whose password you know shows it; nothing is sent for that, and the password is kept nowhere. Leave the user empty to";
const NO_SCRYPT =
  "That password fits. But the user's hash needs no signer key, and others in the files do: take one whose hash is the vendor's scrypt.";
const USER: Question = {
  kind: "text",
  message: "A user whose password you know: email, phone or id",
};
const GO_ON: Question = { kind: "confirm", message: "Go on without knowing that it works?" };
/** Of a user's name, so that it fits a question. */
const LONGEST = 40;

/** What the latest attempt has shown. */
interface Shown {
  /** That isn't proved yet; null where there was no attempt. */
  open: Proof | null;
  /** What is wrong for certain, of other users than that as well: without a remedy all of them would be locked out. */
  sure: Proof | null;
}

/**
 * Nothing typed while passwords are verified is taken for an answer.
 *
 * @returns null where the operator goes on without
 * @throws RunError `confirmation_declined` where the operator cancels or stops, with what is to be
 *   done about a proof that has failed by then; what `prove` throws
 */
export async function proveByAsking<P extends LocalProof>(
  talk: Talk,
  by: Asked<P>,
): Promise<(P & { readonly users: readonly TestUser[] }) | null> {
  const shown: Shown = { open: null, sure: null };
  try {
    return await askUntilProved(talk, by, shown);
  } catch (error) {
    const isStop = error instanceof RunError && error.code === "confirmation_declined";
    const failed = shown.sure ?? shown.open;
    if (!isStop || failed?.ok !== false || (by.other ?? null) !== null) throw error;
    throw new RunError(error.code, error.message, { hint: failed.hint, cause: error });
  }
}

async function askUntilProved<P extends LocalProof>(
  talk: Talk,
  by: Asked<P>,
  shown: Shown,
): Promise<(P & { readonly users: readonly TestUser[] }) | null> {
  const { correct, needsKey, other = null } = by;
  const mayGoOn = by.open === undefined;
  const users = [...(by.users ?? [])];
  const found: (FoundUser | null)[] = [];
  if (mayGoOn) {
    const wrong = `${needsKey ? "A wrong signer key or a changed" : "A changed"} password ${WHY}`;
    talk.say(
      other === null
        ? `${wrong} ${SHOWS} go on without a proof.`
        : `${sentence(other.message)} One of the two locks its users out. ${SHOWS} stop.`,
    );
  }
  let next = users.length > 0 ? "prove" : "user";
  let local: P | null = null;
  for (;;) {
    if (next === "skip") {
      if (!mayGoOn) return local && { ...local, users };
      if (other !== null && by.stopped !== undefined) throw by.stopped();
      if (shown.sure === null && (await talk.ask(GO_ON, String)) === "yes") return null;
      next = users.length === 0 ? "user" : await askNext(shown, by, talk);
      continue;
    }
    if (next === "user") {
      const named = await talk.ask(USER, (name) => userNamed(name, by));
      if (named === null) {
        next = "skip";
        continue;
      }
      found.push(named.found);
      users.push(await askPassword(named.name, talk));
    }
    const at = (shown.open?.user ?? 0) - 1;
    if (next === "password") users[at] = await askPassword(users[at]?.user ?? "", talk);
    if (next === "key") await correct?.ask();
    const work = (): Promise<P> => by.prove(users, found);
    local = await (next === "prove" ? talk.once(work) : talk.onceUnheard(work));
    const open = mayGoOn ? openAtLast(local.proofs, needsKey) : (by.open?.(local.proofs) ?? null);
    shown.open = open;
    shown.sure = local.proofs.find((one) => !one.ok && SURE.has(one.code)) ?? null;
    if (open === null || !talk.canAsk) {
      const row = local.proofs.at(-1)?.row;
      const whose = row ? rowText(row) : "the user";
      if (mayGoOn) talk.found(`Proved: the password verifies against the hash of ${whose}.`);
      return { ...local, users };
    }
    const lacksKey = !open.ok && open.code === "signer_key_missing" && correct !== undefined;
    if (!lacksKey) talk.warn(open.ok ? NO_SCRYPT : `Not proved (${open.code}).\n${open.hint}`);
    next = lacksKey ? "key" : await askNext(shown, by, talk);
  }
}

/** The last user who was typed decides. */
function openAtLast(proofs: readonly Proof[], needsKey: boolean): Proof | null {
  const last = proofs.at(-1) ?? null;
  const isEnough = last?.ok === true && (!needsKey || last.algorithm === "vendor_scrypt");
  return isEnough ? null : last;
}

async function askPassword(user: string, talk: Talk): Promise<TestUser> {
  const message = `Password of ${cutTo(printable(user), LONGEST)}`;
  return { user, password: await talk.ask({ kind: "secret", message }, nonEmpty) };
}

/** Codes that say of all users' hashes what is wrong. */
const SURE: ReadonlySet<ProofCode> = new Set([
  "wrong_signer_key",
  "wrong_hash_parameters",
  "prehashed",
]);

/** By a failed proof's code, the choice that can settle it; for others another user's password. */
const SETTLED_BY: Readonly<Partial<Record<ProofCode, "password" | "key" | "stop">>> = {
  wrong_password: "password",
  signer_key_missing: "key",
  wrong_signer_key: "key",
  wrong_hash_parameters: "key",
  prehashed: "stop",
};

/**
 * What can settle a failed proof comes first: a wrong key no password does. Nobody is asked to go on
 * with one.
 *
 * @throws RunError where the operator stops
 */
async function askNext(
  { open, sure }: Shown,
  { correct, stopped, other = null }: Pick<Asked<LocalProof>, "correct" | "stopped" | "other">,
  talk: Talk,
): Promise<string> {
  const leave =
    stopped === undefined
      ? [{ value: "skip", label: "End with this result" }]
      : [
          ...(other === null && sure === null
            ? [{ value: "skip", label: "Go on without a proof" }]
            : []),
          { value: "stop", label: "Stop: nothing is sent" },
        ];
  const all = [
    { value: "password", label: "Type this user's password again" },
    { value: "user", label: "Try another user, too" },
    ...(correct === undefined ? [] : [{ value: "key", label: correct.label }]),
    ...leave,
  ];
  const failed = sure ?? open;
  const by = (failed?.ok === false ? SETTLED_BY[failed.code] : undefined) ?? "user";
  const first = all.find(({ value }) => value === by) ?? leave.at(-1);
  const choices = all.toSorted((one, next) => Number(next === first) - Number(one === first));
  const question = { kind: "choose", message: "And now?", choices } as const;
  const next = await talk.ask(question, String);
  if (next === "stop" && stopped !== undefined) throw stopped();
  return next;
}

/** @returns null for nobody @throws RunError `usage` */
async function userNamed(
  name: string,
  { find, open }: Pick<Asked<LocalProof>, "find" | "open">,
): Promise<{ readonly name: string; readonly found: FoundUser | null } | null> {
  if (name === "" && open === undefined) return null;
  if (find === undefined) return { name: nonEmpty(name), found: null };
  const found = await find(name);
  if (found !== null) return { name, found };
  throw new RunError("usage", "No row of the files is this user's", {
    hint: "Write the email, phone or id as the export does.",
  });
}

/** @throws RunError `usage` */
function nonEmpty(text: string): string {
  if (text !== "") return text;
  throw new RunError("usage", "That has no characters", { hint: "Type it again." });
}
