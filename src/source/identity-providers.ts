/** Tells by a provider's name whose identity it is: the vendor's own, a social network's, or an organization's. */

import { remembering } from "./remembering.js";
import { readWords, setOf, type Words, wordsAs } from "./word-lists.js";

/**
 * - `own`: the vendor's own password, or codes that it sends itself.
 * - `social`: an account that a person made for themselves; the user becomes passwordless.
 * - `enterprise`: an organization's identity provider, which a code would bypass (`sso_only`).
 */
export type IdentityKind = "own" | "social" | "enterprise";

const WAYS = readWords<{ readonly own: string; readonly social: string; readonly same: Words }>(
  "ways",
);

/**
 * Firebase, Supabase (GoTrue), Clerk, Auth0 and Cognito, by their lists of sign-in methods:
 * firebase.google.com/docs/reference/js/auth `ProviderId`, supabase.com/docs/guides/auth,
 * clerk.com/docs/authentication, auth0.com/docs/authenticate/identity-providers. A vendor's own
 * name isn't here: beside one vendor's users it means another's, which is an organization's.
 */
const OWN = setOf(WAYS.own);

/** Without the prefixes and endings that vendors put around them; see {@link plainName}. */
const SOCIAL = setOf(WAYS.social);

/** A prefix before the name (`oauth_google`), and what comes behind it (`google.com`, `linkedin_oidc`). */
const AROUND = /^(?:from_)?oauth2?_|(?:\.com|[-_](?:oauth2|oidc|openid-connect|oauth))$/g;

/** An export names few providers. */
const MOST_KNOWN = 1000;

/**
 * What kind of identity a provider's name stands for, as vendors' exports write it: `google.com`,
 * `oauth_google`, `google-oauth2`, `SignInWithApple`, `saml.acme`, `sso:…`. An unknown name counts
 * as an organization's, the answer that lets no user in.
 */
export const identityKind = remembering((provider): IdentityKind => {
  const name = plainName(provider);
  if (SOCIAL.has(name)) return "social";
  return OWN.has(name) ? "own" : "enterprise";
}, MOST_KNOWN);

/** Names that stand for an account of another name. */
const SAME = new Map(Object.entries(WAYS.same).flatMap(([name, others]) => wordsAs(others, name)));

/**
 * The social network's own name for a provider, as in `google` for `google.com`, `google-oauth2` and
 * `oauth_google`; null for one that isn't known. A service with ids of its own isn't its owner:
 * `playgames.google.com`.
 */
export function socialName(provider: string): string | null {
  const name = plainName(provider);
  if (!SOCIAL.has(name) || /^(?:gc|playgames)(?:$|\.)/.test(name)) return null;
  return SAME.get(name) ?? name;
}

function plainName(provider: string): string {
  return provider.trim().toLowerCase().replace(AROUND, "").replace(/[-_ ]/g, "");
}
