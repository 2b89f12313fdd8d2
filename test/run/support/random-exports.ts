/** Random exports and their random changes: users with contacts that meet, rows that come twice, and rows that can't be read. */

import type { Random } from "../../support/random.js";
import { argon2Of, bcryptOf } from "./hashes.js";

const HASHES = [1, 2, 3, 4, 5, 6].map((seed) => bcryptOf(seed));
const OTHERS = [argon2Of(1), argon2Of(2), argon2Of(3).slice(0, -4), bcryptOf(7).slice(0, -1), ""];
const NAMES = ["Ada", '"Lee, Ben"', '"Cleo\nof two lines"', "", "Dora"];
const BROKEN = ["a row with too few columns", ',,,,"open,,,,'];
export const HEADER = "id,email,email_verified,phone,name,city,role,password_hash,disabled";

/** What an export says of a user. */
export interface Said {
  id: string;
  email: string;
  verified: string;
  phone: string;
  name: string;
  city: string;
  role: string;
  hash: string;
  disabled: string;
}

/** @param oddity one in how many fields is no usual one */
export function newUser(random: Random, number: number, oddity: number): Said {
  const odd = (): boolean => random.chance(1, oddity);
  return {
    id: odd() ? "" : `u-${number}`,
    email: odd() ? "" : `reader.${number}@example.com`,
    verified: odd() ? random.pick(["false", ""]) : "true",
    phone: random.chance(1, 6) ? `+1555010${1000 + number}` : "",
    name: random.pick(NAMES),
    city: random.chance(1, 4) ? random.pick(["Bonn", "Turin"]) : "",
    role: random.chance(1, 9) ? "editor" : "",
    hash: odd() ? random.pick(OTHERS) : random.pick(HASHES),
    disabled: odd() ? "true" : "false",
  };
}

/** What may become of a row between two exports. */
const FIELDS: Readonly<Record<keyof Said, (random: Random, last: number) => string>> = {
  id: (random, last) => (random.chance(1, 3) ? "" : `u-${random.below(last)}`),
  email: (random, last) =>
    `${random.pick(["reader", "reader", "Reader"])}.${random.below(last)}@example.com`,
  verified: (random) => random.pick(["true", "false", ""]),
  phone: (random, last) => `+1555010${1000 + random.below(last)}`,
  name: (random) => random.pick(NAMES),
  city: (random) => random.pick(["Bonn", "Turin", ""]),
  role: (random) => random.pick(["editor", "reader", ""]),
  hash: (random) => random.pick([...HASHES, ...OTHERS]),
  disabled: (random) => random.pick(["true", "false"]),
};

export type Line = Said | string;

/** One change of an export: a field, a swap, a row or a block that goes, comes, moves or comes twice. */
export function edit(lines: Line[], random: Random, fresh: () => Said): void {
  const at = random.below(lines.length);
  const other = random.below(lines.length);
  const [one, two] = [lines[at], lines[other]];
  const field = random.pick(Object.keys(FIELDS) as (keyof Said)[]);
  const changed = (): string => FIELDS[field](random, lines.length + 2);
  switch (random.below(12)) {
    case 0:
      if (lines.length > 12) lines.splice(at, 1 + random.below(3));
      return;
    case 1:
      lines.splice(at, 0, fresh());
      return;
    case 2:
      if (typeof one !== "object") return;
      // The same user once more, as before or changed.
      lines.splice(other, 0, { ...one, [field]: random.pick([one[field], changed()]) });
      return;
    case 3:
      lines.splice(other, 0, ...lines.splice(at, 1 + random.below(6)));
      return;
    case 4:
      if (typeof one !== "object" || typeof two !== "object") return;
      [one[field], two[field]] = [two[field], one[field]];
      return;
    case 5:
      lines.splice(at, 0, random.chance(7, 8) ? "" : random.pick(BROKEN));
      return;
    default:
      if (typeof one === "object") one[field] = changed();
  }
}

/** The file of an export. */
export function textOf(lines: readonly Line[]): string {
  return `${[HEADER, ...lines.map(rowOf)].join("\n")}\n`;
}

/** A line as it stands in its file. */
export function rowOf(line: Line): string {
  if (typeof line === "string") return line;
  const { id, email, verified, phone, name, city, role, hash, disabled } = line;
  return [id, email, verified, phone, name, city, role, hash, disabled].join(",");
}
