/** Exit codes: what each means, and which one a run ends with. */

import type { ShardsProof } from "../checkpoint/prove-shards.js";
import { hanging } from "../report/layout.js";
import { allowedRejects, type RejectAllowance } from "../run/reject-allowance.js";

/** What each exit code means, for the help and the docs. */
export const EXIT_CODES = {
  0: "done; rejects, if any, within --accept-rejects",
  1: "a bug in auth-migrate",
  2: "wrong usage",
  65: "finished, but with rejects, no user migrated, other users than expected, an input cut off before its end, users not sent yet, or differences",
  66: "an input, checkpoint or database is missing, unreadable, changed while it was read, without any user, not what it should be, or of another core",
  69: "the core, its database or the port is unusable or incompatible, or refuses everything",
  74: "the disk is full, read-only or broken, or the database is",
  75: "run the same command again: some users failed, an outage, a deadline, too many open files, too little memory, or another run holds the lock",
  77: "the core refuses the API key, or the database the login",
  78: "configuration: a file, the hash parameters, a key, or a failed or missing proof",
  129: "the terminal was closed, progress saved",
  130: "interrupted by Ctrl-C, progress saved",
  143: "terminated, progress saved",
} as const;

export type ExitCode = keyof typeof EXIT_CODES;

/** What decides the exit code of a run that came to its end. */
interface Ending {
  readonly read: number;
  /** Rows without those of objects that are no users. */
  readonly users: number;
  readonly rejected: number;
  /** Users that failed for now; of a dry run those who couldn't be looked up. */
  readonly failed: number;
  /** True of a dry run where the import would stop with 65. */
  readonly wouldStop: boolean;
  readonly truncated: readonly string[];
  /** True where users were read and none of them is at the core for it. */
  readonly isNobody: boolean;
}

/** The exit code of a run that came to its end: failures first, since running again mends them. */
export function exitCodeOfEnding(
  ending: Ending,
  expectations: { readonly acceptRejects: RejectAllowance; readonly expectUsers: number | null },
): ExitCode {
  const { acceptRejects, expectUsers } = expectations;
  if (ending.failed > 0) return 75;
  const { truncated, isNobody, wouldStop } = ending;
  if (truncated.length > 0 || isNobody || wouldStop) return 65;
  if (expectUsers !== null && expectUsers !== ending.read) return 65;
  return ending.rejected > allowedRejects(acceptRejects, ending.users) ? 65 : 0;
}

/**
 * What the engine that ran the shards is told of all of them: 75 where running some of them again
 * is the way out, 65 where it isn't.
 */
export function exitCodeOfShards(proof: ShardsProof | null): ExitCode {
  if (proof === null || proof.proved) return 0;
  return proof.flaws.every(({ runAgain }) => runAgain) ? 75 : 65;
}

/** The exit codes, for `help exit-codes`; whole lines where no screen is known. */
export function exitStatusHelp(columns: number | null): string {
  const lines = Object.entries(EXIT_CODES).flatMap(([code, what]) =>
    hanging(`  ${code.padStart(3)}  `, what, columns ?? Number.POSITIVE_INFINITY),
  );
  return `Exit status:\n${lines.join("\n")}\n`;
}
