/** Says which user a line of a password export belongs to. Where two lines fit, or two users, no user gets one: a wrong hash would let a stranger in. */

import type { UserRecord } from "../account/user-record.js";
import { isIdKey } from "../source/password-lines.js";
import { newExampleCounter, type ExampleCounter, countExample } from "../events/findings.js";
import { Bitset } from "../plan/bitset.js";
import type { RowRef } from "../events/events.js";
import type { FoundLine, PasswordTable } from "./load-export.js";

/** A user with a password at the vendor, whether or not this record brings its hash along. */
export type Seeker = UserRecord & { readonly passwordKeys: readonly string[] };

/** What the lines say about one user: their hash, several, or none. */
export type Answer =
  | { readonly kind: "hash"; readonly hash: string }
  | { readonly kind: "ambiguous"; readonly hashes: readonly string[] }
  | { readonly kind: "none" };

const NONE: Answer = { kind: "none" };

/** What is known so far, of users without a hash of their own. */
export interface MatchCounts {
  readonly users: number;
  readonly matched: number;
  readonly ambiguous: ExampleCounter;
  /** Users of a part whose email has a line, which is perhaps a user's of another part. */
  readonly unasked: ExampleCounter;
  /** Lines that some user's name led to. */
  readonly used: number;
}

/**
 * Every user claims. A claim by id is answered at once. A claim by email is answered when all have
 * claimed: only then it is known which lines are taken by id, and how many ask for each.
 */
export class Matcher {
  readonly #table: PasswordTable;
  readonly #isPart: boolean;
  /** Lines that belong to a user by id. */
  readonly #owned = new Bitset();
  readonly #ambiguous = newExampleCounter();
  readonly #unasked = newExampleCounter();
  #users = 0;
  #matched = 0;
  #used = 0;

  /** @param isPart not all users claim here, so that a line is nobody's by email */
  constructor(table: PasswordTable, isPart: boolean) {
    this.#table = table;
    this.#isPart = isPart;
    table.forgetClaims();
  }

  /**
   * Takes the lines that are the user's by id; without any, asks for those of their email.
   *
   * @returns what the user gets, null where that is said when all have claimed
   */
  claim(user: Seeker, row: RowRef): Answer | null {
    const own = this.#underId(user);
    for (const { id } of own) {
      if (this.#owned.has(id)) continue;
      this.#owned.add(id);
      this.#used += 1;
    }
    // A user who has a hash already needs no line, but no other user may take theirs.
    if (user.hash !== null) return NONE;
    const login = own.length === 0 ? this.#login(user) : undefined;
    if (login !== undefined && !this.#isPart) {
      this.#table.claim(login, row);
      return null;
    }
    if (login !== undefined) countExample(this.#unasked, row);
    const answer = answerOf(own);
    this.#count(answer, row);
    return answer;
  }

  /** Called once all have claimed. */
  settle(): void {
    for (const { users, row, lines } of this.#table.claims()) {
      const free = this.#free(lines);
      this.#used += free.length;
      const answer = answerOf(free, users);
      for (let user = 0; user < users; user += 1) this.#count(answer, row);
    }
  }

  /** What a user who has claimed gets, now that all have. */
  answer(user: Seeker): Answer {
    const own = this.#underId(user);
    const login = own.length === 0 && !this.#isPart ? this.#login(user) : undefined;
    if (login === undefined) return answerOf(own);
    return answerOf(this.#free(this.#table.find(login)), this.#table.claimants(login));
  }

  counts(): MatchCounts {
    const [users, matched, used] = [this.#users, this.#matched, this.#used];
    return { users, matched, ambiguous: this.#ambiguous, unasked: this.#unasked, used };
  }

  #underId({ passwordKeys }: Seeker): readonly FoundLine[] {
    return passwordKeys.filter(isIdKey).flatMap((key) => this.#table.find(key));
  }

  /** The first of the user's names that isn't an id and that any line has. */
  #login({ passwordKeys }: Seeker): string | undefined {
    return passwordKeys.find((key) => !isIdKey(key) && this.#table.find(key).length > 0);
  }

  #free(lines: readonly FoundLine[]): readonly FoundLine[] {
    return lines.filter(({ id }) => !this.#owned.has(id));
  }

  #count({ kind }: Answer, row: RowRef): void {
    this.#users += 1;
    if (kind === "hash") this.#matched += 1;
    if (kind === "ambiguous") countExample(this.#ambiguous, row);
  }
}

/** A line without a hash says nothing; the same hash twice is one. */
function answerOf(lines: readonly FoundLine[], users = 1): Answer {
  const hashes = new Set(lines.flatMap(({ hash }) => hash ?? []));
  const [hash] = hashes;
  if (hash === undefined) return NONE;
  return hashes.size === 1 && users === 1
    ? { kind: "hash", hash }
    : { kind: "ambiguous", hashes: [...hashes] };
}
