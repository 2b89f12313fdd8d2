/** A table of users without odd ones, in rows so long that pieces of eight kilobytes hold a few. */

import { bcryptOf, bytesOf } from "./hashes.js";

export function plainRow(number: number): string {
  const id = `u-${number}`;
  const about = [...bytesOf(id, 80)].join(" ");
  return `${id},reader.${number}@example.com,true,${bcryptOf(number)},${about}`;
}

/** @param more columns behind the usual ones */
export function tableOf(lines: readonly string[], ...more: readonly string[]): string {
  const header = ["id,email,email_verified,password_hash,about", ...more].join(",");
  return `${[header, ...lines].join("\n")}\n`;
}

/** The rows of some pieces. */
export const READERS = Array.from({ length: 200 }, (_, number) => plainRow(number));
