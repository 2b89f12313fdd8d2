/** The bridge on the wire: `POST /verify`, and what an operator's monitoring asks. */

import { z } from "zod";
import { TEXT } from "../core/account-parts.js";
import { CoreFailure, refusal } from "../core/core-failure.js";
import { type Endpoint, failure, json, type Reply, type Service } from "../core/http/listener.js";
import { endpointPath } from "../core/http/paths.js";
import { bodyOf } from "../core/http/request.js";
import { byPath } from "../core/http/route.js";
import { RunError } from "../errors/run-error.js";
import type { BridgeAnswer } from "./bridge.js";
import type { OpenBridge } from "./open-bridge.js";

/** Sign-ins that are verified or wait for it; more are told to come again. */
const MOST_UNDER_WAY = 256;

const BODY = z.object({ email: TEXT, password: TEXT });

/** How a sign-in may end, by its name in the metrics. */
const ENDINGS = {
  OK: "ok",
  WRONG_CREDENTIALS_ERROR: "wrong",
  FACTOR_LOST: "factor_lost",
  TOO_MANY_ATTEMPTS: "too_many",
  FAILED: "failed",
} as const satisfies Record<BridgeAnswer["status"] | "FAILED", string>;

/**
 * A bridge's endpoints.
 *
 * @param onFailure told why sign-ins fail, when that changes; no word of any user is in it
 */
export function bridgeService(
  bridge: Pick<OpenBridge, "verify" | "unguarded" | "left" | "unmatched">,
  onFailure: (why: string) => void,
): Service {
  const counts = new Map<string, number>();
  let underWay = 0;
  /** Why the last sign-in failed; null where it didn't. */
  let lastFailure: string | null = null;

  function count(ending: keyof typeof ENDINGS): void {
    counts.set(ending, (counts.get(ending) ?? 0) + 1);
  }

  async function verify(body: z.infer<typeof BODY>): Promise<Reply> {
    if (underWay >= MOST_UNDER_WAY) return failed("too many sign-ins are under way");
    underWay += 1;
    try {
      const answer = await bridge.verify(body);
      count(answer.status);
      lastFailure = null;
      return replyTo(answer);
    } catch (error) {
      // The core, the vault or this machine failed: whether the password is right isn't known.
      return failed(reasonOf(error), error instanceof CoreFailure ? error.retryAfterMs : undefined);
    } finally {
      underWay -= 1;
    }
  }

  function failed(why: string, retryAfterMs = 1000): Reply {
    count("FAILED");
    if (why !== lastFailure) onFailure(why);
    lastFailure = why;
    return comeAgain(503, "the bridge can't tell now", retryAfterMs);
  }

  return {
    name: "bridge",
    pathOf: endpointPath,
    routes: byPath<Endpoint>([
      {
        method: "POST",
        path: "/verify",
        async answer(incoming) {
          const body = await bodyOf(incoming, BODY);
          if (body.email.trim() === "") throw refusal("email: is empty");
          return verify(body);
        },
      },
      { method: "GET", path: "/metrics", answer: async () => metrics(counts, bridge) },
    ]),
    open: new Map([["/health", () => json(200, { status: "OK" })]]),
    otherwise: () => failure(404, "no such endpoint"),
  };
}

/** Another error's text might repeat what was sent. */
function reasonOf(error: unknown): string {
  if (error instanceof CoreFailure) return `the core: ${error.message} (${error.kind})`;
  return error instanceof RunError ? `${error.message} (${error.code})` : "internal";
}

function replyTo(answer: BridgeAnswer): Reply {
  if (answer.status === "FACTOR_LOST") {
    return failure(403, "the user has a second factor at the vendor, which wasn't carried");
  }
  if (answer.status !== "TOO_MANY_ATTEMPTS") return json(200, { status: answer.status });
  return comeAgain(429, "too many attempts for this user", answer.retryAfterMs);
}

function comeAgain(status: number, message: string, retryAfterMs: number): Reply {
  return failure(status, message, { "retry-after": String(Math.ceil(retryAfterMs / 1000)) });
}

/** In the text format of Prometheus. */
function metrics(
  counts: ReadonlyMap<string, number>,
  { unguarded, left, unmatched }: Pick<OpenBridge, "unguarded" | "left" | "unmatched">,
): Reply {
  const { times, ms, mostMs } = unguarded;
  const lines = [
    "# TYPE auth_migrate_bridge_sign_ins counter",
    ...Object.entries(ENDINGS).map(
      ([ending, name]) =>
        `auth_migrate_bridge_sign_ins{answer="${name}"} ${counts.get(ending) ?? 0}`,
    ),
    "# TYPE auth_migrate_bridge_users_left gauge",
    `auth_migrate_bridge_users_left ${left()}`,
    "# TYPE auth_migrate_bridge_users_unmatched gauge",
    `auth_migrate_bridge_users_unmatched ${unmatched()}`,
    "# TYPE auth_migrate_bridge_unguarded_seconds summary",
    `auth_migrate_bridge_unguarded_seconds_sum ${ms / 1000}`,
    `auth_migrate_bridge_unguarded_seconds_count ${times}`,
    "# TYPE auth_migrate_bridge_unguarded_seconds_max gauge",
    `auth_migrate_bridge_unguarded_seconds_max ${mostMs / 1000}`,
  ];
  return { status: 200, contentType: "text/plain; version=0.0.4", text: `${lines.join("\n")}\n` };
}
