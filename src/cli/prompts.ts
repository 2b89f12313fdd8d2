/** Questions of a run, asked only on a terminal; each has a flag in its place. Those of setup are in setup/. */

import type { PasswordOptions } from "@clack/prompts";
import { RunError } from "../errors/run-error.js";
import { hashParameterFlaw } from "../hash/hash-config.js";
import type { TestUser } from "../source/passwords-file.js";
import type { Terminal } from "./terminal.js";
import { printable } from "../report/text.js";

/** How setup and runs ask for a user to prove. */
export const USER_QUESTION = "A user whose password you know: email, phone or id";

/** Asks for the remote core's key; null without a terminal, or where the core needs none. */
export async function askForApiKey(terminal: Terminal): Promise<string | null> {
  if (!terminal.canPrompt) return null;
  const answer = await askHidden(terminal, {
    message: "API key of the core (empty if it has none)",
  });
  if (answer === null) throw declined("Give the key by --api-key-file or AUTH_MIGRATE_API_KEY.");
  return answer === "" ? null : answer;
}

/** @returns null where the operator cancels */
async function askHidden(
  { io }: Terminal,
  options: Pick<PasswordOptions, "message" | "validate">,
): Promise<string | null> {
  const { isCancel, password } = await import("@clack/prompts");
  // It shows not even its length.
  const answer = await password({ ...options, mask: "", output: io.stderr });
  return isCancel(answer) ? null : (answer ?? "");
}

/**
 * Asks once before users are sent to a remote core; goes on unasked without a terminal.
 *
 * @throws RunError `confirmation_declined`
 */
export async function confirmImport(terminal: Terminal, question: string): Promise<void> {
  if (!terminal.canPrompt || (await isAgreed(terminal, question))) return;
  throw declined("Say yes, or give --yes, to go ahead.");
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
    hint: `Look at it with ${look}, then give --yes.`,
  });
}

/**
 * Asks before a checkpoint or a vault is removed.
 *
 * @throws RunError `confirmation_declined`
 */
export async function confirmPurge(terminal: Terminal, question: string): Promise<void> {
  if (await isAgreed(terminal, question)) return;
  throw new RunError("confirmation_declined", "Cancelled; nothing was removed.", {
    hint: "Say yes, or give --yes, to remove it.",
  });
}

/** @param initialValue the answer that stands there already */
async function isAgreed(
  terminal: Terminal,
  message: string,
  initialValue = false,
): Promise<boolean> {
  const { confirm } = await import("@clack/prompts");
  return (await confirm({ message, initialValue, output: terminal.io.stderr })) === true;
}

/**
 * Asks for a test user and the password, which isn't shown.
 *
 * @param user known already; asked for where null
 * @throws RunError `confirmation_declined`
 */
export async function askForTestUser(user: string | null, terminal: Terminal): Promise<TestUser> {
  const { isCancel, text } = await import("@clack/prompts");
  const name = user ?? (await text({ message: USER_QUESTION, output: terminal.io.stderr }));
  if (isCancel(name) || !name) throw declined("Name a user with --user.");
  const answer = await askHidden(terminal, { message: `Password of ${printable(name)}` });
  if (!answer) throw declined("Give passwords by --passwords FILE.");
  return { user: name, password: answer };
}

/**
 * Asks for the vendor's signer key, which isn't shown.
 *
 * @throws RunError `confirmation_declined`
 */
export async function askForSignerKey(terminal: Terminal): Promise<string> {
  const answer = await askHidden(terminal, {
    message: "The vendor's signer key, base64_signer_key (it is used here alone)",
    validate: (text = "") => hashParameterFlaw("base64_signer_key", text.trim()) ?? undefined,
  });
  if (answer === null) throw declined("Give the key by --hash-config FILE.");
  return answer.trim();
}

/** Asks whether to prove with one more user. */
export function confirmSecondUser(terminal: Terminal): Promise<boolean> {
  return isAgreed(
    terminal,
    "Prove with a second user, to tell a wrong password from a wrong key?",
    true,
  );
}

/**
 * Asks what to do about hashes of which nothing is proved.
 *
 * @returns whether to prove now; false to go on without
 * @throws RunError `confirmation_declined`
 */
export async function chooseToProve(message: string, terminal: Terminal): Promise<boolean> {
  const { select } = await import("@clack/prompts");
  const options = [
    { value: "prove", label: "prove it now with one user's password" },
    { value: "go_on", label: "go on without a proof" },
    { value: "cancel", label: "cancel" },
  ];
  const answer = await select({ message, options, output: terminal.io.stderr });
  if (answer === "prove" || answer === "go_on") return answer === "prove";
  throw declined("Prove with --prove FILE, or give --yes to go on without a proof.");
}

function declined(hint: string): RunError {
  return new RunError("confirmation_declined", "Cancelled; nothing was sent.", { hint });
}
