/** A proof as text for people: a line for each test user, and what it means. Users are named by their number alone. */

import type { ImportSummary } from "../events/summary.js";
import type { HashKinds, Proof } from "../prove/proof.js";
import type { ProvedUsers } from "../events/standing.js";
import { hanging } from "./layout.js";
import { provedText, untriedTexts } from "./results.js";
import { count, grouped } from "./text.js";
import { coreText } from "./summary-text.js";
import { placeOf } from "../errors/place.js";

/** The lines of each user, the hint below where the proof failed. */
export function proofLines(proofs: readonly Proof[], columns: number | null): string[] {
  return proofs.flatMap((proof) => {
    const { user, row, steps } = proof;
    const where = row === null ? "in no row" : placeOf(row);
    const head = `  user ${String(user).padEnd(3)} ${proof.ok ? "proved" : "FAILED"}   ${where}`;
    if (!proof.ok) return [`${head}   ${proof.code}`, `      ${proof.hint}`];
    const how = [proof.algorithm, ...steps].join(", ");
    const signIn = proof.signedIn ? "; signs in at the core, and not with a wrong password" : "";
    return hanging(`${head}   `, `${how}${signIn}`, columns ?? Infinity);
  });
}

interface Concluding {
  /** Null where none was asked. */
  readonly core: ImportSummary["core"] | null;
  /** Whose passwords verify. */
  readonly users: ProvedUsers;
  /** What the files have beside the kinds of hashes that were proved. */
  readonly untried: HashKinds;
  /** Whether there are rows that the import may reject. */
  readonly rejects: boolean;
  /** How the import begins, in lines. */
  readonly next: readonly string[];
}

/** The conclusion; what matters most comes last. It names no import while a signer key isn't proved. */
export function proofVerdict(
  proofs: readonly Proof[],
  { core, users, untried, rejects, next }: Concluding,
): string[] {
  const failed = proofs.filter(({ ok }) => !ok).length;
  if (failed > 0) {
    const isBridges = proofs.some((proof) => !proof.ok && proof.fitsBridge === true);
    const option = isBridges ? " with --on-unusable-hash bridge" : "";
    const sent = core === null ? " Nothing was sent by this." : "";
    return [
      `Not proved: ${failed} of ${count(proofs.length, "user")} failed.${sent}`,
      `Do what is said above, then run the same command again${option}.`,
    ];
  }
  const asked =
    core !== null && proofs.every((one) => one.ok && (one.bridged || one.signedIn === true));
  const { vendor_scrypt: keyed = 0 } = untried;
  const left = rejects ? ["An import may reject some rows: validate says which, and why."] : [];
  const key = `Not proved: the signer key, which vendor_scrypt hashes need (${grouped(keyed)}). Add a test user with such a hash, and run the same command again.`;
  const further = [...left, ...untriedTexts({ untried }), ...(keyed === 0 ? next : [key])];
  if (asked) return [provedText(users, `here and at ${coreText(core)}`), ...further];
  const unasked =
    core === null ? [] : [`No sign-in could be tried at ${coreText(core)}, which offers none.`];
  return [provedText(users), ...unasked, ...further];
}
