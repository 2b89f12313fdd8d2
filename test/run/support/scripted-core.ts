/** A core whose answers a test scripts, call by call. It stands for an outside service and keeps no users. */

import type { Capabilities, Code, Core } from "../../../src/core/core.js";
import type { CoreUser } from "../../../src/core/user.js";
import type { CoreFailureKind } from "../../../src/core/core-failure.js";
import { CoreFailure, type CoreFailureOptions } from "../../../src/core/core-failure.js";

type Method = Exclude<keyof Core, "target" | "close" | "probe">;

/** What a core of interface.md's four calls says. */
export const NO_PARTS_OFFERED: Capabilities = {
  emailVerification: false,
  metadata: false,
  roles: null,
  thirdParty: false,
  accountLinking: false,
  totp: false,
  bulkImport: false,
  importAccount: false,
  tenants: null,
  timeJoined: false,
};

/** The answers of each method in order; a function makes one of the request, an error is thrown. The last answer is given again and again. */
export type Script = Partial<Record<Method, readonly unknown[]>>;

export interface ScriptedCore extends Core {
  /** Every call in order: the method and its request. */
  readonly calls: readonly { readonly method: Method; readonly request: unknown }[];
  /** How often a method was called. */
  count(method: Method): number;
}

export const CODE: Code = {
  preAuthSessionId: "session",
  codeId: "code",
  deviceId: "device",
  userInputCode: "123456",
  linkCode: "link",
  timeCreated: 0,
  codeLifetime: 900_000,
};

/** A failure of any kind; the outcome is known unless the options say otherwise. */
export function failure(
  kind: CoreFailureKind,
  options: Partial<CoreFailureOptions> & { readonly message?: string } = {},
): CoreFailure {
  const { message = `scripted ${kind}`, ...rest } = options;
  return new CoreFailure(kind, message, { reached: "yes", ...rest });
}

/** The connection was refused: nothing was sent. */
export const notReached = (): CoreFailure => failure("unreachable", { reached: "no" });

/** The connection broke before the answer: nobody knows. */
export const lost = (): CoreFailure => failure("unreachable", { reached: "unknown" });

export function passwordlessUser(userId: string, contacts: Partial<CoreUser>): CoreUser {
  return { userId, recipe: "passwordless", ...contacts };
}

export function passwordUser(userId: string, email: string): CoreUser {
  return { userId, recipe: "emailpassword", email };
}

/** What consuming a code answers. */
export function consumed(user: CoreUser, createdNewUser = true): object {
  return { status: "OK", createdNewUser, user };
}

export function scriptedCore(script: Script): ScriptedCore {
  const calls: { method: Method; request: unknown }[] = [];
  const count = (method: Method): number => calls.filter((call) => call.method === method).length;
  const answer = async (method: Method, request: unknown): Promise<never> => {
    const answers = script[method] ?? [];
    const next = answers[Math.min(count(method), answers.length - 1)];
    calls.push({ method, request });
    if (next === undefined) throw new Error(`the test scripted no answer for ${method}`);
    const value = typeof next === "function" ? await next(request) : next;
    if (value instanceof Error) throw value;
    return value as never;
  };
  return {
    calls,
    count,
    target: { kind: "remote", url: "https://core.example.test" },
    createCode: (request) => answer("createCode", request),
    consumeCode: (request) => answer("consumeCode", request),
    updateUser: (request) => answer("updateUser", request),
    importUser: (request) => answer("importUser", request),
    importAccount: (request) => answer("importAccount", request),
    queueAccounts: (accounts) => answer("queueAccounts", accounts),
    listQueued: (page) => answer("listQueued", page),
    replacePassword: (request) => answer("replacePassword", request),
    signIn: (request) => answer("signIn", request),
    mapUserId: (request) => answer("mapUserId", request),
    findMapping: (userId) => answer("findMapping", userId),
    getUser: (userId) => answer("getUser", userId),
    removeUser: (userId) => answer("removeUser", userId),
    findUsers: (contact) => answer("findUsers", contact),
    listUsers: (page) => answer("listUsers", page),
    countUsers: () => answer("countUsers", undefined),
    signInUp: (request) => answer("signInUp", request),
    findByThirdParty: (identity) => answer("findByThirdParty", identity),
    capabilities: async () => NO_PARTS_OFFERED,
    part: (name, request) => answer("part", [name, request]),
    async probe() {},
    async close() {},
  };
}
