/** What stands inside a wrapper, a container or a credential, as its opener hands it on to normalization. */

import type { CarriedScrypt } from "./build-vendor-scrypt.js";
import type { Refusal } from "./flaw.js";
import type { Step } from "./steps.js";

/** One of: a text to be normalized; the vendor's scrypt with or without parameters of its own; a refusal; no password. */
export type Inner =
  | {
      readonly kind: "text";
      readonly text: string;
      readonly steps: readonly Step[];
      /** True where the length of the hash stood beside it and is right: nothing was cut off. */
      readonly isWhole?: true;
    }
  | { readonly kind: "scrypt"; readonly carried: CarriedScrypt; readonly steps: readonly Step[] }
  | {
      readonly kind: "salted";
      readonly hash: string;
      readonly salt: string;
      /** What the name of an algorithm beside it says that it is: never the vendor's scrypt. */
      readonly named?: "digest" | "derived";
    }
  | { readonly kind: "verdict"; readonly verdict: Refusal | { readonly verdict: "none" } };

/** Opens one form of texts that hold a hash in something else; null for a text of another form. */
export type Opener = (text: string) => Inner | null;

/** An {@link Inner} that is refused. */
export function refused({ refusal }: { readonly refusal: Refusal }): Inner {
  return { kind: "verdict", verdict: refusal };
}
