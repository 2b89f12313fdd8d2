/** The endpoints of the calls on an account's parts: each request goes to the core as it came, and its outcome back. */

import type { PartName } from "../account-parts.js";
import { PART_ENDPOINTS, type PartEndpoint } from "./part-endpoints.js";
import { bodyOf, queryOf } from "./request.js";
import type { Answer } from "./user-routes.js";

/** By their paths and methods. */
export function partRoutes(): Map<string, Map<string, Answer>> {
  const routes = new Map<string, Map<string, Answer>>();
  for (const name of Object.keys(PART_ENDPOINTS) as PartName[]) {
    const { path, method } = PART_ENDPOINTS[name];
    const methods = routes.get(path) ?? new Map<string, Answer>();
    routes.set(path, methods.set(method, answerOf(name)));
  }
  return routes;
}

function answerOf<Name extends PartName>(name: Name): Answer {
  const endpoint: PartEndpoint = PART_ENDPOINTS[name];
  const { method, request: schema } = endpoint;
  return async (core, incoming) => {
    const request = method === "GET" ? queryOf(incoming, schema) : await bodyOf(incoming, schema);
    return Object.fromEntries(Object.entries(await core.part(name, request as never)));
  };
}
