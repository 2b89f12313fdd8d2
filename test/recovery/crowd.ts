/** A believable crowd of any size: password users, passwordless ones by email, by phone and by both, and a few who don't come along. */

import { writeFileSync } from "node:fs";

const HASH = "$2b$05$K8fTGXk6.EXnmL83Zc20VOBWu3dKyj55dA.yvCUB7ydJbdnFTXWgm";

/** One row: of twenty, thirteen have a password, one of them disabled and one with a hash cut off. */
function rowOf(number: number): string {
  const kind = number % 20;
  const email = kind === 16 || kind === 17 ? "" : `reader.${number}@example.com`;
  const phone = kind >= 16 ? `+1555${String(1_000_000 + number)}` : "";
  const hash = kind < 13 ? HASH.slice(0, kind === 12 ? -4 : undefined) : "";
  return `r-${number},${email},${phone},${hash},${kind === 5}`;
}

/** Writes the crowd as a CSV export; with names, a core that takes accounts gets them whole. */
export function writeCrowd(path: string, size: number, { withNames = false } = {}): void {
  const rows = Array.from({ length: size }, (_, index) =>
    withNames ? `${rowOf(index + 1)},Reader ${index + 1}` : rowOf(index + 1),
  );
  const header = `id,email,phone,password_hash,disabled${withNames ? ",name" : ""}`;
  writeFileSync(path, `${header}\n${rows.join("\n")}\n`);
}
