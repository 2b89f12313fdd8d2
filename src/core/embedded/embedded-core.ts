/** The authentication core inside this process, on one data file. It answers nothing before it is durable, and speaks no HTTP. */

import { RunError } from "../../errors/run-error.js";
import { SIGNER_KEY_BYTES } from "../../hash/vendor-scrypt.js";
import type { ScryptPasswordEncoding } from "../../hash/verify.js";
import type { Core } from "../core.js";
import { codeCalls } from "./code-calls.js";
import { passwordCalls } from "./password-calls.js";
import { openSqliteStore, type SqliteStoreOptions } from "./sqlite/sqlite-store.js";
import type { Store } from "./store.js";
import { asOpenError } from "./store-failure.js";
import { userCalls } from "./user-calls.js";
import { userIdGenerator } from "./user-id.js";
import { verificationPool } from "./verification/pool.js";

const DEFAULT_CODE_LIFETIME_MS = 900_000;
const DEFAULT_MAX_CODE_INPUT_ATTEMPTS = 5;

/** What opening an embedded core needs. */
export interface EmbeddedCoreOptions {
  /** The data file; created, mode 0600, unless `mustExist`. */
  readonly file: string;
  /** The vendor account's `base64_signer_key` (interface.md 4.5); null by default. */
  readonly signerKey?: string | null;
  /**
   * How passwords of vendor scrypt hashes become bytes at sign-in: `utf8` (the default) as at the
   * vendor, `ascii` as the public counterpart of the core does it, for a true rehearsal.
   */
  readonly scryptPasswordEncoding?: ScryptPasswordEncoding;
  /** Refuse to create the file; false by default. */
  readonly mustExist?: boolean;
  /** How long a code is good for, in milliseconds; 900 000 by default. */
  readonly codeLifetimeMs?: number;
  /** The wrong digits that end a device; 5 by default. */
  readonly maxCodeInputAttempts?: number;
  /** How many passwords are verified at once, each on a thread of its own; by default one less than there are processors, at least one. */
  readonly verificationThreads?: number;
  /** How many sign-ins may wait for one of those threads before further ones are told to come back later (`busy`); 64 by default. */
  readonly verificationQueue?: number;
  /** How long a call waits, in milliseconds, while another process writes to the file, before it is refused as `busy`; 10 000 by default. */
  readonly lockWaitMs?: number;
  /** The clock, in epoch milliseconds; `Date.now` by default. */
  readonly now?: () => number;
  /** SQLite's page cache in MiB; 8 by default. */
  readonly cacheMiB?: number;
}

/** A core in this process. */
export interface EmbeddedCore extends Core {
  /** The data file's random id, made with it and never changed: a checkpoint is bound to it. */
  readonly coreId: string;
}

/**
 * Opens the core on a data file. Several processes may have one file open.
 *
 * @throws RunError `data_file_missing` (with `mustExist`), `data_file_invalid` (another
 *   application's file, or a newer version's), `config_invalid` (a signer key that can't be one),
 *   `outage` (another process holds the file), `disk`
 */
export function openEmbeddedCore(options: EmbeddedCoreOptions): EmbeddedCore {
  const { file, signerKey = null, mustExist = false, lockWaitMs, cacheMiB } = options;
  const { codeLifetimeMs = DEFAULT_CODE_LIFETIME_MS, now = Date.now } = options;
  const { maxCodeInputAttempts = DEFAULT_MAX_CODE_INPUT_ATTEMPTS } = options;
  const { scryptPasswordEncoding = "utf8" } = options;
  if (signerKey !== null) requireSignerKey(signerKey);
  const store = openStore({ file, mustExist, lockWaitMs, cacheMiB });
  const newUserId = userIdGenerator();
  const { verificationThreads: threads, verificationQueue: queue } = options;
  const verification = verificationPool({ signerKey, scryptPasswordEncoding, threads, queue });
  return {
    target: { kind: "embedded", file },
    coreId: store.coreId,
    ...codeCalls(store, { codeLifetimeMs, maxCodeInputAttempts, now, newUserId }),
    ...passwordCalls(store, { signerKey, verify: verification.verify, now, newUserId }),
    ...userCalls(store),
    async probe() {},
    async close() {
      await Promise.all([store.close(), verification.close()]);
    },
  };
}

function openStore(options: SqliteStoreOptions): Store {
  try {
    return openSqliteStore(options);
  } catch (error) {
    throw asOpenError(error, options.file);
  }
}

/** A cut-off key would let imports in and everybody out. */
function requireSignerKey(signerKey: string): void {
  const bytes = Buffer.from(signerKey, "base64").length;
  if (bytes === SIGNER_KEY_BYTES) return;
  throw new RunError(
    "config_invalid",
    `the signer key is ${bytes} bytes of base64, not ${SIGNER_KEY_BYTES}`,
    { hint: "Copy base64_signer_key whole from the vendor's console." },
  );
}
