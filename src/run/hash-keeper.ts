/** Opens the vault of an import, in which hashes are kept that no core takes. */

import type { Checkpoint } from "../checkpoint/checkpoint.js";
import { RunError } from "../errors/run-error.js";
import { Vault } from "../vault/vault.js";
import type { HashKeeper } from "./call-context.js";
import type { ImportOptions } from "./options.js";

/** Stand-ins to keep of a user: a run that was killed between vault and core leaves one more. */
const MOST = 3;

/** A keeper whose vault is open. */
interface OpenKeeper extends HashKeeper {
  close(): void;
}

/**
 * @returns undefined where nothing is to be kept
 * @throws RunError `usage` (no vault is named), and as {@link Vault.open}
 */
export function openKeeper(
  { policy, vault: named, binding }: ImportOptions,
  { digester }: Checkpoint,
): OpenKeeper | undefined {
  if (policy.onUnusableHash !== "bridge") return undefined;
  if (named === undefined) {
    throw new RunError("usage", "Hashes are to be kept for the bridge, and no vault is named.", {
      hint: "Name the vault's file and its key's with --vault and --vault-key-file.",
    });
  }
  const vault = Vault.open(named.path, {
    key: named.key,
    binding: {
      // Of the checkpoint's salt: another checkpoint has another one.
      migration: Buffer.from(digester.id("vault", "", ""), "latin1").toString("hex"),
      core: binding.kind === "remote" ? binding.url : binding.coreId,
    },
  });
  return {
    async keep(email, kept) {
      const standIn = await vault.standIn(email, "upstream" in kept ? kept : kept.hash);
      const before = vault.get(email)?.standIns ?? [];
      const others = before.filter((other) => other.hash !== standIn.hash);
      await vault.put(email, { ...kept, standIns: [standIn, ...others].slice(0, MOST) });
      return standIn.hash;
    },
    close: () => vault.close(),
  };
}
