/** Options of the vault, in which hashes are kept that no core takes. */

import { RunError } from "../../errors/run-error.js";
import { KEEPS_HASHES } from "../../plan/policy.js";
import { parseVaultKey } from "../../vault/vault-keys.js";
import { readSmallFile } from "../small-file.js";
import type { OptionSpecs, ValuesOf } from "./option.js";
import type { PlanningValues } from "./reading.js";
import type { TargetValues } from "./target.js";
import { text } from "./types.js";
import { upstream } from "./upstream.js";

export const vault = {
  vault: {
    flags: "--vault <file>",
    group: "Which users are taken",
    help: "the vault of hashes that no core takes",
    docs: "An import makes it, if it isn't there ([bridge.md](bridge.md))",
    type: text,
  },
  vaultKeyFile: {
    flags: "--vault-key-file <file>",
    group: "Which users are taken",
    help: "file that holds the vault's key, as bridge --new-key makes it",
    type: text,
  },
  ...upstream,
} as const satisfies OptionSpecs;

export type VaultValues = ValuesOf<typeof vault>;

export type VaultNames = Partial<Pick<VaultValues, "vault" | "vaultKeyFile">>;

/** Which of a vault and its key no option names, for a message; null where both are named. */
export function unnamedVault({ vault, vaultKeyFile }: VaultNames): string | null {
  if (vault === undefined) return "no vault is named";
  return vaultKeyFile === undefined ? "the file of its key isn't named" : null;
}

/** @throws RunError `usage` where options contradict each other */
export function requireVault(
  values: VaultValues &
    Pick<PlanningValues, "onUnusableHash"> &
    Pick<TargetValues, "onExisting" | "assumeEmpty" | "dryRun"> & {
      /** Only a part of a split export is read. */
      readonly isPart?: boolean;
    },
): void {
  const { onUnusableHash, onExisting, assumeEmpty, dryRun, isPart } = values;
  const isBridge = KEEPS_HASHES[values.onUnusableHash];
  const unnamed = unnamedVault(values);
  if (isBridge && unnamed !== null && !dryRun) {
    const what = `--on-unusable-hash ${onUnusableHash} keeps hashes, and ${unnamed}.`;
    throw new RunError("usage", what, {
      hint: "Name its file and its key's with --vault FILE and --vault-key-file FILE; auth-migrate bridge --new-key FILE makes a key.",
    });
  }
  if (!isBridge && (values.vault ?? values.vaultKeyFile ?? values.upstream) !== undefined) {
    throw new RunError("usage", "A vault or a vendor is named, and nothing is to be kept.", {
      hint: "Give --on-unusable-hash bridge, which brings users of a file without hashes without a password, or leave --vault, --vault-key-file and --upstream out.",
    });
  }
  if (isBridge && (onExisting === "update" || assumeEmpty)) {
    const option = assumeEmpty ? "--assume-empty" : "--on-existing update";
    const what = `${option} would replace passwords at the core by ones that the bridge alone knows.`;
    throw new RunError("usage", what, {
      hint: "Leave users who are at the core as they are: --on-existing skip.",
    });
  }
  if (isBridge && isPart) {
    const what = "A vault is one migration's, and a part of a split export has its own.";
    throw new RunError("usage", what, { hint: "Import the whole export in one run." });
  }
}

/**
 * The vault's file and its key.
 *
 * @throws RunError `config_invalid`, `vault_key_wrong`
 */
export function vaultOf(
  values: VaultValues,
): { readonly path: string; readonly key: Uint8Array } | undefined {
  const { vault: path, vaultKeyFile: file } = values;
  if (path === undefined || file === undefined) return undefined;
  return { path, key: parseVaultKey(readSmallFile(file, "--vault-key-file")) };
}
