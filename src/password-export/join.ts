/** Joins the users of a reading with a password export: they come with their hash. Whose a line is, the matcher says. */

import type { UserRecord } from "../account/user-record.js";
import { optionName } from "../errors/option-name.js";
import type { Finding, RowRef } from "../events/events.js";
import type { PasswordCoverage } from "../events/summary.js";
import { type ExampleCounter, finding } from "../events/findings.js";
import { type Input, sourceNames } from "../source/inputs.js";
import type { PasswordExport } from "./load-export.js";
import { type Answer, Matcher, type Seeker } from "./matcher.js";

/** What is no longer true of a user who has found their hash. */
const MISSING = "password_not_exported";

/**
 * Joins all users of one reading with a password export. A user's id finds the line. A user whose id
 * finds none is looked for by email, within the same connection, among the lines that no user has by
 * id. So no order of rows decides, and these users get their lines at the end.
 */
export class PasswordJoin {
  readonly #passwords: PasswordExport;
  readonly #matcher: Matcher;

  /**
   * @param passwords is joined with no other reading meanwhile
   * @param isPart the reading is of a part of an export that was split: what an email finds may be
   *   another part's user's, so that no user is looked for by it
   */
  constructor(passwords: PasswordExport, isPart = false) {
    this.#passwords = passwords;
    this.#matcher = new Matcher(passwords.table, isPart);
  }

  /**
   * Takes each user once.
   *
   * @returns the user with what is to be said of the hash, or null where that is said at the end
   * @throws RunError `disk`
   */
  take(record: UserRecord, row: RowRef): UserRecord | null {
    if (!isSeeker(record)) return record;
    const answer = this.#matcher.claim(record, row);
    return answer === null ? null : answered(record, answer);
  }

  /** Says whose the lines are, once all users are taken. */
  settle(): void {
    this.#matcher.settle();
  }

  /** A user who was taken, with what is to be said of the hash then. */
  answered(record: UserRecord): UserRecord {
    if (!isSeeker(record) || record.hash !== null) return record;
    return answered(record, this.#matcher.answer(record));
  }

  /** As of now. */
  coverage(): PasswordCoverage {
    const { users, matched, ambiguous, used } = this.#matcher.counts();
    const { lines, unreadable } = this.#passwords;
    return {
      lines,
      unreadable: unreadable.count,
      users,
      matched,
      ambiguous: ambiguous.count,
      unused: lines - used,
    };
  }

  /** What is to be told of the export as a whole, the important ones first. */
  findings(inputs: readonly Input[]): Finding[] {
    const { files, lines, unreadable } = this.#passwords;
    const { users, ambiguous, unasked } = this.#matcher.counts();
    const [file = ""] = files;
    const all: ExampleCounter = { count: lines, rows: [{ file, number: 1 }] };
    return [
      ...(users === 0 ? [finding("input_doubtful", all, unused(inputs))] : []),
      ...(ambiguous.count > 0 ? [finding("input_doubtful", ambiguous, AMBIGUOUS)] : []),
      ...(unasked.count > 0 ? [finding("input_doubtful", unasked, BY_ID_IN_PARTS)] : []),
      ...(unreadable.count > 0 ? [finding("input_doubtful", unreadable, UNREADABLE)] : []),
    ];
  }
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
  return record.passwordKeys !== undefined && record.passwordKeys.length > 0;
}

/** Where a user's hash can't be said for certain. */
const AMBIGUOUS = `The password export has several hashes for each of these users, or several users fit one line by email alone. None is taken, since it might be another user's: they count as users whose hash can't be used (credential_ambiguous). Leave the right line, or let them be created without a password with ${optionName("--on-unusable-hash")} passwordless.`;

const UNREADABLE =
  "Lines of the password export that can't be read, so the users they belong to have found no hash. Mend them, or ask for the export again, before users are imported without their password.";

const BY_ID_IN_PARTS =
  "The ids of these users have no line in the password export, but their emails do. A line may be a user's of another part, which this part doesn't show, so that none is taken. Import the export as one process, where they are to keep their passwords.";

function unused(inputs: readonly Input[]): string {
  return `No user is joined: among these (${sourceNames(inputs)}) none signs in with a password of a vendor's database that such an export belongs to. Check that the files are the users of the same tenant or project, and that their user_id or identities are among the fields.`;
}
