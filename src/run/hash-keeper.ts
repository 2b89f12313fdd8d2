/** Opens the vault of an import, in which hashes are kept that no core takes. */

import { hash as digest } from "node:crypto";
import { dirname } from "node:path";
import type { Checkpoint, CoreBinding } from "../checkpoint/checkpoint.js";
import { optionName } from "../errors/option-name.js";
import { closeAfterFailure, RunError } from "../errors/run-error.js";
import type { Key } from "../plan/digests.js";
import { KEEPS_HASHES, type Policy } from "../plan/policy.js";
import { Vault } from "../vault/vault.js";
import { lookForVault } from "../vault/vault-care.js";
import {
  vaultInvalid,
  vaultMissing,
  vaultNotTaken,
  type WantedVault,
} from "../vault/vault-file.js";
import type { HashKeeper } from "./call-context.js";
import type { ImportOptions } from "./options.js";

/** Stand-ins to keep of a user: a run that was killed between vault and core leaves one more. */
const MOST = 3;
const SALT_BYTES = 16;

/** A keeper whose vault is open. */
interface OpenKeeper extends HashKeeper {
  close(): void;
}

/**
 * @returns undefined where nothing is to be kept
 * @throws RunError `usage` (no vault is named), as {@link Vault.open}, as {@link requireNobodyKept};
 *   `vault_missing` also where users of earlier runs depend on another vault, or on a later state of
 *   it, unless their hashes are to be kept again
 */
export async function openKeeper(
  { policy, vault: named, binding, bridge: start }: ImportOptions,
  checkpoint: Checkpoint,
): Promise<OpenKeeper | undefined> {
  if (named !== null) requireNobodyKept(policy, checkpoint);
  if (!KEEPS_HASHES[policy.onUnusableHash]) return undefined;
  if (named == null) {
    throw new RunError("usage", "Hashes are to be kept for the bridge, and no vault is named.", {
      hint: `Name the vault's file and its key's with ${optionName("--vault")} and ${optionName("--vault-key-file")}.`,
    });
  }
  const { path: file, key } = named;
  const { digester, bridged } = checkpoint;
  const wanted = wantedVault(checkpoint);
  const reseal = policy.onUnusableHash === "reseal";
  const vault = Vault.open(file, {
    key,
    binding: boundTo(checkpoint, binding),
    mustExist: wanted !== undefined && !reseal,
    wanted: reseal ? undefined : wanted,
  });
  const isOther =
    wanted !== undefined && (vault.id !== wanted.id || vault.imports < wanted.imports);
  /**
   * The run counts as an import of the vault once it keeps a hash: in the vault first, so that a kill
   * in between leaves a vault that is no older than the checkpoint says.
   */
  const count = async (): Promise<void> => {
    const imports = await vault.countImport(wanted?.imports);
    await bridged.note({ id: vault.id, imports, file, start: start ?? null }, isOther);
  };
  let counted: Promise<void> | null = null;
  // Before any user is sent: nobody may be forgotten whose hash is yet to be kept again.
  if (isOther) {
    counted = count();
    await counted.catch((error: unknown) => {
      closeAfterFailure(vault);
      throw error;
    });
  }
  return {
    async keep(email, kept) {
      counted ??= count();
      await counted;
      const what = "upstream" in kept ? kept : kept.hash;
      const standIn = await vault.standIn(email, what, saltOf(digester.contact("email", email)));
      const before = vault.get(email)?.standIns ?? [];
      const others = before.filter((other) => other.hash !== standIn.hash);
      await vault.put(email, { ...kept, standIns: [standIn, ...others].slice(0, MOST) });
      return standIn;
    },
    async erase(email) {
      if (vault.nameOf(email) !== null) await vault.erase(email);
    },
    close: () => vault.close(),
  };
}

/**
 * The vault on which this migration's users depend, to erase what it has of those who are removed.
 *
 * @param options a dry run, which erases nothing, may name none
 * @returns undefined where nobody depends on one, or none is named
 * @throws RunError `usage` (no vault is named), and as {@link Vault.open}
 */
export function openForErasure(
  {
    vault: named,
    binding,
    dryRun,
  }: Pick<ImportOptions, "vault" | "binding"> & { readonly dryRun: boolean },
  checkpoint: Checkpoint,
): Pick<Vault, "nameOf" | "eraseNamed" | "close"> | undefined {
  const wanted = wantedVault(checkpoint);
  if (wanted === undefined || wanted.users === 0) return undefined;
  if (named == null) {
    if (dryRun) return undefined;
    const users =
      wanted.users === 1 ? "1 user's old hash is" : `${wanted.users} users' old hashes are`;
    throw new RunError("usage", `${users} in the vault ${wanted.file}, and no vault is named.`, {
      hint: `Name its file and its key's with ${optionName("--vault")} and ${optionName("--vault-key-file")}: what it has of users who are removed is erased.`,
    });
  }
  const { path, key } = named;
  return Vault.open(path, { key, binding: boundTo(checkpoint, binding), mustExist: true, wanted });
}

/** What a vault is bound to. */
function boundTo({ digester }: Checkpoint, binding: CoreBinding) {
  return {
    // Of the checkpoint's salt: another checkpoint has another one.
    migration: Buffer.from(digester.id("vault", "", ""), "latin1").toString("hex"),
    core: binding.kind === "remote" ? binding.url : binding.coreId,
  };
}

/**
 * Refuses a run that takes no vault while users depend on one: a changed row of theirs would count as
 * unchanged, and the new password let nobody in. Since the cut-over no run brings one.
 *
 * @throws RunError `vault_missing`
 */
function requireNobodyKept(policy: Policy, checkpoint: Checkpoint): void {
  if (KEEPS_HASHES[policy.onUnusableHash] || checkpoint.cutOver() !== null) return;
  const wanted = wantedVault(checkpoint);
  if (wanted === undefined) return;
  const { found, left } = lookForVault(wanted, dirname(checkpoint.path));
  const users = found === "latest" ? left : wanted.users;
  if (users + wanted.lost > 0) throw vaultNotTaken({ ...wanted, users });
}

/** What stands in a vault's place, as the end of a sentence. */
const INSTEAD = {
  missing: "isn't there",
  other: "is another one",
  older: "is an older copy",
} as const;

/**
 * Refuses a dry run where the import would stop for its vault, as far as that shows without a key.
 *
 * @param named the vault's path; undefined where no option names it: then the one that was named last
 * @throws RunError `vault_missing`
 */
export function requireVaultThere(
  policy: Policy,
  checkpoint: Checkpoint,
  named: string | undefined,
): void {
  requireNobodyKept(policy, checkpoint);
  const wanted = policy.onUnusableHash === "bridge" ? wantedVault(checkpoint) : undefined;
  if (wanted === undefined) return;
  const { found, file } =
    named === undefined
      ? lookForVault(wanted, dirname(checkpoint.path))
      : lookForVault({ ...wanted, file: named }, ".");
  if (found === "unreadable") throw vaultInvalid(file);
  if (found !== "latest") throw vaultMissing(file, INSTEAD[found], wanted);
}

/** The vault on which users of earlier runs depend; undefined where nobody does. */
function wantedVault({ bridged }: Checkpoint): WantedVault | undefined {
  const noted = bridged.vault();
  if (noted === null) return undefined;
  const { users, lost } = bridged.count();
  return users === 0 ? undefined : { ...noted, users: users - lost, lost };
}

/** The same of each hash that is kept of the user: so the core tells a stand-in from what the user has set. */
function saltOf(email: Key): Buffer {
  return digest("sha256", `stand-in\n${email}`, "buffer").subarray(0, SALT_BYTES);
}
