/** What a checkpoint's status says of its vault, once the file was looked for: a checkpoint knows its name alone. */

import { existsSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import type { CheckpointStatus } from "../checkpoint/status.js";
import { lookForVault } from "../vault/vault-care.js";

/** The status with what stands where its vault is looked for: where it was named from, or beside the checkpoint. */
export function withSeenVault(status: CheckpointStatus): CheckpointStatus {
  const { vault, checkpoint } = status;
  if (vault === null) return status;
  const beside = join(dirname(checkpoint), vault.file);
  const isBeside = !isAbsolute(vault.file) && !existsSync(vault.file) && existsSync(beside);
  const file = isBeside ? beside : vault.file;
  return { ...status, vault: { ...vault, file, ...lookForVault({ ...vault, file }) } };
}
