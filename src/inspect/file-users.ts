/** Finds files without users: half an export, a page behind the last one, a header alone. */

import { RunError } from "../errors/run-error.js";
import type { SourceItem } from "../source/source.js";
import type { Finding } from "../events/events.js";
import { nameOf } from "../source/input-bytes.js";
import type { Input } from "../source/inputs.js";
import { finding } from "../events/findings.js";

/** What was seen of one file. */
export interface FileUsers {
  readonly input: Input;
  hasUsers: boolean;
  /** Rows that are no person's. */
  accounts: number;
  others: number;
  /** It was read from end to end, and wasn't cut off. */
  isWhole: boolean;
  /** Its hash column is cut off, so that hashes were refused that look whole by themselves. */
  refusesWhole: boolean;
}

export function newFileUsers(input: Input): FileUsers {
  return { input, hasUsers: false, accounts: 0, others: 0, isWhole: false, refusesWhole: false };
}

/** Counts the next row. One that can't be read may be a user's. */
export function countRow(file: FileUsers, item: SourceItem): void {
  if (file.hasUsers || item.kind === "truncated") return;
  if (item.kind === "skip") file.others += 1;
  else if (item.kind === "record" && item.record.exclusions.includes("service_account")) {
    file.accounts += 1;
  } else file.hasUsers = true;
}

/**
 * @param files those of a whole run
 * @throws RunError `no_users` where there is no file, or all were read and none holds a user
 */
export function requireUsers(files: readonly FileUsers[], inputs: readonly Input[]): void {
  if (inputs.length === 0) {
    throw new RunError("no_users", "There is no file to read users from.", {
      hint: "Give inputs what openInputs returns for one file or more.",
    });
  }
  const [first] = files;
  if (first === undefined || files.length < inputs.length || !files.every(isWithout)) return;
  const what =
    files.length === 1
      ? `${withReason(first)}.`
      : `None of the ${files.length} files holds a user.`;
  throw new RunError("no_users", what, { hint: first.input.source.noUsersHint });
}

/** The files without a user, where others have some. */
export function fileFindings(files: readonly FileUsers[]): Finding[] {
  const without = files.filter(isWithout);
  const [first] = without;
  if (first === undefined || without.length === files.length) return [];
  const rows = without.map(({ input }) => ({ file: input.path, number: 1 }));
  const detail = `${withReason(first)}. ${first.input.source.noUsersHint} The other files are read nevertheless.`;
  return [finding("input_doubtful", { count: without.length, rows }, detail)];
}

function isWithout({ hasUsers, isWhole }: FileUsers): boolean {
  return isWhole && !hasUsers;
}

function withReason({ input, accounts, others }: FileUsers): string {
  const reasons = [
    ...(accounts > 0 ? [`accounts of applications (${accounts})`] : []),
    ...(others > 0 ? [`objects of other models (${others})`] : []),
  ];
  const only = reasons.length === 0 ? "" : `, only ${reasons.join(" and ")}`;
  return `${nameOf(input.path)} holds no user${only}`;
}
