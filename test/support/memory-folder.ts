/** Puts temporary files where no disk waits for them: into memory, for as long as the tests run. The system tests are on a disk, but for those that wait for every write. */

import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";
/** A container's is often of 64 MB, which a test of a large export fills. */
const LEAST_BYTES = 1024 ** 3;

/** As a global setup of Vitest: sets TMPDIR for its workers and what they start, and removes all of it at the end. */
export default function useMemory(): () => void {
  const folder = mkdtempSync(join(fastFolder(), "auth-migrate-tests-"));
  // As any folder for temporary files is: some tests run as another user.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Where temporary files are in memory, if there is room, and else on the disk. A killed process leaves the same in both. */
export function fastFolder(): string {
  return isMemory() ? MEMORY : tmpdir();
}

function isMemory(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return process.platform === "linux" && bavail * bsize >= LEAST_BYTES;
  } catch {
    return false;
  }
}
