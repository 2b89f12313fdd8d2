/** Opens a bridge over a vault's file: passwords are verified on threads, within a bound of memory for all together. */

import { randomBytes } from "node:crypto";
import type { Core } from "../core/core.js";
import { VerificationPool } from "../core/embedded/verification/pool.js";
import { optionName } from "../errors/option-name.js";
import { findLegacyHash } from "../hash/legacy/find-legacy-hash.js";
import { Vault } from "../vault/vault.js";
import { Bridge, type Credentials, type Fits } from "./bridge.js";
import { connectUpstream, unclear, type Upstream } from "./upstream/ask.js";

/** What a bridge is opened with. */
export interface OpenBridgeOptions {
  /** The file that an import wrote, and the 32 bytes of its key. */
  readonly vault: { readonly path: string; readonly key: Uint8Array };
  /** The core that the import was into; it stays the caller's to close. */
  readonly core: Core & { readonly coreId?: string };
  /** The vendor that is asked for users without a hash; needed where the import had `--upstream`. */
  readonly upstream?: Upstream | undefined;
  /** As {@link Bridge} tells it. */
  readonly onUnmatched?: () => void;
  /** How many passwords are verified at once, each on a thread of its own; by default one less than there are processors, at least one. */
  readonly threads?: number;
  /** How much memory they may take together, in bytes; half of this machine's, or of its container's, by default. */
  readonly memoryBytes?: number;
}

/** A bridge that is open; to be closed before its core. */
export interface OpenBridge extends Pick<Bridge, "verify" | "unguarded"> {
  /** How many users are in the vault. */
  left(): number;
  /** How many of them typed the right old password while the core had another one than the vault says. */
  unmatched(): number;
  /** Lets verifications under way end, and closes the vault. */
  close(): Promise<void>;
}

/**
 * Opens a bridge, and locks its vault against other processes until it is closed.
 *
 * @throws RunError `vault_key_wrong`, `vault_missing`, `in_use`, `file_not_private`, `disk`, `config_invalid` (a variable that names no proxy)
 */
export function openBridge(options: OpenBridgeOptions): OpenBridge {
  const { vault: file, core, upstream, onUnmatched, ...bounds } = options;
  const { target, coreId = "" } = core;
  const binding = { migration: null, core: target.kind === "remote" ? target.url : coreId };
  const vendor = upstream === undefined ? null : connectUpstream(upstream);
  const vault = Vault.open(file.path, { key: file.key, binding, mustExist: true });
  // The service bounds how many wait; a caller of the library does so itself.
  const pool = new VerificationPool({ ...bounds, queue: Number.POSITIVE_INFINITY });
  const fits: Fits = async (kept, user, isKnown) => {
    if ("upstream" in kept) {
      // The import kept users for a vendor that this bridge wasn't given.
      if (vendor?.vendor !== kept.upstream) {
        throw unclear(`this bridge has no ${optionName("--upstream")} ${kept.upstream}`);
      }
      const credentials = isKnown ? { ...user, email: kept.email ?? user.email } : stranger();
      const answer = await vendor.ask(credentials, isKnown);
      return answer === "factor" && !kept.factorIsSettled ? answer : answer !== "wrong";
    }
    const { hash, context } = kept;
    const parsed = findLegacyHash(hash, context);
    if (parsed === null || "outOfBounds" in parsed) return false;
    return pool.run({ hash: { hash, context }, password: user.password }, parsed.memory);
  };
  const bridge = new Bridge({ vault, core, fits, onUnmatched });
  return {
    verify: (credentials) => bridge.verify(credentials),
    unguarded: bridge.unguarded,
    left: () => vault.count(),
    unmatched: () => vault.countUnmatched(),
    async close() {
      await pool.close();
      await bridge.settled();
      await vendor?.close();
      vault.close();
    },
  };
}

/** Asked about in the place of a user who isn't in the vault: the vendor takes as long, and learns nothing of that user. */
function stranger(): Credentials {
  const hex = (bytes: number): string => randomBytes(bytes).toString("hex");
  return { email: `${hex(8)}@example.com`, password: hex(12) };
}
