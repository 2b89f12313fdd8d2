/** The dialects: the few wire names in which cores differ. `interface` is interface.md word for word; `supertokens` is that of SuperTokens. */

/** The names that `--dialect` takes. */
export const DIALECT_NAMES = ["interface", "supertokens"] as const;

/** A dialect by its name. */
export type DialectName = (typeof DIALECT_NAMES)[number];

/** What stands before an app's name in SuperTokens' paths; interface.md has neither apps nor tenants. */
export const APP_PREFIX = "appid-";

/** The name of the app, and of the tenant, that is there anyway. */
export const PUBLIC = "public";

/** The app and the tenant that a core's URL ends in, as in `/appid-shop/t1`; empty for the public ones. */
export function scopeIn(url: string): string {
  return /\/appid-(?!public(?:\/public)?$)[^/]+(?:\/[^/]+)?$/.exec(url)?.[0] ?? "";
}

/** How one dialect names things. */
export interface Dialect {
  readonly name: DialectName;
  /** The value of `hashingAlgorithm` for a vendor scrypt hash (interface.md 4.4). */
  readonly vendorScrypt: string;
  /** The core's configuration field that holds the vendor's signer key (interface.md 4.5); in upper case the variable. */
  readonly signerKeyField: string;
  /** The fields of an update that hold the user's id (interface.md 4.3). SuperTokens asks for another one since its version 4.0 and ignores what it doesn't know. */
  readonly userIdFields: readonly string[];
}

/** Every dialect by its name. The first one is the default of a core that doesn't say. */
export const DIALECTS = {
  interface: {
    name: "interface",
    vendorScrypt: "vendor_scrypt",
    signerKeyField: "vendor_password_hashing_signer_key",
    userIdFields: ["userId"],
  },
  supertokens: {
    name: "supertokens",
    vendorScrypt: "firebase_scrypt",
    signerKeyField: "firebase_password_hashing_signer_key",
    userIdFields: ["userId", "recipeUserId"],
  },
} as const satisfies Record<DialectName, Dialect>;
