/** Questions of a run, asked only on a terminal; each has a flag in its place. A signal that stops the run ends its question, too. Those of setup are in setup/. */

import { setImmediate } from "node:timers/promises";
import type * as Clack from "@clack/prompts";
import { RunError } from "../errors/run-error.js";
import { hashParameterFlaw } from "../hash/hash-config.js";
import type { TestUser } from "../source/passwords-file.js";
import type { Io } from "./io.js";
import type { Terminal } from "./terminal.js";
import { printable } from "../report/text.js";

/** How setup and runs ask for a user to prove. */
export const USER_QUESTION = "A user whose password you know: email, phone or id";

/**
 * Asks for a key or a password that may not be needed.
 *
 * @param otherwise how it is given where nobody asks
 * @returns null where it isn't needed, and where no terminal is there to ask at
 * @throws RunError `confirmation_declined`
 */
export async function askForSecret(
  terminal: Pick<Terminal, "canPrompt" | "io">,
  message: string,
  otherwise: string,
): Promise<string | null> {
  if (!terminal.canPrompt) return null;
  const answer = await askHidden(terminal, { message });
  if (answer === null) throw declined(otherwise);
  return answer === "" ? null : answer;
}

/**
 * Asks one question.
 *
 * @param signal ends the question as it ends the run that asks it
 * @returns null where the operator cancels
 * @throws the signal's reason
 */
async function answerOf<Answer>(
  { io }: Pick<Terminal, "io">,
  signal: AbortSignal | undefined,
  question: (
    clack: typeof Clack,
    at: Pick<Clack.PasswordOptions, "input" | "output" | "signal">,
  ) => Promise<Answer>,
): Promise<Exclude<Answer, symbol> | null> {
  const clack = await import("@clack/prompts");
  const { stdin: input, stderr: output } = io;
  const answer = await question(clack, { input, output, ...(signal && { signal }) });
  signal?.throwIfAborted();
  return clack.isCancel(answer) ? null : (answer as Exclude<Answer, symbol>);
}

/** It shows not even its length. */
async function askHidden(
  terminal: Pick<Terminal, "io">,
  options: Pick<Clack.PasswordOptions, "message" | "validate">,
  signal?: AbortSignal,
): Promise<string | null> {
  return answerOf(terminal, signal, async ({ password }, at) => {
    const answer = await password({ ...options, mask: "", ...at });
    return answer ?? "";
  });
}

/** What isn't done where the operator says no, and the way on. */
const DECLINED = {
  import: ["sent", "Say yes, or give --yes, to go ahead."],
  removal: ["removed", "Say yes, or give --yes, to remove it."],
  cutover: [
    "recorded",
    "Run the same import again first. Say yes, or give --yes, to cut over without them.",
  ],
} as const;

/**
 * Asks before users are sent to a core or what is there is removed, or before a cut-over that leaves
 * users behind.
 *
 * @throws RunError `confirmation_declined`; the signal's reason
 */
export async function confirm(
  what: keyof typeof DECLINED,
  terminal: Pick<Terminal, "io">,
  question: string,
  signal?: AbortSignal,
): Promise<void> {
  if (await isAgreed(terminal, question, { signal })) return;
  const [done, hint] = DECLINED[what];
  throw declined(hint, done);
}

/**
 * Holds that a removal can be agreed to.
 *
 * @param look the command that shows what is to be removed
 * @throws RunError `usage`
 */
export function requireAgreeable(path: string, look: string, mayGoOn: boolean): void {
  if (mayGoOn) return;
  throw new RunError("usage", `No terminal is there to ask whether ${path} is to be removed.`, {
    hint: `Give --yes, or look at it first: ${look}`,
  });
}

/** @param how `initialValue`: the answer that stands there already, no by default */
async function isAgreed(
  terminal: Pick<Terminal, "io">,
  message: string,
  how: { readonly signal?: AbortSignal | undefined; readonly initialValue?: boolean } = {},
): Promise<boolean> {
  const { signal, initialValue = false } = how;
  const answer = await answerOf(terminal, signal, (one, at) =>
    one.confirm({ message, initialValue, ...at }),
  );
  return answer === true;
}

/**
 * Asks for a test user and the password, which isn't shown.
 *
 * @param user known already; asked for where null
 * @throws RunError `confirmation_declined`; the signal's reason
 */
export async function askForTestUser(
  user: string | null,
  terminal: Terminal,
  signal?: AbortSignal,
): Promise<TestUser> {
  const message = USER_QUESTION;
  const name =
    user ?? (await answerOf(terminal, signal, (one, at) => one.text({ message, ...at })));
  if (!name) throw declined("Name a user with --user.");
  const asked = { message: `Password of ${printable(name)}` };
  const answer = await askHidden(terminal, asked, signal);
  if (!answer) throw declined("Give passwords by --passwords FILE.");
  return { user: name, password: answer };
}

/**
 * Asks for the vendor's signer key, which isn't shown.
 *
 * @throws RunError `confirmation_declined`; the signal's reason
 */
export async function askForSignerKey(terminal: Terminal, signal: AbortSignal): Promise<string> {
  const question = {
    message: "The vendor's signer key, base64_signer_key (it is used here alone)",
    validate: (text = "") => hashParameterFlaw("base64_signer_key", text.trim()) ?? undefined,
  };
  const answer = await askHidden(terminal, question, signal);
  if (answer === null) throw declined("Give the key by --hash-config FILE.");
  return answer.trim();
}

/** Asks whether to prove with one more user. */
export function confirmSecondUser(
  terminal: Terminal,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const question = "Prove with a second user, to tell a wrong password from a wrong key?";
  return isAgreed(terminal, question, { signal, initialValue: true });
}

/**
 * Asks what to do about hashes of which nothing is proved.
 *
 * @returns whether to prove now; false to go on without
 * @throws RunError `confirmation_declined`; the signal's reason
 */
export async function chooseToProve(
  message: string,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<boolean> {
  const options = [
    { value: "prove", label: "prove it now with one user's password" },
    { value: "go_on", label: "go on without a proof" },
    { value: "cancel", label: "cancel" },
  ];
  const answer = await answerOf(terminal, signal, ({ select }, at) =>
    select({ message, options, ...at }),
  );
  if (answer === "prove" || answer === "go_on") return answer === "prove";
  throw declined("Prove with --prove FILE, or give --yes to go on without a proof.");
}

/** A terminal that hands out each key. */
interface Keys {
  setRawMode?(raw: boolean): unknown;
}

/** What is typed during `work`, such as a password once more, is neither shown nor an answer to what comes. Ctrl-C stops as it does elsewhere. */
export async function unheard<Result>(
  { stdin, leaveBy }: Pick<Io, "stdin" | "leaveBy">,
  work: () => Promise<Result>,
): Promise<Result> {
  const keys: Io["stdin"] & Keys = stdin;
  if (keys.isTTY !== true || keys.setRawMode === undefined) return work();
  const onKeys = (typed: Buffer): void => {
    if (!typed.includes("\u0003")) return;
    keys.setRawMode?.(false);
    leaveBy("SIGINT");
  };
  keys.setRawMode(true);
  // A question before has paused it.
  keys.on("data", onKeys).resume();
  try {
    const result = await work();
    // What was typed while a hash kept this thread busy comes now.
    await setImmediate();
    return result;
  } finally {
    keys.off("data", onKeys).pause();
    keys.setRawMode(false);
  }
}

function declined(hint: string, done = "sent"): RunError {
  return new RunError("confirmation_declined", `Cancelled; nothing was ${done}.`, { hint });
}
