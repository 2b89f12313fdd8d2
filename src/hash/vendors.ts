/** The vendors by whose name a bare hash is judged: its text doesn't show whether the password was changed first. Each row of the tables names its source. */

import { defineFlaw, type Flaw } from "./flaw.js";
import type { AcceptedHash, HashVerdict, NormalizeOptions } from "./hash.js";
import { PLAIN } from "./steps.js";
import { APPLICATIONS } from "./vendors/applications.js";
import { FRAMEWORKS } from "./vendors/frameworks.js";
import { asTyped, type VendorRow } from "./vendors/vendor.js";

/** One vendor by whose name a bare bcrypt or argon2 hash is judged. */
export interface Vendor extends VendorRow {
  readonly aliases: readonly string[];
  /** Empty where it does nothing to the password. */
  readonly what: string;
  /** The refusal of its hashes, where it always changes the password; else null. */
  readonly flaw: Flaw | null;
}

/** Identity services and servers, by what their own sources or manuals say about their hashes. */
const SERVICES: readonly VendorRow[] = [
  asTyped("firebase", "Firebase Authentication", "firebase/scrypt: README.md"),
  asTyped("auth0", "Auth0", "auth0.com/docs, Bulk User Import Database Schema and Examples"),
  asTyped("supabase", "Supabase Auth", "supabase/auth: internal/crypto/password.go", "gotrue"),
  asTyped("clerk", "Clerk", "clerk.com/docs, Export your users from Clerk"),
  asTyped("keycloak", "Keycloak", "keycloak/keycloak: Argon2PasswordHashProvider.java"),
  asTyped(
    "okta",
    "Okta",
    "developer.okta.com, Users API, Create User with Imported Hashed Password",
  ),
  asTyped("fusionauth", "FusionAuth", "FusionAuth/fusionauth-site: password-hashes.mdx"),
  asTyped("kratos", "Ory Kratos", "ory/kratos: hasher_bcrypt.go", "ory"),
  asTyped("appwrite", "Appwrite", "appwrite/appwrite: Auth/Hash/Argon2.php"),
  asTyped("authgear", "Authgear", "authgear/authgear-server: pkg/util/password/bcrypt.go"),
  asTyped("nhost", "Nhost", "nhost/hasura-auth: src/utils/password.ts"),
  asTyped("supertokens", "SuperTokens", "supertokens/supertokens-core: PasswordHashing.java"),
  asTyped("htpasswd", "Apache's htpasswd", "apache/httpd: passwd_common.c", "apache"),
  asTyped("dovecot", "Dovecot", "dovecot/core: password-scheme-crypt.c"),
  asTyped("openldap", "OpenLDAP", "openldap/openldap: slapd/pwmods/argon2.c", "ldap"),
];

/** All vendors that `--from` knows beside the sources, in the order of the docs. */
export const VENDORS: readonly Vendor[] = [...SERVICES, ...FRAMEWORKS, ...APPLICATIONS].map(
  (row): Vendor => {
    const { aliases = [], what = "" } = row;
    const flaw = row.preHash === "always" ? defineFlaw("prehashed_unmarked", what) : null;
    return { ...row, aliases, what, flaw };
  },
);

/** In a vendor's place: a mapping says it of a system that hashes passwords as typed and has no row. */
const AS_TYPED = "as-typed";

const POSSIBLE: readonly string[] = ["prehash_possible"];

const BY_NAME = new Map(
  VENDORS.flatMap((vendor) => [vendor.name, ...vendor.aliases].map((name) => [name, vendor])),
);

const PLAIN_STEPS: ReadonlySet<string> = new Set(Object.keys(PLAIN));

/** @returns the vendor of that name or alias, or null */
export function findVendor(name: string): Vendor | null {
  return BY_NAME.get(name) ?? null;
}

/**
 * The verdict in the light of its vendor. A bare bcrypt or argon2 text doesn't show whether the
 * password was hashed as typed; the vendor's name does, or the form around the hash. A vendor that
 * always changes the password wins over the operator's `as-typed`, since a wrong promise would
 * lock users out. Vendor scrypt isn't doubted: only the vendor makes it.
 */
export function judgePreHash(verdict: AcceptedHash, options: NormalizeOptions): HashVerdict {
  if (verdict.algorithm === "vendor_scrypt") return verdict;
  const name = options.vendor ?? null;
  const vendor = name === null ? null : findVendor(name);
  if (vendor !== null && vendor.flaw !== null) {
    return vendor.plain?.shows(verdict) === true ? verdict : vendor.flaw.refusal;
  }
  const isAsTyped = vendor?.preHash === "never" || name === AS_TYPED;
  if ((isAsTyped && options.onWord !== true) || options.allowHash?.includes(AS_TYPED)) {
    return verdict;
  }
  if (verdict.steps.some((step) => PLAIN_STEPS.has(step))) return verdict;
  const { algorithm, hash, steps } = verdict;
  const notices = verdict.notices.length === 0 ? POSSIBLE : [...verdict.notices, ...POSSIBLE];
  return { verdict: "accepted", algorithm, hash, steps, notices };
}
