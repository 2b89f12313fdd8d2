/** A core that behaves as SuperTokens does where a client notices: text errors, its own names, lenient hashes and contacts, a 500 where the signer key is missing. In memory; the texts are this stub's own. */

import { createServer, type IncomingMessage } from "node:http";
import { checkHash } from "../../src/hash/grammar.js";
import { verifyPassword } from "../../src/hash/verify.js";
import { superTokensCodes } from "./supertokens-codes.js";
import {
  type Contact,
  type SuperTokensUser,
  superTokensUsers,
  hasContact,
  lenientEmail,
  lenientPhone,
  shownUser,
} from "./supertokens-users.js";
import { superTokensQueue, type QueueFaults } from "./supertokens-queue.js";
import { superTokensParts } from "./supertokens-parts.js";
import {
  BadRequest,
  type SuperTokensReply,
  type Endpoints,
  json,
  ok,
  optional,
  parameter,
  required,
} from "./supertokens-wire.js";

export interface SuperTokensCall {
  readonly method: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface SuperTokensOptions {
  readonly apiKey: string;
  /** Null for a core that has none configured. */
  readonly signerKey: string | null;
  /** Which way a 500 speaks: 12 puts a class name before the message; 9 by default. */
  readonly version?: 9 | 12;
  /** Takes second factors, or says at the first one that it has no licence; has no such endpoints by default. */
  readonly totp?: "licensed" | "unlicensed";
  /** What it says it is licensed for; without it there is no such endpoint. */
  readonly features?: readonly string[];
  /** The bulk import's queue, and how it misbehaves; without it there is none. */
  readonly queue?: QueueFaults;
  /** Asked of every call that was answered: true breaks the connection in place of the answer. */
  readonly losesAnswer?: (call: SuperTokensCall) => boolean;
  /** Codes end in `=`, as those of older versions; false by default. */
  readonly padded?: boolean;
  /** Asked first at every call with the right key; what it answers goes out in place of the call's own answer. */
  readonly disturb?: (call: SuperTokensCall) => SuperTokensReply | null;
}

export interface SuperTokensStub {
  readonly url: string;
  /** Every call that came with the right key, in order. */
  readonly calls: readonly SuperTokensCall[];
  readonly users: readonly SuperTokensUser[];
  /** One round of the bulk import's job. */
  round(): void;
  close(): Promise<void>;
}

const PREFIXES: readonly (readonly [string, RegExp])[] = [
  ["BCRYPT", /^\$2[abxy]/],
  ["ARGON2", /^\$argon2(?:id|i|d)/],
  ["FIREBASE_SCRYPT", /^\$f_scrypt\$[^$]+\$[^$]+\$m=\d+\$r=\d+\$s=[^$]+$/],
];
const SIGNER_KEY = "'firebase_password_hashing_signer_key' must be set";

/** Listens on a free loopback port. */
export async function startSuperTokensStub(options: SuperTokensOptions): Promise<SuperTokensStub> {
  const {
    signerKey,
    version = 9,
    padded = false,
    totp,
    disturb = () => null,
    losesAnswer = () => false,
  } = options;
  const calls: SuperTokensCall[] = [];
  const users = superTokensUsers();
  const codes = superTokensCodes(padded);
  const queue = options.queue === undefined ? null : superTokensQueue(users, options.queue);

  function broken(message: string): SuperTokensReply {
    const text = version === 9 ? message : `java.lang.IllegalStateException: ${message}`;
    return { status: 500, body: text };
  }

  const endpoints: Endpoints = {
    ...superTokensParts(users, totp, options.features),
    ...queue?.endpoints,
    "/apiversion": { GET: () => json({ versions: ["2.21", "5.1", "4.0", "5.4", "3.0"] }) },
    "/recipe/signinup/code": {
      POST({ body }) {
        const userInputCode = optional(body, "userInputCode");
        if (userInputCode === "") throw new BadRequest("userInputCode is empty");
        return ok(codes.create(oneContact(body), userInputCode));
      },
    },
    "/recipe/signinup/code/consume": {
      POST({ body }) {
        const linkCode = optional(body, "linkCode");
        const deviceId = optional(body, "deviceId");
        const userInputCode = optional(body, "userInputCode");
        const preAuthSessionId = required(body, "preAuthSessionId");
        if ((linkCode === undefined) === (deviceId === undefined || userInputCode === undefined)) {
          throw new BadRequest("either the link or the device with its digits");
        }
        const given = linkCode === undefined ? { deviceId, userInputCode } : { linkCode };
        for (const [name, text] of Object.entries({ linkCode, deviceId })) {
          if (text !== undefined && !/^[\w+/-]+=*$/.test(text)) {
            throw new BadRequest(`${name} is in no base64`);
          }
        }
        const consumed = codes.consume({ preAuthSessionId, ...given });
        if (consumed === "mismatch") throw new BadRequest("these two ids are not of one device");
        if ("answer" in consumed) return json(consumed.answer);
        const { contact, failedAttempts } = consumed.device;
        const known = users.find("passwordless", contact);
        const user = known ?? users.add("passwordless", contact);
        if (contact.email !== undefined) user.verifiedEmails.add(contact.email);
        return ok({
          createdNewUser: known === undefined,
          ...withUser(user),
          consumedDevice: {
            preAuthSessionId,
            failedCodeInputAttemptCount: failedAttempts,
            ...contact,
          },
        });
      },
    },
    "/recipe/user": {
      PUT({ body, rid }) {
        if (rid !== "passwordless") return json({ status: "UNKNOWN_USER_ID_ERROR" });
        const { email, phoneNumber } = body;
        const change = {
          ...(email === undefined ? {} : { email: orNull(body, "email", lenientEmail) }),
          ...(phoneNumber === undefined
            ? {}
            : { phoneNumber: orNull(body, "phoneNumber", lenientPhone) }),
        };
        const id = required(body, "recipeUserId");
        if (email === null && phoneNumber === null) throw new BadRequest("one contact must stay");
        const answer = users.change(id, change);
        if (answer === null) throw new BadRequest("one contact must stay");
        return json(answer);
      },
    },
    "/recipe/user/passwordhash/import": {
      POST({ body }) {
        const email = lenientEmail(required(body, "email"));
        const passwordHash = required(body, "passwordHash").trim();
        const algorithm = optional(body, "hashingAlgorithm")?.trim().toUpperCase();
        const known = PREFIXES.filter(([name]) => algorithm === undefined || name === algorithm);
        if (known.length === 0) throw new BadRequest("no such hashing algorithm");
        const format = known.find(([, pattern]) => pattern.test(passwordHash));
        const isScrypt = (algorithm ?? format?.[0]) === "FIREBASE_SCRYPT";
        if (isScrypt && signerKey === null) return broken(SIGNER_KEY);
        if (format === undefined) throw new BadRequest("the hash has another format");
        const before = users.find("emailpassword", { email });
        const user = before ?? users.add("emailpassword", { email });
        user.passwordHash = passwordHash;
        return ok({ user: shownUser(user), didUserAlreadyExist: before !== undefined });
      },
    },
    "/recipe/signin": {
      async POST({ body }) {
        const email = lenientEmail(required(body, "email"));
        const user = users.find("emailpassword", { email });
        const hash = user?.passwordHash ?? "";
        // Whatever goes wrong with a hash is a wrong password.
        const isRight =
          checkHash(hash).ok &&
          (await verifyPassword(hash, required(body, "password"), {
            signerKey,
            scryptPasswordEncoding: "ascii",
          }));
        return user !== undefined && isRight
          ? ok(withUser(user))
          : json({ status: "WRONG_CREDENTIALS_ERROR" });
      },
    },
    "/user/id": {
      GET({ query }) {
        const user = users.byId(parameter(query, "userId"));
        return user === undefined
          ? json({ status: "UNKNOWN_USER_ID_ERROR" })
          : ok({ user: shownUser(user) });
      },
    },
    "/user/remove": {
      POST({ body }) {
        users.remove(required(body, "userId"));
        return ok({});
      },
    },
    "/users": { GET: ({ query }) => page(users.all, query) },
    "/users/count": { GET: ({ query }) => ok({ count: recipesOf(users.all, query).length }) },
    "/users/by-accountinfo": {
      GET({ query }) {
        if (!/^(?:true|false)$/.test(parameter(query, "doUnionOfAccountInfo"))) {
          throw new BadRequest("doUnionOfAccountInfo is true or false");
        }
        const identity = query.get("thirdPartyId");
        const found =
          identity === null
            ? users.all.filter((user) => hasContact(user, oneContact(Object.fromEntries(query))))
            : [users.bySocial(identity, parameter(query, "thirdPartyUserId")) ?? []].flat();
        return ok({ users: found.map(shownUser) });
      },
    },
    "/recipe/userid/map": {
      POST({ body }) {
        const externalUserId = required(body, "externalUserId").trim();
        if (externalUserId === "") throw new BadRequest("externalUserId is empty");
        const id = required(body, "superTokensUserId");
        const use = body.force === true ? null : users.useOf(id);
        if (use !== null) throw new BadRequest(`UserId is already in use in ${use} recipe`);
        const answer = users.map(id, externalUserId);
        if (answer === null) throw new BadRequest("the external id is a user's own");
        return json(answer);
      },
      GET({ query }) {
        const { id, externalId } = users.byId(parameter(query, "userId")) ?? {};
        return externalId === undefined
          ? json({ status: "UNKNOWN_MAPPING_ERROR" })
          : ok({ superTokensUserId: id, externalUserId: externalId });
      },
    },
  };

  /** Null where the answer is lost. */
  async function answer(request: IncomingMessage, text: string): Promise<SuperTokensReply | null> {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    const path = pathname.toLowerCase().replace(/(?<=.)\/$/, "");
    const methods = endpoints[path];
    if (methods === undefined) return { status: 404, body: "no such path" };
    if (request.headers["api-key"] !== options.apiKey) return { status: 401, body: "no such key" };
    const method = request.method ?? "";
    const endpoint = methods[method];
    if (endpoint === undefined) return { status: 405, body: "no such method" };
    try {
      const body = method === "GET" ? {} : objectOf(text);
      const call = { method, path, body };
      calls.push(call);
      const rid = request.headers.rid;
      const one = typeof rid === "string" ? rid : undefined;
      const reply = disturb(call) ?? (await endpoint({ body, query: searchParams, rid: one }));
      return losesAnswer(call) ? null : reply;
    } catch (error) {
      if (!(error instanceof BadRequest)) return broken(String(error));
      return { status: 400, body: error.message };
    }
  }

  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const reply = await answer(request, text);
    if (reply === null) return void request.socket.destroy();
    const { status, body, headers = {} } = reply;
    const isText = typeof body === "string";
    const type = isText ? "text/html;charset=UTF-8" : "application/json;charset=UTF-8";
    response.writeHead(status, { "content-type": type, ...headers });
    response.end(`${isText ? body : JSON.stringify(body)}\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    users: users.all,
    round: () => queue?.round(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function withUser(user: SuperTokensUser): Record<string, unknown> {
  return { user: shownUser(user), recipeUserId: user.externalId ?? user.id };
}

function page(all: readonly SuperTokensUser[], query: URLSearchParams): SuperTokensReply {
  const limit = Number(query.get("limit") ?? 100);
  if (limit < 1 || limit > 500) throw new BadRequest("limit is 1 to 500");
  const found = recipesOf(all, query);
  // They come in the order in which they joined.
  if (query.get("timeJoinedOrder") === "DESC") found.reverse();
  const token = query.get("paginationToken");
  const start = token === null ? 0 : Number(Buffer.from(token, "base64").toString());
  const nextPaginationToken = Buffer.from(String(start + limit)).toString("base64");
  return ok({
    users: found.slice(start, start + limit).map(shownUser),
    ...(found.length > start + limit ? { nextPaginationToken } : {}),
  });
}

function recipesOf(all: readonly SuperTokensUser[], query: URLSearchParams): SuperTokensUser[] {
  const recipes = query.get("includeRecipeIds")?.split(",");
  return all.filter(({ recipeId }) => recipes?.includes(recipeId) ?? true);
}

function oneContact(given: Readonly<Record<string, unknown>>): Contact {
  const email = optional(given, "email");
  const phoneNumber = optional(given, "phoneNumber");
  if (email !== undefined && phoneNumber === undefined) return { email: lenientEmail(email) };
  if (phoneNumber !== undefined && email === undefined) {
    return { phoneNumber: lenientPhone(phoneNumber) };
  }
  throw new BadRequest("exactly one of email and phoneNumber");
}

function orNull(
  body: Readonly<Record<string, unknown>>,
  name: string,
  normalize: (text: string) => string,
): string | null {
  return body[name] === null ? null : normalize(required(body, name));
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return { ...value };
  } catch {
    // As for any other text that is no object.
  }
  throw new BadRequest("the body has to be an object in JSON");
}
