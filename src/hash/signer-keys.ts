/** The one signer key of a run whose hashes carry their account's key. A core holds one key and can't tell that a hash was made with another. */

import { toStandardBase64 } from "./base64.js";

export interface SignerKeys {
  /** The key that is known, else the first one taken; null while there is none. */
  readonly key: string | null;
  /**
   * Whether a hash that carries `key` is of the run's account. Where no key is known yet, this one
   * becomes the run's: hashes come in the order of the rows.
   *
   * @param key base64 in either alphabet, padded or not
   */
  take(key: string): boolean;
}

/**
 * @param known the key that was given, in `--hash-config`, the core's configuration or the
 * environment; null where none was given
 */
export function createSignerKeys(known: string | null): SignerKeys {
  let own = known;
  return {
    get key() {
      return own;
    },
    take(key) {
      own ??= key;
      return toStandardBase64(own) === toStandardBase64(key);
    },
  };
}
