/** What is counted of each input while it is read: its users, its hash column, and by how the hashes were written. */

import { RunError } from "../errors/run-error.js";
import type { Finding } from "../events/events.js";
import { type ExampleCounter, finding } from "../events/findings.js";
import type { HashAlgorithm } from "../hash/hash.js";
import { nameOf } from "../source/input-bytes.js";
import type { Input } from "../source/inputs.js";
import type { SourceItem } from "../source/source.js";
import { HashColumn } from "./hash-column.js";

/** Finds files without users as well: half an export, a page behind the last one, a header alone. */
export class InputFacts {
  readonly input: Input;
  readonly column = new HashColumn();
  /** How many hashes are taken, and how many of them needed each step of normalization. */
  accepted = 0;
  /** Of the hashes that are sent. */
  readonly algorithms = new Set<HashAlgorithm>();
  readonly steps = new Map<string, ExampleCounter>();
  /** It was read from end to end, and wasn't cut off. */
  isWhole = false;
  #hasUsers = false;
  /** Rows that are no person's. */
  #accounts = 0;
  #others = 0;

  constructor(input: Input) {
    this.input = input;
  }

  get isWithoutUsers(): boolean {
    return this.isWhole && !this.#hasUsers;
  }

  /** Counts the next row. One that can't be read may be a user's. */
  countRow(item: SourceItem): void {
    if (this.#hasUsers || item.kind === "truncated") return;
    if (item.kind === "skip") this.#others += 1;
    else if (item.kind === "record" && item.record.exclusions.includes("service_account")) {
      this.#accounts += 1;
    } else this.#hasUsers = true;
  }

  /** Of a file without users, what it holds. */
  says(): string {
    const reasons = [
      ...(this.#accounts > 0 ? [`accounts of applications (${this.#accounts})`] : []),
      ...(this.#others > 0 ? [`objects of other models (${this.#others})`] : []),
    ];
    const only = reasons.length === 0 ? "" : `, only ${reasons.join(" and ")}`;
    return `${nameOf(this.input.path)} holds no user${only}`;
  }
}

/**
 * @param files those of a whole run
 * @throws RunError `no_users` where there is no file, or all were read and none holds a user
 */
export function requireUsers(files: readonly InputFacts[], inputs: readonly Input[]): void {
  if (inputs.length === 0) {
    throw new RunError("no_users", "There is no file to read users from.", {
      hint: "Give inputs what openInputs returns for one file or more.",
    });
  }
  const [first] = files;
  const isNone = files.length === inputs.length && files.every((file) => file.isWithoutUsers);
  if (first === undefined || !isNone) return;
  const what =
    files.length === 1 ? `${first.says()}.` : `None of the ${files.length} files holds a user.`;
  throw new RunError("no_users", what, { hint: first.input.source.noUsersHint });
}

/** The files without a user, where others have some. */
export function fileFindings(files: readonly InputFacts[]): Finding[] {
  const without = files.filter((file) => file.isWithoutUsers);
  const [first] = without;
  if (first === undefined || without.length === files.length) return [];
  const rows = without.map(({ input }) => ({ file: input.path, number: 1 }));
  const detail = `${first.says()}. ${first.input.source.noUsersHint} The other files are read nevertheless.`;
  return [finding("input_doubtful", { count: without.length, rows }, detail)];
}
