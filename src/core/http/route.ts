/** One row of the server's table: where a call goes, what it takes, and what it is answered. */

import type { IncomingMessage } from "node:http";
import type { z } from "zod";
import type { Endpoint } from "../account-parts.js";
import type { Core } from "../core.js";
import { bodyOf, queryOf } from "./request.js";

/** Answers with the JSON body of a 200. */
export type Answer = (core: Core, incoming: IncomingMessage) => Promise<object>;

interface Row<A> {
  readonly method: Endpoint["method"];
  readonly path: string;
  readonly answer: A;
}

export type Route = Row<Answer>;

interface RouteOptions {
  /** Looks at the headers before the body is read. */
  readonly check?: (incoming: IncomingMessage) => void;
  /** Most bytes of the body; 64 KiB by default. */
  readonly most?: number;
}

/** @param answer makes the JSON body of a 200 */
export function route<E extends Pick<Endpoint, "method" | "path" | "request">>(
  { method, path, request }: E,
  answer: (core: Core, asked: z.infer<E["request"]>, incoming: IncomingMessage) => Promise<object>,
  { check, most }: RouteOptions = {},
): Route {
  return {
    method,
    path,
    async answer(core, incoming) {
      check?.(incoming);
      const isQuery = method === "GET";
      const asked = isQuery ? queryOf(incoming, request) : await bodyOf(incoming, request, most);
      return answer(core, asked as z.infer<E["request"]>, incoming);
    },
  };
}

/** The rows by their paths, and by the methods that each takes. */
export function byPath<A>(rows: readonly Row<A>[]): ReadonlyMap<string, ReadonlyMap<string, A>> {
  const routes = new Map<string, Map<string, A>>();
  for (const { method, path, answer } of rows) {
    routes.set(path, (routes.get(path) ?? new Map<string, A>()).set(method, answer));
  }
  return routes;
}

/** A refusal whose body says more than a message. */
export class RefusedWith extends Error {
  readonly body: object;

  constructor(body: object) {
    super("the request was refused");
    this.body = body;
  }
}
