/** The vault's cryptography: a key of its own for each record, and digests in the place of emails. Pure; it reads no file. */

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import { RunError } from "../errors/run-error.js";
import { toStandardBase64 } from "../hash/base64.js";

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = "aes-256-gcm";
/** Records are filled up to a multiple of it: a box's length would tell the format of its hash. */
const BLOCK = 512;

/** A new key, as its file holds it. */
export function newVaultKey(): string {
  return `${randomBytes(KEY_BYTES).toString("base64")}\n`;
}

/**
 * The key that a key file holds: 32 random bytes in base64.
 *
 * @throws RunError `vault_key_wrong`
 */
export function parseVaultKey(text: string): Buffer {
  const digits = toStandardBase64(text.trim());
  const key = digits === null ? null : Buffer.from(digits, "base64");
  if (key?.length === KEY_BYTES) return key;
  throw new RunError("vault_key_wrong", "The file of the vault's key doesn't hold a key.", {
    hint: "It holds 32 random bytes in base64 and nothing else; auth-migrate bridge --new-key FILE makes one. Nothing opens a vault without the key that it was made with.",
  });
}

export type VaultKeys = ReturnType<typeof createVaultKeys>;

/**
 * Opens and closes the boxes of the vault `id` under the key of its file (HKDF, RFC 5869; AES-256-GCM, NIST SP
 * 800-38D). Each name has a key of its own, so that a record's nonces count for that record alone.
 */
export function createVaultKeys(key: Uint8Array, id: Uint8Array) {
  const derive = (info: string, salt: Uint8Array): Buffer =>
    Buffer.from(hkdfSync("sha256", key, salt, `auth-migrate vault: ${info}`, KEY_BYTES));
  const bound = (name: Uint8Array): Buffer => Buffer.concat([id, name]);
  const boxKey = (name: Uint8Array): Buffer => derive("record", bound(name));
  return {
    /** Tells this key from others, and nothing of it. */
    check: derive("check", id),
    /** A box of `text`, bound to this vault and to `name`: moved to another name, it doesn't open. */
    seal(name: Uint8Array, text: string): Buffer {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, boxKey(name), nonce).setAAD(bound(name));
      const bytes = Buffer.from(text);
      const filling = Buffer.alloc(BLOCK - (bytes.length % BLOCK), " ");
      const sealed = [cipher.update(bytes), cipher.update(filling), cipher.final()];
      return Buffer.concat([nonce, ...sealed, cipher.getAuthTag()]);
    },
    /** The text of a box; null for a box of another key or name, or a damaged one. */
    open(name: Uint8Array, box: Uint8Array): string | null {
      const end = box.length - TAG_BYTES;
      if (end < NONCE_BYTES) return null;
      const decipher = createDecipheriv(CIPHER, boxKey(name), box.subarray(0, NONCE_BYTES));
      decipher.setAAD(bound(name)).setAuthTag(box.subarray(end));
      try {
        const opened = [decipher.update(box.subarray(NONCE_BYTES, end)), decipher.final()];
        return Buffer.concat(opened).toString().trimEnd();
      } catch {
        return null;
      }
    },
  };
}

/** Whether two checks are of one key. */
export function isSameKey(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

/** What names an email in a vault. Only `seed` leads back to the email. */
export function emailDigest(seed: Uint8Array, email: string): Buffer {
  return createHmac("sha256", seed).update(`email\0${email}`).digest();
}
