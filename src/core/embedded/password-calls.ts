/** Importing a user with a hash (interface.md 4.4) and signing in with its password. What could never verify is not stored. */

import { normalizeEmail } from "../../contact/email.js";
import { hashAlgorithmOf } from "../../hash/algorithm.js";
import { RunError } from "../../errors/run-error.js";
import { checkHash } from "../../hash/grammar.js";
import { type ScryptPasswordEncoding, verifyPassword } from "../../hash/verify.js";
import type { Core, ImportRequest } from "../core.js";
import { CoreFailure, refusal } from "../core-failure.js";
import { requireEmail } from "./contacts.js";
import type { Store } from "./store.js";

/** Nobody's password has this hash. Checked for unknown emails, so that they cost what known ones do. */
const DECOY_HASH = "$2a$10$a97.EJNdLQc0H6/eMXIHUO9QgnDyiIoJfB44zfyWBauCS489wEItS";

export interface PasswordSettings {
  /** Base64, or null where none is configured (interface.md 4.5). */
  readonly signerKey: string | null;
  readonly scryptPasswordEncoding: ScryptPasswordEncoding;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly newUserId: (nowMs: number) => string;
}

export function passwordCalls(
  store: Store,
  settings: PasswordSettings,
): Pick<Core, "importUser" | "signIn"> {
  const { signerKey, scryptPasswordEncoding, now, newUserId } = settings;

  function requireHash({ passwordHash, hashingAlgorithm }: ImportRequest): string {
    if (hashingAlgorithm === "vendor_scrypt" && signerKey === null) throw signerKeyMissing();
    const checked = checkHash(passwordHash, hashingAlgorithm);
    if (!checked.ok) throw refusal(`passwordHash: ${checked.reason}`);
    if (checked.algorithm === "vendor_scrypt" && signerKey === null) throw signerKeyMissing();
    return passwordHash;
  }

  return {
    async importUser(request) {
      const email = requireEmail(request.email);
      const passwordHash = requireHash(request);
      const nowMs = now();
      const newUser = { userId: newUserId(nowMs), timeJoined: nowMs };
      const { userId, timeJoined, existed } = await store.importUser(newUser, email, passwordHash);
      return {
        status: "OK",
        user: { userId, email, timeJoined, recipe: "emailpassword" },
        didUserAlreadyExist: existed,
      };
    },

    async signIn({ email, password }) {
      const address = normalizeEmail(email);
      const found = address === null ? null : await store.findPassword(address);
      const hash = found?.passwordHash ?? DECOY_HASH;
      if (signerKey === null && hashAlgorithmOf(hash) === "vendor_scrypt") throw signerKeyMissing();
      const verified = await verifyPassword(hash, password, {
        signerKey,
        scryptPasswordEncoding,
      }).catch(cannotVerify);
      return found !== null && verified
        ? { status: "OK", user: found.user }
        : { status: "WRONG_CREDENTIALS_ERROR" };
    },
  };
}

/** A hash that was taken as well formed may still ask for more memory or time than there is. */
function cannotVerify(error: unknown): never {
  if (!(error instanceof RunError) || error.code !== "hash_too_costly") throw error;
  throw new CoreFailure("broken", "the user's hash is too costly to verify on this machine", {
    reached: "yes",
    status: 500,
    cause: error,
  });
}

function signerKeyMissing(): CoreFailure {
  return new CoreFailure(
    "signer_key_missing",
    "the core's configuration has no vendor_password_hashing_signer_key",
    { reached: "yes", status: 400 },
  );
}
