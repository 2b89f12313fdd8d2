/** Tells by names which of a user's identities at Auth0 are the tenant's own database, codes that Auth0 sends, social accounts, or an organization's provider. */

import { identityKind } from "../../identity-providers.js";
import { listed, readWords, setOf } from "../../word-lists.js";

/**
 * - `database`: a password, kept by Auth0 or by the customer's own database behind it.
 * - `email`, `sms`: codes that Auth0 sends there (auth0.com/docs/authenticate/passwordless).
 * - `social`: an account that a person made for themselves.
 * - `enterprise`: an organization's identity provider, which a code would bypass.
 */
type Auth0IdentityKind = "database" | "email" | "sms" | "social" | "enterprise";

/** One of a user's identities. The first of a user's is the primary one. */
export interface Auth0Identity {
  /** Auth0's strategy: `auth0`, `google-oauth2`, `samlp`, … */
  readonly provider: string;
  /** The id within the provider; empty where the export has none. */
  readonly id: string;
  /** The connection's name; empty where the export has none. */
  readonly connection: string;
  /** Null where the export doesn't say. */
  readonly isSocial: boolean | null;
  /** Of a linked identity, from its `profileData`; the primary one's are the user's own. */
  readonly email: string;
  readonly emailVerified: boolean | null;
  readonly phone: string;
  readonly phoneVerified: boolean | null;
}

const OWN: ReadonlyMap<string, Auth0IdentityKind> = new Map([
  ["auth0", "database"],
  ["email", "email"],
  ["sms", "sms"],
]);

const { auth0: NAMES } = readWords<{
  readonly auth0: { readonly organizations: string; readonly others: string };
}>("ways");

/**
 * The strategies of auth0.com/docs/authenticate/enterprise-connections, which no flag overrules.
 */
const ENTERPRISE = setOf(NAMES.organizations);

/** All that may stand before the `|` of a user_id: node-auth0's `UserIdentityProviderEnum`. */
const PROVIDERS = [...OWN.keys(), ...ENTERPRISE, ...listed(NAMES.others)];

const USER_ID = new RegExp(`^(?:${PROVIDERS.join("|")})\\|.`);
const USER_ID_CELL = new RegExp(`(?:^|[\\n\\r,;\\t"'])(?:${PROVIDERS.join("|")})\\|[^\\s"]`);

/** Whether a text is a user_id as Auth0 makes them: a provider of its own before a `|`. */
export function isUserId(text: string): boolean {
  return USER_ID.test(text);
}

/** Whether a cell of a table's text begins as a user_id does. */
export function holdsUserId(text: string): boolean {
  return USER_ID_CELL.test(text);
}

/** The kind of an identity. An unknown one counts as an organization's, which lets no user in. */
export function kindOf({ provider, isSocial }: Auth0Identity): Auth0IdentityKind {
  const own = OWN.get(provider);
  if (own !== undefined) return own;
  if (ENTERPRISE.has(provider) || isSocial === false) return "enterprise";
  return isSocial === true || identityKind(provider) === "social" ? "social" : "enterprise";
}

/**
 * The one identity that a user_id itself tells of, where an export has no list of them.
 *
 * @param connection empty where it isn't known
 */
export function identityOf(userId: string, connection: string): Auth0Identity {
  const at = userId.indexOf("|");
  return {
    // A bulk import puts the prefix before the id only when it is done, and all of it into one
    // database (auth0.com/docs/manage-users/user-migration/bulk-user-import-schema).
    provider: at === -1 ? "auth0" : userId.slice(0, at),
    id: userId.slice(at + 1),
    connection,
    isSocial: null,
    email: "",
    emailVerified: null,
    phone: "",
    phoneVerified: null,
  };
}
