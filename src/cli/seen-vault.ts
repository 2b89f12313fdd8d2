/** What a checkpoint says to a command that comes later: how far it is, its core, and its vault, once the file was looked for, of which it knows the name alone. */

import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { type CheckpointStatus, readStatus } from "../checkpoint/status.js";
import { KEEPS_HASHES } from "../plan/policy.js";
import { usersOfBridge } from "../report/headline.js";
import { lookForVault } from "../vault/vault-care.js";
import { namesCore } from "./core-choice.js";
import { pick, type ValuesOf, wordsOf } from "./options/option.js";
import { DEFAULT_CHECKPOINT } from "./options/general.js";
import { salt } from "./options/proving.js";
import { planning, type PlanningValues } from "./options/reading.js";
import { type CoreValues, whichCore } from "./options/target.js";
import { upstream } from "./options/upstream.js";
import { vault as vaultOptions, type VaultValues } from "./options/vault.js";

/** The status with what stands where its vault is looked for. */
export function withSeenVault(status: CheckpointStatus): CheckpointStatus {
  const { vault, checkpoint } = status;
  if (vault === null) return status;
  return { ...status, vault: { ...vault, ...lookForVault(vault, dirname(checkpoint)) } };
}

/** What earlier runs of a checkpoint came to. Null where there was none, and where the file can't be read: the run itself will say why. */
export function finishedBefore(checkpoint: string): CheckpointStatus | null {
  try {
    // Before the run opens it: a reader in this process would keep the run from folding the file.
    const status = existsSync(checkpoint) ? readStatus(checkpoint) : null;
    return status?.users === 0 ? null : status;
  } catch {
    return null;
  }
}

/** By what an import for the bridge reads hashes, or does without them: the next one needs it, too. */
const bridging = { ...upstream, ...salt } as const;

/** Values of the options by which an import finds its core and its vault. */
export type FindingValues = Partial<CoreValues & VaultValues & ValuesOf<typeof bridging>> &
  Pick<PlanningValues, "onUnusableHash">;

/**
 * What an import with the checkpoint of earlier runs has to be given, where no option says it: their
 * core, and the bridge with all of its options as long as a user depends on their vault. The names
 * of the vault and its key stand there in any case.
 */
export function knownValues(
  earlier: CheckpointStatus | null,
  values: FindingValues,
): Partial<FindingValues> {
  if (earlier === null) return {};
  const { bridged, check, command, core, vault } = withSeenVault(earlier);
  // Where no command ran, but the library, the checkpoint has the URL alone.
  const url = core?.kind === "remote" ? `--core ${core.url}` : "";
  // What starts the bridge has the core, and not by what the hashes are read.
  const words = shellWords(`${vault?.start ?? check?.join(" ") ?? url} ${command ?? ""}`).flatMap(
    (word) => (word.startsWith("--") ? word.split(/=(.*)/s, 2) : word),
  );
  const isKept = vault !== null && usersOfBridge({ bridged, vault }) + vault.lost > 0;
  const isToKeep = isKept && !KEEPS_HASHES[values.onUnusableHash];
  const options = {
    ...(namesCore(values) ? {} : whichCore),
    ...pick(vaultOptions, "vaultKeyFile"),
    ...(isKept && values.upstream === undefined ? upstream : {}),
    ...(isKept && values.prehashSaltFile === undefined ? salt : {}),
  };
  const found = Object.entries(options).flatMap(([name, { flags, ...spec }]) => {
    const at = words.indexOf(flags.replace(/ .*/, ""));
    return at < 0 ? [] : [[name, "type" in spec ? words[at + 1] : true]];
  });
  const onUnusableHash = isToKeep ? ("bridge" as const) : undefined;
  return { ...Object.fromEntries(found), vault: vault?.file, onUnusableHash };
}

/**
 * The words that an import lacks to keep hashes; none for one that keeps none.
 *
 * @param known what its checkpoint says
 */
export function lackedVault(
  { onUnusableHash, vault, vaultKeyFile, checkpoint }: FindingValues,
  known: Partial<FindingValues> = {},
): string[] {
  if (!KEEPS_HASHES[known.onUnusableHash ?? onUnusableHash]) return [];
  const { vaultKeyFile: key = NEW_KEY } = known;
  return [
    ...(vault === undefined ? ["--vault", known.vault ?? vaultNameFor(checkpoint)] : []),
    ...(vaultKeyFile === undefined ? ["--vault-key-file", key] : []),
  ];
}

/** The checkpoint's own vault, or a name that is free: a vault is one migration's. */
function vaultNameFor(checkpoint = DEFAULT_CHECKPOINT): string {
  const status = finishedBefore(checkpoint);
  const own = status && withSeenVault(status).vault;
  if (own) return own.file;
  let file = NEW_VAULT;
  const beside = checkpoint.replace(/\.checkpoint$/, "");
  for (let others = 1; existsSync(file); others += 1) {
    file = `${beside}${others === 1 ? "" : `-${others}`}.vault`;
  }
  return file;
}

/**
 * The words that were typed, with those by which earlier imports for the same bridge read hashes: a
 * later one may do without them, and what goes on with it may not.
 *
 * @returns whom the bridge asks, as well
 */
export function typedForBridge(argv: readonly string[], values: FindingValues) {
  const { checkpoint = DEFAULT_CHECKPOINT, onUnusableHash } = values;
  const earlier = KEEPS_HASHES[onUnusableHash] ? finishedBefore(checkpoint) : null;
  const known = knownValues(earlier, values);
  const upstream = values.upstream ?? known.upstream;
  return { argv: [...argv, ...wordsOf(bridging, known)], upstream };
}

/** The words that an import needs by what its checkpoint knows, beside those of {@link lackedVault}. */
export function knownWords(known: Partial<FindingValues>): string[] {
  return [...wordsOf(whichCore, known), ...bridgeWords(known)];
}

/** Those of them that say what becomes of hashes. */
export function bridgeWords(known: Partial<FindingValues>): string[] {
  return wordsOf({ ...pick(planning, "onUnusableHash"), ...bridging }, known);
}

/** Names for a vault that no option names, and for its key. */
const NEW_VAULT = "users.vault";
export const NEW_KEY = "vault.key";

/** The words of a command that was printed to be typed in a shell. */
export function shellWords(command: string): string[] {
  const words = command.match(/(?:'[^']*'|\\'|[^\s'])+/g) ?? [];
  return words.map((word) => word.replace(/'([^']*)'|\\(')/g, "$1$2"));
}
