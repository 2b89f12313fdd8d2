/** Every endpoint with its methods: interface.md section 4, and those beyond it that a migration and the public counterpart's clients need. */

import type { IncomingMessage } from "node:http";
import type { Core } from "../core.js";
import { DIALECTS } from "../dialect.js";
import { consumeCode, createCode, updateUser } from "./code-routes.js";
import { INTERFACE_VERSIONS } from "./request.js";
import { importUser, signIn } from "./password-routes.js";
import { PATHS } from "./paths.js";
import {
  countUsers,
  findMapping,
  findUsers,
  getUser,
  listUsers,
  mapUserId,
  removeUser,
} from "./user-routes.js";

/** Answers with the JSON body of a 200. */
type Answer = (core: Core, request: IncomingMessage) => Promise<Record<string, unknown>>;

/** By their paths, and by the methods that each takes. HEAD is answered where GET is. */
export const ROUTES: ReadonlyMap<string, ReadonlyMap<string, Answer>> = new Map([
  [PATHS.createCode, methods({ POST: createCode })],
  [PATHS.consumeCode, methods({ POST: consumeCode })],
  [PATHS.updateUser, methods({ PUT: updateUser })],
  [PATHS.importUser, methods({ POST: importUser })],
  [PATHS.signIn, methods({ POST: signIn })],
  [PATHS.userIdMapping, methods({ GET: findMapping, POST: mapUserId })],
  [PATHS.getUser, methods({ GET: getUser })],
  [PATHS.removeUser, methods({ POST: removeUser })],
  [PATHS.listUsers, methods({ GET: listUsers })],
  [PATHS.countUsers, methods({ GET: countUsers })],
  [PATHS.findUsers, methods({ GET: findUsers })],
  [PATHS.apiVersion, methods({ GET: apiVersion })],
]);

function methods(
  answers: Partial<Record<"GET" | "POST" | "PUT", Answer>>,
): ReadonlyMap<string, Answer> {
  return new Map(Object.entries(answers));
}

/** The counterpart's clients look for their version, ours for the dialects. */
async function apiVersion(): Promise<Record<string, unknown>> {
  return { versions: INTERFACE_VERSIONS, dialects: Object.keys(DIALECTS) };
}
