/** Asks a vendor that hands out no hash whether a password is right. */

import { RunError } from "../../errors/run-error.js";
import type { UpstreamName } from "../../hash/legacy/kept-password.js";
import { auth0 } from "./auth0.js";
import type { UpstreamAccount, UpstreamCall, UpstreamUser } from "./call.js";
import { cognito } from "./cognito.js";
import { firebase } from "./firebase.js";
import { keycloak } from "./keycloak.js";
import { okta } from "./okta.js";

/** Add a vendor here. */
const CALLS: Readonly<Record<UpstreamName, UpstreamCall>> = {
  cognito,
  okta,
  auth0,
  firebase,
  keycloak,
};

/** A vendor that can be asked. */
export interface Upstream extends UpstreamAccount {
  readonly vendor: UpstreamName;
  /** For the whole call, in milliseconds; 10 000 by default. */
  readonly timeoutMs?: number;
}

/**
 * Makes the vendor's published sign-in call once. What it answers beside its verdict, as tokens, is
 * dropped.
 *
 * @param isKnown whether the vault has the user
 * @returns `factor` for a right password behind which the vendor asks for more
 * @throws RunError `upstream_unclear` where it isn't known whether the password is right
 */
export async function askUpstream(
  upstream: Upstream,
  user: UpstreamUser,
  isKnown: boolean,
): Promise<"right" | "factor" | "wrong"> {
  const { vendor, url, timeoutMs = 10_000 } = upstream;
  const { request, read } = CALLS[vendor];
  const { path, headers, body } = request(user, upstream);
  const { status, answer } = await post(vendor, url + path, {
    ...{ method: "POST", redirect: "error", headers, body },
    signal: AbortSignal.timeout(timeoutMs),
  });
  const said = read(status, answer);
  switch (said) {
    case "right":
    case "factor":
    case "wrong":
      return said;
    case "hidden":
      if (!isKnown) return "wrong";
      throw unclear(`${vendor} may have locked a user out for a while`);
    case "busy":
      throw unclear(`${vendor} takes no more attempts for a while (${status})`);
    case "unclear":
      throw unclear(`${vendor} answered ${status} and no word that is understood`);
  }
}

async function post(
  vendor: string,
  url: string,
  init: RequestInit,
): Promise<{ readonly status: number; readonly answer: Readonly<Record<string, unknown>> }> {
  try {
    const response = await fetch(url, init);
    const { status } = response;
    const answer: unknown = await response.json().catch(() => null);
    return { status, answer: Object(answer) as Readonly<Record<string, unknown>> };
  } catch (cause) {
    throw unclear(`${vendor} can't be reached`, cause);
  }
}

/** The import kept users for a vendor that this bridge wasn't given. */
export function notAsked(vendor: UpstreamName): RunError {
  return unclear(`this bridge has no --upstream ${vendor}`);
}

function unclear(what: string, cause?: unknown): RunError {
  return new RunError("upstream_unclear", `Whether a password is right can't be told: ${what}.`, {
    hint: "Where it stays so, check --upstream-url, --upstream-client and its secret, and that the client may use the call of docs/bridge.md.",
    cause,
  });
}
