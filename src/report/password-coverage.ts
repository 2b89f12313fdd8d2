/** Tells how many users found their hash in a password export. */

import type { PasswordCoverage } from "../events/events.js";
import { count } from "./text.js";

type Join = Pick<PasswordCoverage, "users" | "matched">;

/** Percent of the users with a password who found its hash, from 0 to 100; 0 where there are none. */
export function coveredPercent({ users, matched }: Join): number {
  return users === 0 ? 0 : (matched / users) * 100;
}

/** "95 of 100 users with a password found its hash (95%)"; cut off, so that 100% means all. */
export function coverageText(join: Join): string {
  const { users, matched } = join;
  const share = Math.floor(coveredPercent(join) * 10) / 10;
  return `${number(matched)} of ${count(users, "user")} with a password found its hash (${share}%)`;
}

/** A summary's section; empty without a password export. */
export function coverageLines(coverage: PasswordCoverage | null): string[] {
  if (coverage === null) return [];
  const { lines, unreadable, ambiguous, unused } = coverage;
  const details = [
    count(lines, "line"),
    ...(unused > 0 ? [`${number(unused)} without a user`] : []),
    ...(ambiguous > 0 ? [`${count(ambiguous, "user")} with several hashes`] : []),
    ...(unreadable > 0 ? [`${count(unreadable, "line")} unreadable`] : []),
  ];
  return ["", "Password export", `  ${coverageText(coverage)}; ${details.join(", ")}`];
}

function number(value: number): string {
  return value.toLocaleString("en-US");
}
