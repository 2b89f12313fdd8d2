/** The core as a service on the wire: its endpoints, and what is answered without a key. */

import type { IncomingMessage } from "node:http";
import type { Core } from "../core.js";
import { failure, json, type Reply, type Service } from "./listener.js";
import { endpointPath, HELLO, namesOtherTenant } from "./paths.js";
import { requireKnownVersion } from "./request.js";
import { type Answer, byPath, RefusedWith } from "./route.js";
import { ROUTES } from "./routes.js";

const GREETING: Reply = {
  status: 200,
  contentType: "text/plain; charset=utf-8",
  text: "Hello\n",
};

/** A core's endpoints, as a server answers them. */
export function coreService(core: Core): Service {
  const endpoint =
    (answer: Answer) =>
    async (incoming: IncomingMessage): Promise<Reply> => {
      requireKnownVersion(incoming);
      try {
        return json(200, await answer(core, incoming));
      } catch (error) {
        if (error instanceof RefusedWith) return json(400, error.body);
        throw error;
      }
    };
  return {
    name: "core",
    pathOf: endpointPath,
    routes: byPath(ROUTES.map((route) => ({ ...route, answer: endpoint(route.answer) }))),
    open: new Map(["/", HELLO].map((path) => [path, () => GREETING])),
    otherwise: (url) =>
      namesOtherTenant(url)
        ? failure(400, "only the app and the tenant named public are offered")
        : failure(404, "no such endpoint"),
  };
}
