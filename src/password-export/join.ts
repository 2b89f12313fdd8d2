/** Joins inputs with a password export: users come with their hash, wherever the inputs are read. Whose a line is, the matcher says. */

import type { UserRecord } from "../account/user-record.js";
import { createProgress, type Progress } from "../calls/progress.js";
import { SYSTEM_TIMING, type Timing } from "../calls/timing.js";
import type { Finding, ProgressEvent } from "../events/events.js";
import { inTheirWords, type Worded, wordsFor } from "../errors/option-words.js";
import { rowOf } from "../errors/place.js";
import type { PasswordCoverage } from "../events/summary.js";
import { type ExampleCounter, finding } from "../events/findings.js";
import { createTally, type Tally } from "../events/tally.js";
import { type Input, readInput, sourceNames, totalBytes } from "../source/inputs.js";
import type { SourceItem } from "../source/source.js";
import { diskError, type PasswordExport } from "./load-export.js";
import { type Answer, type MatchCounts, Matcher, type Seeker } from "./matcher.js";

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
interface JoinOptions extends Worded {
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
 * looked for by email, within the same connection, and only among lines that are no user's by id. So
 * that no order of rows decides whose a line is, all inputs are read once for it; where one of them
 * can be read only once, no user is looked for by email.
 *
 * @param passwords stays open as long as the inputs are read, and is joined with no other inputs
 *   meanwhile
 * @throws RunError what reading an input throws; `disk`
 */
export function joinPasswords(
  inputs: readonly Input[],
  passwords: PasswordExport,
  options: JoinOptions = {},
): Promise<PasswordJoin> {
  return inTheirWords(options, (given) => join(inputs, passwords, given));
}

async function join(
  inputs: readonly Input[],
  passwords: PasswordExport,
  options: JoinOptions,
): Promise<PasswordJoin> {
  const { signal = new AbortController().signal } = options;
  const { onProgress = () => {}, timing = SYSTEM_TIMING } = options;
  const words = wordsFor(options);
  const matcher = new Matcher(
    passwords.table,
    inputs.every(({ readOnce }) => !readOnce),
  );
  const tally = createTally();
  const progress = createProgress(onProgress, {
    phase: "join",
    tally,
    pace: null,
    timing,
    start: timing.now(),
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
      lines,
      unreadable: unreadable.count,
      users,
      matched,
      ambiguous: ambiguous.count,
      unused: lines - used,
    };
  };
  return {
    inputs: inputs.map((input) => withHashes(input, matcher)),
    findings: joinFindings(passwords, matcher.counts(), inputs).map((finding) => ({
      ...finding,
      hint: words(finding.hint),
    })),
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
        matcher.claim(item.record, rowOf(input.path, item));
      }
    }
    progress.tick();
  }
}

function withHashes(input: Input, matcher: Matcher): Input {
  const change = (item: SourceItem): SourceItem => {
    if (item.kind !== "record" || !isSeeker(item.record)) return item;
    const { record } = item;
    if (input.readOnce) matcher.claim(record, rowOf(input.path, item));
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

/** The important ones first. */
function joinFindings(
  { files, lines, unreadable }: PasswordExport,
  { users, matched, ambiguous }: MatchCounts,
  inputs: readonly Input[],
): Finding[] {
  const [file = ""] = files;
  const all: ExampleCounter = { count: lines, rows: [{ file, number: 1 }] };
  const hasOnce = inputs.some(({ readOnce }) => readOnce);
  return [
    ...(users === 0 && !hasOnce ? [finding("input_doubtful", all, unused(inputs))] : []),
    ...(ambiguous.count > 0 ? [finding("input_doubtful", ambiguous, AMBIGUOUS)] : []),
    ...(unreadable.count > 0 ? [finding("input_doubtful", unreadable, UNREADABLE)] : []),
    ...(hasOnce && matched === 0 ? [finding("input_doubtful", all, BY_ID_ONLY)] : []),
  ];
}

/** Where a user's hash can't be said for certain. */
const AMBIGUOUS =
  "The password export has several hashes for each of these users, or several users fit one line by email alone. None is taken, since it might be another user's: they count as users whose hash can't be used (credential_ambiguous). Leave the right line, or let them be created without a password with --on-unusable-hash passwordless.";

const UNREADABLE =
  "Lines of the password export that can't be read, so the users they belong to have found no hash. Mend them, or ask for the export again, before users are imported without their password.";

const BY_ID_ONLY =
  "An input that can be read only once is joined by ids alone, since it isn't known beforehand how many users share an email. Save it as a file and name that to have the others looked for by connection and email.";

function unused(inputs: readonly Input[]): string {
  return `No user is joined: among these (${sourceNames(inputs)}) none signs in with a password of a vendor's database that such an export belongs to. Check that the files are the users of the same tenant or project, and that their user_id or identities are among the fields.`;
}
