/** The core as a service on the wire: its endpoints, and what is answered without a key. */

import type { Core } from "../core.js";
import { type Endpoint, failure, json, type Reply, type Service } from "./listener.js";
import { endpointPath, namesOtherTenant, PATHS } from "./paths.js";
import { RefusedWith } from "./queue-routes.js";
import { requireKnownVersion } from "./request.js";
import { ROUTES } from "./routes.js";

const GREETING: Reply = {
  status: 200,
  contentType: "text/plain; charset=utf-8",
  text: "Hello\n",
};

/** A core's endpoints, as a server answers them. */
export function coreService(core: Core): Service {
  const endpoint =
    (answer: CoreAnswer): Endpoint =>
    async (incoming) => {
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
    routes: new Map(
      [...ROUTES].map(([path, methods]) => [
        path,
        new Map([...methods].map(([method, answer]) => [method, endpoint(answer)])),
      ]),
    ),
    open: new Map(["/", PATHS.hello].map((path) => [path, () => GREETING])),
    otherwise: (url) =>
      namesOtherTenant(url)
        ? failure(400, "only the app and the tenant named public are offered")
        : failure(404, "no such endpoint"),
  };
}

type CoreAnswer = NonNullable<ReturnType<NonNullable<ReturnType<typeof ROUTES.get>>["get"]>>;
