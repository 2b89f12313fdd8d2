/** What an import and a dry run say at their end. These shapes are the machine output of `--json`; fields are only added. */

import type { CoreTarget } from "../core/core.js";
import type { HashAlgorithm } from "../hash/hash.js";
import type { ShardSummary } from "./shard.js";
import type { Standings } from "./standing.js";
import type { CallName, HashCount, Outcome } from "./events.js";

/** What an import and a dry run count alike. */
export interface Counts {
  readonly read: number;
  readonly skipped: number;
  readonly rejected: number;
  /** Accepted hashes by algorithm, of users that are imported or would be. */
  readonly algorithms: Readonly<Partial<Record<HashAlgorithm, number>>>;
  readonly rejects: Readonly<Record<string, number>>;
  readonly skips: Readonly<Record<string, number>>;
  readonly notices: Readonly<Record<string, number>>;
}

/** What every summary says. */
interface RunSummary extends Counts {
  /** The inputs' sources, each once, separated by commas. */
  readonly source: string;
  /**
   * Accepted hashes of all rows by how they were made, the most frequent first. Skipped users and
   * duplicates count here, but not in `algorithms`.
   */
  readonly hashes: readonly HashCount[];
  /**
   * Of `imported`, in a dry run of `ready.import` or of those predicted as imported: users whose hash
   * no core takes and the vault keeps, for the bridge.
   */
  readonly bridged: number;
  /** What the users' password export gave them; null without one. */
  readonly passwordExport: PasswordCoverage | null;
  /**
   * The parts of accounts that are carried beside contacts and hashes: `verified`, `joined`,
   * `metadata`, `totp`, `roles`. A dry run that asks no core counts on one that offers them all.
   */
  readonly carried: readonly string[];
  /** How many users had each of them carried along in this run, or would; nothing for a part that nobody has. */
  readonly carriedUsers: Readonly<Record<string, number>>;
  /**
   * Under `--keep-ids`, the users whom the core finds by the vendor's id, since this run or an
   * earlier one. For a dry run, the users whose id an import would map. 0 without the option.
   */
  readonly mapped: number;
  /** Attempts at the core; all 0 for a dry run that asks none. */
  readonly calls: Readonly<Record<CallName, number>>;
  /**
   * Whether known passwords were verified before the bulk; for a remote core whether test users of
   * this migration signed in there.
   */
  readonly proved: boolean;
  readonly elapsedMs: number;
  /** The files with the rows that were rejected or failed; they hold hashes and contacts. */
  readonly rejectsFiles: readonly string[];
  /** Inputs that were cut off before their end. */
  readonly truncated: readonly string[];
  /** True where a pilot's limit left rows unread; the other counts are of those before them. */
  readonly limited: boolean;
  /** True when the run was stopped before its end; an import's progress is saved. */
  readonly interrupted: boolean;
  /** The shard whose part was counted; null for a whole export. */
  readonly shard: ShardSummary | null;
}

/** The end of an import. `read` is the sum of the seven outcomes and `pending`. */
export interface ImportSummary extends RunSummary {
  readonly command: "import";
  readonly core: CoreTarget;
  readonly imported: number;
  /** Those of `imported` by the algorithm of their hash. */
  readonly importedAlgorithms: Readonly<Partial<Record<HashAlgorithm, number>>>;
  readonly created: number;
  readonly existed: number;
  readonly failed: number;
  readonly unchanged: number;
  /** Records that were read but have no outcome; 0 unless the run was stopped, or left users in the core's queue. */
  readonly pending: number;
  /** Those of `pending` whom the core's queue has. */
  readonly queued: number;
  /** Calls that were made again. */
  readonly retries: number;
  /** Waits of all calls at once, because the core asked for one, was overloaded or didn't answer. */
  readonly pauses: number;
  /** How long they were, in milliseconds. */
  readonly pausedMs: number;
  /** Test users who were to sign in before the bulk, and how many of them did; null where none was to. */
  readonly signIns: { readonly users: number; readonly signedIn: number } | null;
  /** Where the users of the whole migration stand now, those of earlier runs and of unread rows among them. */
  readonly standing: Standings;
  readonly checkpoint: string;
}

/**
 * The end of a dry run. Where no core was asked, `read` is
 * the sum of `ready`, `skipped` and `rejected`.
 */
export interface ValidateSummary extends RunSummary {
  readonly command: "validate";
  /** Null where none was asked. */
  readonly core: CoreTarget | null;
  /** The calls that an import makes for these users, without retries: at the core that was asked, else at an empty one. */
  readonly plannedCalls: Readonly<Record<CallName, number>>;
  /** Users whom their rows alone let in. */
  readonly ready: Readonly<Record<"import" | "passwordless" | "thirdparty", number>>;
  /** Null where no core was asked. */
  readonly prediction: Prediction | null;
  /** The one from which the import goes on; null for a first run. */
  readonly checkpoint: string | null;
}

/** How an import would end, from what the core has answered. `read` is the sum of the outcomes, the stops and `unasked`. */
export interface Prediction {
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** Users at whom the import would stop, by the code. */
  readonly stops: Readonly<Record<string, number>>;
  /** Users who were looked up. */
  readonly lookedUp: number;
  /** Users whose outcome depends on the core, and of whom it wasn't asked. */
  readonly unasked: number;
  /** How long a lookup took on average, in milliseconds; null where there was none. */
  readonly answerMs: number | null;
  /** How long the import's calls would take at the rate at which lookups were answered, in milliseconds; null as above, and where users would go by the core's queue. */
  readonly importMs: number | null;
}

/** A summary's `passwordExport`. */
export interface PasswordCoverage {
  /** Lines that could be read. */
  readonly lines: number;
  /** Lines that couldn't. */
  readonly unreadable: number;
  /** Users with a password in the vendor's own database whose rows hold no hash. */
  readonly users: number;
  /** Of these: users who found their hash. */
  readonly matched: number;
  /** Of these: users with several hashes, or with a line that fits other users equally well. */
  readonly ambiguous: number;
  /** Lines without a user. */
  readonly unused: number;
}
