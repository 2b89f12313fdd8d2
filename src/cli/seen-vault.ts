/** What a checkpoint's status says of its vault, once the file was looked for: a checkpoint knows its name alone. */

import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { type CheckpointStatus, readStatus } from "../checkpoint/status.js";
import { lookForVault } from "../vault/vault-care.js";

/** The status with what stands where its vault is looked for. */
export function withSeenVault(status: CheckpointStatus): CheckpointStatus {
  const { vault, checkpoint } = status;
  if (vault === null) return status;
  return { ...status, vault: { ...vault, ...lookForVault(vault, dirname(checkpoint)) } };
}

/** What earlier runs of a checkpoint came to. Null where there was none, and where the file can't be read: the run itself will say why. */
export function finishedBefore(checkpoint: string): CheckpointStatus | null {
  if (!existsSync(checkpoint)) return null;
  try {
    // Before the run opens it: a reader in this process would keep the run from folding the file.
    const status = readStatus(checkpoint);
    return status.users === 0 ? null : status;
  } catch {
    return null;
  }
}
