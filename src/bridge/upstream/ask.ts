/** Asks a vendor that hands out no hash whether a password is right, straight or through a proxy, as a core is asked. */

import { rootCertificates } from "node:tls";
import type { Answer } from "../../core/http/answer-failure.js";
import { openConnections } from "../../core/http/client-connections.js";
import { AnswerReader } from "../../core/http/transport.js";
import { RunError } from "../../errors/run-error.js";
import type { UpstreamName } from "../../hash/legacy/kept-password.js";
import type { Credentials } from "../bridge.js";
import { type Said, type UpstreamAccount, VENDORS } from "./vendors.js";

/** A vendor that can be asked. */
export interface Upstream extends UpstreamAccount {
  readonly vendor: UpstreamName;
  /** For a connection, and then for the whole call, in milliseconds; 10 000 by default. */
  readonly timeoutMs?: number;
  /** A certificate authority (PEM) to trust beside Node's own. */
  readonly ca?: string | undefined;
  /** The variables that may name a proxy, `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`; none by default. */
  readonly env?: NodeJS.ProcessEnv;
}

/** The most calls to the vendor at once; further ones wait. */
const CONNECTIONS = 64;

/**
 * Connects only when the vendor is asked, and follows no redirect.
 *
 * @throws RunError `config_invalid`: a variable that names no proxy
 */
export function connectUpstream(upstream: Upstream) {
  const { vendor, ca, env = {}, timeoutMs = 10_000 } = upstream;
  const { origin, pathname } = new URL(upstream.url);
  const connections = openConnections(origin, {
    connections: CONNECTIONS,
    timeoutMs,
    env,
    ...(ca === undefined ? {} : { ca: [...rootCertificates, ca].join("\n") }),
  });
  const { request, read } = VENDORS[vendor];
  const post = async (user: Credentials): Promise<Answer> => {
    const { path, headers, body } = request(user, upstream);
    const call = { origin, method: "POST", path: pathname.replace(/\/$/, "") + path } as const;
    try {
      return await new Promise((resolve, reject) => {
        const reader = new AnswerReader(timeoutMs, resolve, reject);
        connections.dispatch({ ...call, headers, body }, reader);
      });
    } catch (cause) {
      throw unclear(`${vendor} can't be reached`, cause);
    }
  };
  /** What an answer says. One that fails, as a gateway's before the vendor, says nothing of the password. */
  const meaningOf = ({ status, text }: Answer): Said => {
    if (status === 429) return "busy";
    return status >= 500 ? "unclear" : read(status, objectIn(text));
  };
  return {
    vendor,
    /** Lets calls in flight end. */
    close: () => connections.close(),
    /**
     * Makes the vendor's published sign-in call once. What it answers beside its verdict, as tokens,
     * is dropped.
     *
     * @param isKnown whether the vault has the user
     * @returns `factor` for a right password behind which the vendor asks for more
     * @throws RunError `outage` where it isn't known whether the password is right
     */
    async ask(user: Credentials, isKnown: boolean): Promise<"right" | "factor" | "wrong"> {
      const answer = await post(user);
      const said = meaningOf(answer);
      switch (said) {
        case "hidden":
          if (!isKnown) return "wrong";
          throw unclear(`${vendor} may have locked a user out for a while`);
        case "busy":
          throw unclear(`${vendor} takes no more attempts for a while (${answer.status})`);
        case "unclear":
          throw unclear(`${vendor} answered ${answer.status} and no word that is understood`);
        default:
          return said;
      }
    },
  };
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

export function unclear(what: string, cause?: unknown): RunError {
  return new RunError("outage", `Whether a password is right can't be told: ${what}.`, {
    hint: "Where it stays so, check --upstream-url, --upstream-client and its secret, and that the client may use the call of docs/bridge.md.",
    cause,
  });
}
