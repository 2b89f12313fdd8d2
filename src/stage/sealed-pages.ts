/** Pages in a private file, sealed under a key that lives in memory alone. */

import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { createScratchFile, type ScratchFile } from "../sqlite/scratch-file.js";

const CIPHER = "aes-256-gcm";
const TAG_BYTES = 16;

/** Where a page stands. */
export interface SealedPage {
  readonly nonce: number;
  readonly at: number;
  readonly bytes: number;
}

export class SealedPages {
  readonly #scratch: ScratchFile;
  readonly #key = randomBytes(32);
  #bytes = 0;
  #sealed = 0;

  /** @param directory where the file is made, which has no name and is gone with the process */
  constructor(directory: string) {
    this.#scratch = createScratchFile(directory);
  }

  /** Writes a page behind all others. @throws RunError `disk` */
  write(page: Uint8Array): SealedPage {
    const nonce = this.#sealed;
    const cipher = createCipheriv(CIPHER, this.#key, nonceOf(nonce));
    const bytes = Buffer.concat([cipher.update(page), cipher.final(), cipher.getAuthTag()]);
    const at = this.#bytes;
    this.#scratch.write(bytes, at);
    this.#sealed += 1;
    this.#bytes += bytes.length;
    return { nonce, at, bytes: bytes.length };
  }

  /** @throws RunError `disk` */
  read({ nonce, at, bytes: length }: SealedPage): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    this.#scratch.read(bytes, at);
    const decipher = createDecipheriv(CIPHER, this.#key, nonceOf(nonce));
    const end = length - TAG_BYTES;
    decipher.setAuthTag(bytes.subarray(end));
    return Buffer.concat([decipher.update(bytes.subarray(0, end)), decipher.final()]);
  }

  close(): void {
    this.#scratch.close();
  }
}

/** No two pages have the same, also where one is written anew, and no two files have one key. */
function nonceOf(sealed: number): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32LE(sealed);
  return nonce;
}
