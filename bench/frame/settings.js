/** What the benchmark's parts take from the environment, and where they keep their files. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The path of a file of this folder's parent, `bench`. */
export const pathOf = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));

/**
 * A positive whole number from the environment; `1_000_000` may be written so.
 *
 * @param fallback what holds where the variable isn't set
 */
export function setting(name, fallback) {
  return settings(name, [fallback])[0];
}

/** As {@link setting}, several of them with commas between. */
export function settings(name, fallback) {
  const text = process.env[name];
  if (text === undefined || text === "") return fallback;
  return text.split(",").map((part) => {
    const number = Number(part.replaceAll("_", ""));
    if (Number.isSafeInteger(number) && number > 0) return number;
    throw new Error(`${name} must be a positive whole number, not ${part}`);
  });
}

/** How often every side has its turn; the medians are of as many. */
export const ROUNDS = setting("BENCH_ROUNDS", 5);

/** The users of an export where a part has no number of its own. */
export const USERS = setting("BENCH_USERS", 1_000_000);

/**
 * Runs `work` with a function that names files of a fresh folder, each once, and removes the folder.
 * It is where `TMPDIR` says: on the disk that is to be measured.
 */
export async function withFiles(work) {
  const directory = mkdtempSync(join(tmpdir(), "auth-migrate-bench-"));
  let files = 0;
  try {
    return await work((name) => join(directory, `${files++}-${name}`));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
