/** The bridge on the wire: `POST /verify`, and what an operator's monitoring asks. */

import { z } from "zod";
import { TEXT } from "../core/account-parts.js";
import { CoreFailure, refusal } from "../core/core-failure.js";
import { failure, json, type Reply, type Service } from "../core/http/listener.js";
import { endpointPath } from "../core/http/paths.js";
import { bodyOf } from "../core/http/request.js";
import { RunError } from "../errors/run-error.js";
import type { BridgeAnswer } from "./bridge.js";
import type { OpenBridge } from "./open-bridge.js";

/** Sign-ins that are verified or wait for it; more are told to come again. */
const MOST_UNDER_WAY = 256;

const BODY = z.object({ email: TEXT, password: TEXT });

/** How many sign-ins ended in each way since the start. */
type BridgeCounts = Record<BridgeAnswer["status"] | "FAILED", number>;

/**
 * A bridge's endpoints.
 *
 * @param onFailure told why sign-ins fail, when that changes; no word of any user is in it
 */
export function bridgeService(
  bridge: Pick<OpenBridge, "verify" | "unguarded" | "left" | "unmatched">,
  onFailure: (why: string) => void,
): Service {
  const counts: BridgeCounts = {
    OK: 0,
    WRONG_CREDENTIALS_ERROR: 0,
    FACTOR_LOST: 0,
    TOO_MANY_ATTEMPTS: 0,
    FAILED: 0,
  };
  let underWay = 0;
  let told: string | null = null;

  async function verify(body: z.infer<typeof BODY>): Promise<Reply> {
    if (underWay >= MOST_UNDER_WAY) return failed("too many sign-ins are under way");
    underWay += 1;
    try {
      const answer = await bridge.verify(body);
      counts[answer.status] += 1;
      told = null;
      return replyTo(answer);
    } catch (error) {
      // The core, the vault or this machine failed: whether the password is right isn't known.
      return failed(reasonOf(error), error instanceof CoreFailure ? error.retryAfterMs : undefined);
    } finally {
      underWay -= 1;
    }
  }

  function failed(why: string, retryAfterMs = 1000): Reply {
    counts.FAILED += 1;
    if (why !== told) onFailure(why);
    told = why;
    return comeAgain(503, "the bridge can't tell now", retryAfterMs);
  }

  return {
    name: "bridge",
    pathOf: endpointPath,
    routes: new Map([
      [
        "/verify",
        new Map([
          [
            "POST",
            async (incoming) => {
              const body = await bodyOf(incoming, BODY);
              if (body.email.trim() === "") throw refusal("email: is empty");
              return verify(body);
            },
          ],
        ]),
      ],
      ["/metrics", new Map([["GET", async () => metrics(counts, bridge)]])],
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
  counts: BridgeCounts,
  {
    unguarded: { times, ms, mostMs },
    left,
    unmatched,
  }: Pick<OpenBridge, "unguarded" | "left" | "unmatched">,
): Reply {
  const lines = [
    "# TYPE auth_migrate_bridge_sign_ins counter",
    `auth_migrate_bridge_sign_ins{answer="ok"} ${counts.OK}`,
    `auth_migrate_bridge_sign_ins{answer="wrong"} ${counts.WRONG_CREDENTIALS_ERROR}`,
    `auth_migrate_bridge_sign_ins{answer="factor_lost"} ${counts.FACTOR_LOST}`,
    `auth_migrate_bridge_sign_ins{answer="too_many"} ${counts.TOO_MANY_ATTEMPTS}`,
    `auth_migrate_bridge_sign_ins{answer="failed"} ${counts.FAILED}`,
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
