/** Questions of a run, asked only on a terminal; each has a flag in its place. A signal that stops the run ends its question, too. Those of setup are in setup/. */

import { RunError } from "../errors/run-error.js";
import { openAsker } from "./setup/clack-asker.js";
import type { Terminal } from "./terminal.js";

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
  const asker = await openAsker(terminal.io, { canceled: () => declined(otherwise) });
  return (await asker.prompt({ kind: "secret", message }, false)) || null;
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
  const [done, hint] = DECLINED[what];
  const canceled = (): RunError => declined(hint, done);
  const asker = await openAsker(terminal.io, { signal, canceled });
  const answer = await asker.prompt({ kind: "confirm", message: question }, false);
  if (answer !== "yes") throw canceled();
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

/** What is canceled before anything is done. */
export function declined(hint: string, done = "sent"): RunError {
  return new RunError("confirmation_declined", `Cancelled; nothing was ${done}.`, { hint });
}
