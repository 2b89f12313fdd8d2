/** A proof as text for people: a line for each test user, and what it means. Users are named by their number alone. */

import type { ImportSummary } from "../events/summary.js";
import type { Proof } from "../prove/proof.js";
import { count } from "./text.js";
import { coreText } from "./summary-text.js";
import { placeOf } from "../errors/place.js";

/** The lines of each user, the hint below where the proof failed. */
export function proofLines(proofs: readonly Proof[]): string[] {
  return proofs.flatMap((proof) => {
    const { user, row, steps } = proof;
    const where = row === null ? "in no row" : placeOf(row);
    const head = `  user ${String(user).padEnd(3)} ${proof.ok ? "proved" : "FAILED"}   ${where}`;
    if (!proof.ok) return [`${head}   ${proof.code}`, `      ${proof.hint}`];
    const how = [proof.algorithm, ...steps].join(", ");
    const signIn = proof.signedIn ? "; signs in at the core, and not with a wrong password" : "";
    return [`${head}   ${how}${signIn}`];
  });
}

/**
 * The conclusion; what matters most comes last.
 *
 * @param next how the import begins, in lines
 */
export function proofVerdict(
  proofs: readonly Proof[],
  { core, next }: { readonly core: ImportSummary["core"] | null; readonly next: readonly string[] },
): string[] {
  const failed = proofs.filter(({ ok }) => !ok).length;
  if (failed > 0) {
    const sent = core === null ? "; nothing was sent" : "";
    return [`Not proved: ${failed} of ${count(proofs.length, "user")} failed${sent}.`];
  }
  const verified = `the ${proofs.length === 1 ? "password verifies" : `${proofs.length} passwords verify`}`;
  const asked = core !== null && proofs.every(({ signedIn }) => signedIn === true);
  if (asked) return [`Proved: ${verified} here and at ${coreText(core)}.`, ...next];
  const unasked =
    core === null ? [] : [`${capital(coreText(core))} offers no sign-in that could be tried.`];
  return [`Proved: ${verified} against what would be sent.`, ...unasked, ...next];
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
