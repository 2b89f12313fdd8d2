/** What `bridge` does beside serving: it makes a vault's key, tells who is left, seals a vault anew, and removes it. */

import { writeFileSync } from "node:fs";
import { RunError, systemErrorCode } from "../../errors/run-error.js";
import { csvLine } from "../../report/lists.js";
import { count, printable } from "../../report/text.js";
import { purgeVault, readVault, remainingUsers } from "../../vault/vault-care.js";
import { Vault } from "../../vault/vault.js";
import { newVaultKey, parseVaultKey } from "../../vault/vault-keys.js";
import { type VaultValues, vaultOf } from "../options/vault.js";
import { writeNewFile } from "../output-file.js";
import { confirm, requireAgreeable } from "../prompts.js";
import { readSmallFile } from "../small-file.js";
import { commandLine } from "../resume-command.js";
import type { Terminal } from "../terminal.js";

type PurgeValues = VaultValues & { readonly yes: boolean };

/** What is said of users whom the vault doesn't fit. */
export const UNMATCHED =
  "typed the right old password, and the core had something else than the vault says: they have set a password there since, or the vault is an older copy";

/** @throws RunError `config_invalid` where there is such a file: it may be the key of another vault */
export function writeKey(path: string): void {
  try {
    writeFileSync(path, newVaultKey(), { flag: "wx", mode: 0o600 });
  } catch (cause) {
    const why =
      systemErrorCode(cause) === "EEXIST" ? "there is such a file" : "it can't be written";
    throw new RunError("config_invalid", `--new-key ${path}: ${why}.`, {
      hint: "Name a new file in a folder that this user may write to: the key of a vault that is in use can't be replaced.",
      cause,
    });
  }
}

/** What is done with the vault and no core. */
export function careFor(
  values: VaultValues & {
    readonly rekey?: string | undefined;
    readonly exportRemaining?: string | undefined;
  },
  terminal: Terminal,
): void {
  const { vault: path = "", rekey, exportRemaining } = values;
  const key = vaultOf(values)?.key;
  if (exportRemaining !== undefined && key !== undefined) {
    const { ids, unnamed } = remainingUsers(path, key);
    writeNewFile(
      exportRemaining,
      ["vendor_id", ...ids].map((id) => csvLine([id])),
    );
    terminal.note(printable(`${count(ids.length, "id")} in ${exportRemaining}.`));
    if (unnamed > 0) terminal.note(`${count(unnamed, "user")} more left without an id to tell.`);
  }
  if (rekey !== undefined && key !== undefined) {
    const newKey = parseVaultKey(readSmallFile(rekey, "--rekey"));
    Vault.open(path, { key, binding: null, mustExist: true }).rekey(newKey);
    terminal.note(`The vault opens with the key in ${rekey} alone from now on.`);
  }
  const status = readVault(path);
  const { users, core, unmatched } = status;
  terminal.answer({ type: "vault", vault: path, ...status, removed: [], exitCode: 0 }, () => [
    `${count(users, "user")} left in ${path}, of the core ${core}`,
    ...(unmatched === 0 ? [] : [`of them ${count(unmatched, "user")} ${UNMATCHED}`]),
  ]);
}

/** @throws RunError `usage` */
export function requirePurge(what: string, { vault, yes }: PurgeValues, canPrompt: boolean): void {
  if (what !== "purge") {
    throw new RunError("usage", "bridge takes no files; purge is all that may stand behind it.", {
      hint: "The vault is named by --vault FILE.",
    });
  }
  if (vault === undefined) {
    throw new RunError("usage", "No vault is named that is to be removed.", {
      hint: "Name it with --vault FILE.",
    });
  }
  requireAgreeable(vault, commandLine(["bridge", "--status", "--vault", vault]), yes || canPrompt);
}

/** Removes a vault, once few users are left in it. */
export async function purge(values: PurgeValues, terminal: Terminal): Promise<void> {
  const { vault: path = "", yes } = values;
  if (!yes) {
    const left = count(readVault(path).users, "user");
    terminal.note(`${left} left, who can then sign in after a reset of their password alone.`);
    await confirm("removal", terminal, `Remove ${printable(path)}?`);
  }
  const purged = purgeVault(path);
  const { users, removed } = purged;
  if (terminal.outputMode.json) {
    terminal.event({ type: "vault", vault: path, ...purged, exitCode: 0 });
    return;
  }
  terminal.result(`Removed ${removed.join(", ")}: ${count(users, "user")}.`);
  terminal.note("Its key opens nothing any more; delete it, too.");
}
