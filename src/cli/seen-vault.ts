/** What a checkpoint's status says of its vault, once the file was looked for: a checkpoint knows its name alone. */

import { dirname } from "node:path";
import type { CheckpointStatus } from "../checkpoint/status.js";
import { lookForVault } from "../vault/vault-care.js";

/** The status with what stands where its vault is looked for. */
export function withSeenVault(status: CheckpointStatus): CheckpointStatus {
  const { vault, checkpoint } = status;
  if (vault === null) return status;
  return { ...status, vault: { ...vault, ...lookForVault(vault, dirname(checkpoint)) } };
}
