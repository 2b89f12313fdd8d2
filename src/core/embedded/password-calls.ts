/** Importing a user with a hash (interface.md 4.4) and signing in with its password. A hash that could never verify is refused. A sign-in takes as long for an unknown email as for a known one. */

import { createHmac } from "node:crypto";
import { RunError } from "../../errors/run-error.js";
import { checkHash, hashAlgorithmOf } from "../../hash/grammar.js";
import { excessOf } from "../../hash/verify.js";
import type { GivenHash } from "../account-import.js";
import type { Core, ReplaceOutcome } from "../core.js";
import { CoreFailure, refusal } from "../core-failure.js";
import { requireEmail, storedEmail } from "./contacts.js";
import { joinedAt, type Making } from "./new-user.js";
import { ask, found, type Script, texts } from "./script.js";
import type { Store } from "./store.js";
import { someHash } from "./user-lists.js";
import { asUser, EMAIL_PASSWORD, USER_COLUMNS, type UserRow } from "./user-row.js";
import { importPasswords } from "./users.js";

/** A hash without a password. It is verified for an unknown email while no user has a hash. */
const DECOY_HASH = "$2a$10$a97.EJNdLQc0H6/eMXIHUO9QgnDyiIoJfB44zfyWBauCS489wEItS";

const TOO_COSTLY = {
  time: "passwordHash: its cost is so high that no sign-in can wait for it",
  memory: "passwordHash: it takes more memory to verify than this machine can give",
} as const;

const POINT_BYTES = 6;
/** When a sign-in that found no memory should come again, in milliseconds. */
const MEMORY_RETRY_MS = 1000;

interface PasswordSettings extends Making {
  /** Whether a hash was made from a password; rejects as `VerificationPool.verify`. */
  readonly verify: (hash: string, password: string) => Promise<boolean>;
}

export function passwordCalls(store: Store, settings: PasswordSettings) {
  const { signerKey, verify, now, newUserId } = settings;
  const keep = store.batched("change", importPasswords);
  const lacksKey = (hash: string): boolean =>
    signerKey === null && hashAlgorithmOf(hash) === "vendor_scrypt";

  /**
   * What a sign-in with an unknown email verifies: one user's hash, picked by a keyed digest of the
   * email. So it is always the same user's, and a stranger can't foretell whose. The core id is the
   * key: it is random, no answer shows it, and a restart doesn't change it.
   */
  async function decoyFor(email: string): Promise<string> {
    const digest = createHmac("sha256", store.coreId).update(email).digest();
    const point = digest.readUIntBE(0, POINT_BYTES) / 256 ** POINT_BYTES;
    const hash = await store.read(() => someHash(point));
    return hash !== null && !lacksKey(hash) && excessOf(hash) === null ? hash : DECOY_HASH;
  }

  return {
    lacksSignerKey: async () => signerKey === null && store.readAll(() => found(VENDOR_SCRYPT)),

    async importUser(request) {
      const email = requireEmail(request.email);
      const passwordHash = requireHash(request, signerKey);
      const nowMs = now();
      const newUser = { userId: newUserId(nowMs), timeJoined: joinedAt(request, nowMs) };
      const { userId, timeJoined, existed } = await keep({ user: newUser, email, passwordHash });
      return {
        status: "OK",
        user: { userId, email, timeJoined, recipe: "emailpassword" },
        didUserAlreadyExist: existed,
      };
    },

    async replacePassword({ email, currentHash, passwordHash, anyOfSalt = false }) {
      const given = requireHash({ passwordHash }, signerKey);
      const address = storedEmail(email);
      if (address === null) return { status: "UNKNOWN_USER" };
      const replace = () => replaceIfSame(address, currentHash, given, anyOfSalt);
      return { status: await store.change(replace) };
    },

    async signIn({ email, password }) {
      const address = storedEmail(email);
      // Both lookups always run, so that known and unknown emails take the same time.
      const [[kept], decoy] = await Promise.all([
        address === null ? [] : store.read(() => ask<PasswordRow>(PASSWORD_OF, address)),
        decoyFor(address ?? email),
      ]);
      const hash = kept?.[0] ?? decoy;
      if (lacksKey(hash)) throw signerKeyMissing();
      const verified = await verify(hash, password).catch((error) => cannotVerify(hash, error));
      if (kept === undefined || !verified) return { status: "WRONG_CREDENTIALS_ERROR" };
      const [, ...user] = kept;
      return { status: "OK", user: asUser(user) };
    },
  } satisfies Partial<Core> & Record<"lacksSignerKey", () => Promise<boolean>>;
}

const VENDOR_SCRYPT =
  "SELECT 1 FROM auth_core.users WHERE password_hash LIKE '$f_scrypt$%' LIMIT 1";

type PasswordRow = readonly [passwordHash: string, ...UserRow];

const PASSWORD_OF = `SELECT password_hash, ${USER_COLUMNS} FROM auth_core.users
  WHERE email = $1 AND recipe = ${EMAIL_PASSWORD}`;

/** One statement compares and writes: a change at the same time comes before it or after it. */
function* replaceIfSame(
  email: string,
  currentHash: string,
  passwordHash: string,
  anyOfSalt: boolean,
): Script<ReplaceOutcome["status"]> {
  const where = `WHERE recipe = ${EMAIL_PASSWORD} AND email =`;
  const isReplaced = yield* found(
    `UPDATE auth_core.users SET password_hash = $1 ${where} $2 AND password_hash = $3
     RETURNING user_id`,
    passwordHash,
    email,
    currentHash,
  );
  if (isReplaced) return "OK";
  const [hash] = yield* texts(`SELECT password_hash FROM auth_core.users ${where} $1`, email);
  if (hash === undefined) return "UNKNOWN_USER";
  const beginning = currentHash.slice(0, currentHash.lastIndexOf("$") + 1);
  if (!hash.startsWith(beginning)) return "CHANGED";
  return anyOfSalt ? yield* replaceIfSame(email, hash, passwordHash, false) : "OTHER";
}

/** @throws CoreFailure `refused`, `signer_key_missing` */
export function requireHash(
  { passwordHash: given, hashingAlgorithm }: GivenHash,
  signerKey: string | null,
): string {
  // SuperTokens trims, too: no hash begins or ends with a blank.
  const passwordHash = given.trim();
  if (hashingAlgorithm === "vendor_scrypt" && signerKey === null) throw signerKeyMissing();
  const checked = checkHash(passwordHash, hashingAlgorithm);
  if (!checked.ok) throw refusal(`passwordHash: ${checked.reason}`);
  if (checked.algorithm === "vendor_scrypt" && signerKey === null) throw signerKeyMissing();
  const excess = excessOf(passwordHash);
  if (excess !== null) throw refusal(TOO_COSTLY[excess]);
  return passwordHash;
}

/** A hash had room where it was imported. A data file from a larger machine may hold one that this machine can't bear. */
function cannotVerify(hash: string, cause: unknown): never {
  if (!(cause instanceof RunError) || cause.code !== "hash_too_costly") throw cause;
  if (excessOf(hash) === null) {
    throw new CoreFailure("busy", "this machine has no memory left to verify the user's hash", {
      reached: "no",
      status: 503,
      retryAfterMs: MEMORY_RETRY_MS,
      cause,
    });
  }
  throw new CoreFailure("broken", "the user's hash is too costly to verify on this machine", {
    reached: "yes",
    status: 500,
    cause,
  });
}

function signerKeyMissing(): CoreFailure {
  return new CoreFailure(
    "signer_key_missing",
    "the core's configuration has no vendor_password_hashing_signer_key",
    { reached: "yes", status: 400 },
  );
}
