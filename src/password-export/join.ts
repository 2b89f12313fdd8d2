/** Puts a password export between inputs and whoever reads them: users come with their hash, wherever they are read. It reads files; whose a line is, the matcher says. */

import type { UserRecord } from "../account/user-record.js";
import type { SourceItem } from "../source/source.js";
import type { Finding, ProgressEvent, RowRef, PasswordCoverage } from "../events/events.js";
import { type Input, readInput, totalBytes } from "../source/inputs.js";
import { createProgress, type Progress } from "../calls/progress.js";
import { createTally, type Tally } from "../events/tally.js";
import { SYSTEM_TIMING, type Timing } from "../calls/timing.js";
import { joinFindings } from "./findings.js";
import { diskError, type PasswordExport } from "./load-export.js";
import { type Answer, Matcher, type Seeker } from "./matcher.js";

/** Inputs whose users have their hashes. */
export interface PasswordJoin {
  /** The same inputs in the same order; to be read in place of those that were given. */
  readonly inputs: readonly Input[];
  /** What is to be told of the export as a whole, before anything is sent. */
  readonly findings: readonly Finding[];
  /** As of now: inputs that can be read only once are counted while they are read. */
  coverage(): PasswordCoverage;
}

/** What a join is told, and tells. */
interface JoinOptions {
  readonly signal?: AbortSignal;
  /** Told at most once a second how far the reading is; its phase is `join`. */
  readonly onProgress?: ((event: ProgressEvent) => void) | undefined;
  /** The system's by default. */
  readonly timing?: Timing;
}

/** What is no longer true of a user who has found their hash. */
const MISSING = "password_not_exported";

/**
 * Joins users with password exports. A user's id finds the line; only a user whose id finds none is
 * looked for by email, within the same connection, and only among lines that are nobody's by id. So
 * that no order of rows decides whose a line is, all inputs are read once for it; where one of them
 * can be read only once, nobody is looked for by email.
 *
 * @param passwords stays open as long as the inputs are read, and is joined with nobody else
 *   meanwhile
 * @throws RunError what reading an input throws; `disk`
 */
export async function joinPasswords(
  inputs: readonly Input[],
  passwords: PasswordExport,
  options: JoinOptions = {},
): Promise<PasswordJoin> {
  const { signal = new AbortController().signal } = options;
  const { onProgress = () => {}, timing = SYSTEM_TIMING } = options;
  const matcher = new Matcher(
    passwords.table,
    inputs.every(({ readOnce }) => !readOnce),
  );
  const tally = createTally();
  const progress = createProgress(onProgress, {
    ...{ tally, timing, start: timing.now(), pace: null, phase: "join" },
    totalBytes: totalBytes(inputs),
  });
  const claiming = { matcher, signal, tally, progress };
  try {
    for (const input of inputs) if (!input.readOnce) await claimAll(input, claiming);
    matcher.settle();
  } catch (error) {
    throw diskError(error);
  }
  const coverage = (): PasswordCoverage => {
    const { users, matched, ambiguous, used } = matcher.counts();
    const { lines, unreadable } = passwords;
    return {
      ...{ lines, unreadable: unreadable.count, users, matched },
      ...{ ambiguous: ambiguous.count, unused: lines - used },
    };
  };
  return {
    inputs: inputs.map((input) => withHashes(input, matcher)),
    findings: joinFindings(passwords, matcher.counts(), inputs),
    coverage,
  };
}

/** What the first pass over the users needs. */
interface Claiming {
  readonly matcher: Matcher;
  readonly signal: AbortSignal;
  readonly tally: Tally;
  readonly progress: Progress;
}

async function claimAll(input: Input, claiming: Claiming): Promise<void> {
  const { matcher, signal, tally, progress } = claiming;
  for await (const items of readInput(input, { signal, progress })) {
    for (const item of items) {
      tally.read();
      if (item.kind === "record" && isSeeker(item.record)) {
        matcher.claim(item.record, rowOf(input, item));
      }
    }
    progress.tick();
  }
}

function withHashes(input: Input, matcher: Matcher): Input {
  const change = (item: SourceItem): SourceItem => {
    if (item.kind !== "record" || !isSeeker(item.record)) return item;
    const { record } = item;
    if (input.readOnce) matcher.claim(record, rowOf(input, item));
    if (record.hash !== null) return item;
    return { ...item, record: answered(record, matcher.answer(record)) };
  };
  return {
    ...input,
    async *read(run) {
      for await (const items of input.read(run)) yield items.map(change);
    },
  };
}

/** Several hashes go on as a credential that normalization refuses: the policy for those decides. */
function answered(record: UserRecord, answer: Answer): UserRecord {
  switch (answer.kind) {
    case "none":
      return record;
    case "hash":
      return {
        ...record,
        hash: { kind: "text", text: answer.hash },
        notices: record.notices.filter((code) => code !== MISSING),
      };
    case "ambiguous": {
      const [passwordHash, password_hash = passwordHash] = answer.hashes;
      return {
        ...record,
        hash: { kind: "credential", credential: { passwordHash, password_hash } },
      };
    }
  }
}

function isSeeker(record: UserRecord): record is Seeker {
  return record.passwordKeys !== undefined;
}

function rowOf({ path }: Input, { number }: SourceItem): RowRef {
  return { file: path, number };
}
