/** The SHA-256 of a file, by which a part is known to be the one that was split off. */

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";

/**
 * @returns 64 hexadecimal digits
 * @throws what the system says of a file that can't be read
 */
export async function digestFile(path: string): Promise<string> {
  const digest = createHash("sha256");
  await pipeline(createReadStream(path), digest);
  return digest.digest("hex");
}
