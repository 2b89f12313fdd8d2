/** The bridge on the wire: `POST /verify`, and what an operator's monitoring asks. */

import { z } from "zod";
import { refusal } from "../core/core-failure.js";
import { failure, json, type Reply, type Service } from "../core/http/listener.js";
import { endpointPath } from "../core/http/paths.js";
import { bodyOf, TEXT } from "../core/http/request.js";
import type { Bridge, BridgeAnswer } from "./bridge.js";

/** Sign-ins that are verified or wait for it; more are told to come again. */
const MOST_UNDER_WAY = 256;
const RETRY_AFTER_S = 1;

const BODY = z.object({ email: TEXT, password: TEXT });

/** How many sign-ins ended in each way since the start. */
export type BridgeCounts = Record<BridgeAnswer["status"] | "FAILED", number>;

/** A bridge's endpoints, and what they counted. */
export interface BridgeService {
  readonly service: Service;
  readonly counts: Readonly<BridgeCounts>;
}

/**
 * @param left how many users are in the vault
 */
export function bridgeService(bridge: Bridge, left: () => number): BridgeService {
  const counts: BridgeCounts = {
    OK: 0,
    WRONG_CREDENTIALS_ERROR: 0,
    TOO_MANY_ATTEMPTS: 0,
    FAILED: 0,
  };
  let underWay = 0;

  async function verify(body: z.infer<typeof BODY>): Promise<Reply> {
    if (underWay >= MOST_UNDER_WAY) return busy();
    underWay += 1;
    try {
      const answer = await bridge.verify(body);
      counts[answer.status] += 1;
      return replyTo(answer);
    } catch {
      // The core, the vault or this machine failed: whether the password is right isn't known.
      counts.FAILED += 1;
      return busy();
    } finally {
      underWay -= 1;
    }
  }

  const service: Service = {
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
      ["/metrics", new Map([["GET", async () => metrics(counts, left(), bridge.unguarded)]])],
    ]),
    open: new Map([["/health", () => json(200, { status: "OK" })]]),
    otherwise: () => failure(404, "no such endpoint"),
  };
  return { service, counts };
}

function replyTo(answer: BridgeAnswer): Reply {
  if (answer.status !== "TOO_MANY_ATTEMPTS") return json(200, { status: answer.status });
  const seconds = Math.ceil(answer.retryAfterMs / 1000);
  return failure(429, "too many attempts for this user", { "retry-after": String(seconds) });
}

function busy(): Reply {
  return failure(503, "the bridge can't tell now", { "retry-after": String(RETRY_AFTER_S) });
}

/** In the text format of Prometheus. */
function metrics(
  counts: BridgeCounts,
  left: number,
  { times, ms, mostMs }: Bridge["unguarded"],
): Reply {
  const lines = [
    "# TYPE auth_migrate_bridge_sign_ins counter",
    `auth_migrate_bridge_sign_ins{answer="ok"} ${counts.OK}`,
    `auth_migrate_bridge_sign_ins{answer="wrong"} ${counts.WRONG_CREDENTIALS_ERROR}`,
    `auth_migrate_bridge_sign_ins{answer="too_many"} ${counts.TOO_MANY_ATTEMPTS}`,
    `auth_migrate_bridge_sign_ins{answer="failed"} ${counts.FAILED}`,
    "# TYPE auth_migrate_bridge_users_left gauge",
    `auth_migrate_bridge_users_left ${left}`,
    "# TYPE auth_migrate_bridge_unguarded_seconds summary",
    `auth_migrate_bridge_unguarded_seconds_sum ${ms / 1000}`,
    `auth_migrate_bridge_unguarded_seconds_count ${times}`,
    "# TYPE auth_migrate_bridge_unguarded_seconds_max gauge",
    `auth_migrate_bridge_unguarded_seconds_max ${mostMs / 1000}`,
  ];
  return { status: 200, contentType: "text/plain; version=0.0.4", text: `${lines.join("\n")}\n` };
}
