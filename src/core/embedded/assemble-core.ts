/** Builds the embedded core on an open store, be that a data file or a database. */

import { RunError } from "../../errors/run-error.js";
import { SIGNER_KEY_BYTES } from "../../hash/vendor-scrypt.js";
import type { ScryptPasswordEncoding } from "../../hash/verify.js";
import type { PartHandlers } from "../account-parts.js";
import type { Core, CoreTarget } from "../core.js";
import { accountCalls } from "./account-calls.js";
import { codeCalls } from "./code-calls.js";
import { metadataCalls } from "./parts/metadata.js";
import { roleCalls } from "./parts/roles.js";
import { thirdPartyCalls } from "./parts/third-party.js";
import { totpCalls } from "./parts/totp.js";
import { verificationCalls } from "./parts/verification.js";
import { queueCalls } from "./queue/queue-calls.js";
import { importQueued } from "./queue/queue-job.js";
import { passwordCalls } from "./password-calls.js";
import type { Store } from "./store.js";
import { userCalls } from "./user-calls.js";
import { userIdGenerator } from "./new-user.js";
import { VerificationPool } from "./verification/pool.js";

const DEFAULT_CODE_LIFETIME_MS = 900_000;
const DEFAULT_MAX_CODE_INPUT_ATTEMPTS = 5;

/** How an embedded core works, wherever it keeps its users. */
export interface CoreSettings {
  /** The vendor account's `base64_signer_key` (interface.md 4.5); null by default. */
  readonly signerKey?: string | null;
  /**
   * How passwords of vendor scrypt hashes become bytes at sign-in: `utf8` (the default) as at the
   * vendor, `ascii` as SuperTokens does it, for a true rehearsal.
   */
  readonly scryptPasswordEncoding?: ScryptPasswordEncoding | undefined;
  /** How long a code is good for, in milliseconds; 900 000 by default. */
  readonly codeLifetimeMs?: number | undefined;
  /** The wrong digits that end a device; 5 by default. */
  readonly maxCodeInputAttempts?: number | undefined;
  /** How many passwords are verified at once, each on a thread of its own; by default one less than there are processors, at least one. */
  readonly verificationThreads?: number | undefined;
  /** How many sign-ins may wait for one of those threads before further ones are told to come back later (`busy`); 64 by default. */
  readonly verificationQueue?: number | undefined;
  /** The clock, in epoch milliseconds; `Date.now` by default. */
  readonly now?: () => number;
}

/** A core in this process. */
export interface EmbeddedCore extends Core {
  /** Random, made with the data file or the database's tables and never changed: a checkpoint is bound to it. */
  readonly coreId: string;
  /** Writes what is in the queue, and leaves what can't be written yet or at all in it: one round of the job that `serve` does by the clock. The signal ends it between two transactions. */
  importQueued(signal?: AbortSignal): Promise<void>;
  /** Whether some user can't sign in since there is no signer key. Without one it reads all users: a third of a second for a million. */
  lacksSignerKey(): Promise<boolean>;
}

/**
 * Looks at the settings before anything is opened or made.
 *
 * @throws RunError `config_invalid` (a signer key that can't be one)
 */
export function requireSettings({ signerKey = null }: CoreSettings): void {
  if (signerKey === null) return;
  // With a truncated key, imports would succeed and every sign-in would fail.
  const bytes = Buffer.from(signerKey, "base64").length;
  if (bytes === SIGNER_KEY_BYTES) return;
  throw new RunError(
    "config_invalid",
    `the signer key is ${bytes} bytes of base64, not ${SIGNER_KEY_BYTES}`,
    { hint: "Copy base64_signer_key whole from the vendor's console." },
  );
}

/** @param store closed with the core */
export function assembleCore(
  store: Store,
  target: CoreTarget,
  settings: CoreSettings,
): EmbeddedCore {
  const { signerKey = null, scryptPasswordEncoding = "utf8", now = Date.now } = settings;
  const making = { signerKey, now, newUserId: userIdGenerator() };
  const verification = new VerificationPool({
    signerKey,
    scryptPasswordEncoding,
    threads: settings.verificationThreads,
    queue: settings.verificationQueue,
  });
  const { queueAccounts, listQueued, ...queueParts } = queueCalls(store, making);
  const parts: PartHandlers = {
    ...queueParts,
    ...metadataCalls(store),
    ...roleCalls(store),
    ...verificationCalls(store, now),
    ...totpCalls(store, now),
  };
  return {
    target,
    coreId: store.coreId,
    ...codeCalls(store, {
      ...making,
      codeLifetimeMs: settings.codeLifetimeMs ?? DEFAULT_CODE_LIFETIME_MS,
      maxCodeInputAttempts: settings.maxCodeInputAttempts ?? DEFAULT_MAX_CODE_INPUT_ATTEMPTS,
    }),
    ...passwordCalls(store, {
      ...making,
      verify: (hash, password) => verification.verify(hash, password),
    }),
    ...accountCalls(store, making),
    queueAccounts,
    listQueued,
    importQueued: (signal) => importQueued(store, now, signal),
    ...userCalls(store),
    ...thirdPartyCalls(store, making),
    async capabilities() {
      return {
        emailVerification: true,
        metadata: true,
        thirdParty: true,
        totp: true,
        roles: (await parts.listRoles({})).roles,
        accountLinking: false,
        bulkImport: true,
        tenants: ["public"],
        timeJoined: true,
        importAccount: true,
      };
    },
    part: async (name, request) => parts[name](request),
    probe: () => store.probe(),
    async close() {
      await Promise.all([store.close(), verification.close()]);
    },
  };
}
