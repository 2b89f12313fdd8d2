/** Questions, asked only where somebody can answer; every one has a flag in its place. The one place that knows @clack/prompts. */

import { RunError } from "../errors/run-error.js";
import type { Terminal } from "./terminal.js";

/** Asks for the remote core's key; null where nobody can answer, or where the core needs none. */
export async function askForApiKey(terminal: Terminal): Promise<string | null> {
  if (!terminal.canPrompt) return null;
  const { isCancel, password } = await import("@clack/prompts");
  const message = "API key of the core (empty if it has none)";
  const answer = await password({ message, output: process.stderr });
  if (isCancel(answer)) throw declined("Give the key by --api-key-file or AUTH_MIGRATE_API_KEY.");
  return answer === undefined || answer === "" ? null : answer;
}

/**
 * Asks once before users are sent to a remote core; goes on unasked where nobody can answer.
 *
 * @throws RunError `confirmation_declined`
 */
export async function confirmImport(terminal: Terminal, question: string): Promise<void> {
  if (!terminal.canPrompt) return;
  const { confirm } = await import("@clack/prompts");
  const answer = await confirm({ message: question, initialValue: false, output: process.stderr });
  if (answer !== true) throw declined("Say yes, or give --yes, to go ahead.");
}

function declined(hint: string): RunError {
  return new RunError("confirmation_declined", "Cancelled; nothing was sent.", { hint });
}
