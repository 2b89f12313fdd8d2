/** Exports for tests on a database: people with a password and people without, as many as are asked for. */

import { writeFileSync } from "node:fs";
import { bcryptOf } from "../../run/support/test-users.js";

const HASHES = ["tulip", "orchid", "dahlia"].map((password) => bcryptOf(password));

/** Every tenth person has no password; half of those have a phone number beside the email. */
export function writeExport(file: string, people: number): void {
  const rows = Array.from({ length: people }, (_, index) => {
    const email = `person.${index}@example.com`;
    const hash = index % 10 === 0 ? "" : HASHES[index % HASHES.length];
    const phone = index % 20 === 0 ? `+1555${String(1_000_000 + index)}` : "";
    return `${index},${email},true,${phone},true,${hash}`;
  });
  const header = "id,email,email_verified,phone_number,phone_verified,password_hash";
  writeFileSync(file, `${[header, ...rows].join("\n")}\n`);
}
