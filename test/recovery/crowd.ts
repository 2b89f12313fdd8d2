/** A believable crowd of any size: password users, and passwordless ones by email, by phone and by both. */

import { writeFileSync } from "node:fs";

const HASH = "$2b$05$K8fTGXk6.EXnmL83Zc20VOBWu3dKyj55dA.yvCUB7ydJbdnFTXWgm";

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly phone: string;
  readonly hash: string;
}

/** Person `number` of a crowd; seven in ten have a password. */
export function person(number: number): Person {
  const kind = number % 10;
  const email = kind === 8 ? "" : `reader.${number}@example.com`;
  const phone = kind >= 8 ? `+1555${String(1_000_000 + number)}` : "";
  return { id: `r-${number}`, email, phone, hash: kind < 7 ? HASH : "" };
}

/** Writes the crowd as a CSV export. */
export function writeCrowd(path: string, size: number): Person[] {
  const people = Array.from({ length: size }, (_, index) => person(index + 1));
  const lines = people.map(({ id, email, phone, hash }) => `${id},${email},${phone},${hash}`);
  writeFileSync(path, `id,email,phone,password_hash\n${lines.join("\n")}\n`);
  return people;
}
