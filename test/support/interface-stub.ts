/** A core that speaks exactly interface.md's four endpoints and nothing else, in memory: plain-text errors, no look-ups, no sign-in, hashes taken as they come. */

import { randomBytes, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";

export interface StubUser {
  readonly userId: string;
  readonly recipe: "emailpassword" | "passwordless";
  email?: string | undefined;
  phoneNumber?: string | undefined;
  passwordHash?: string;
  hashingAlgorithm?: string | undefined;
}

export interface InterfaceStub {
  readonly url: string;
  /** Every call that came with the right key, in order. */
  readonly calls: readonly { readonly method: string; readonly path: string }[];
  readonly users: readonly StubUser[];
  close(): Promise<void>;
}

interface Reply {
  readonly status: number;
  readonly body: string | Record<string, unknown>;
}

type Body = Record<string, unknown>;

interface PendingCode {
  readonly preAuthSessionId: string;
  readonly contact: Pick<StubUser, "email" | "phoneNumber">;
}

/** Listens on a free loopback port. */
export async function startInterfaceStub(options: { apiKey: string }): Promise<InterfaceStub> {
  const calls: { method: string; path: string }[] = [];
  const users: StubUser[] = [];
  const codes = new Map<string, PendingCode>();

  const endpoints: Record<string, (body: Body, rid: unknown) => Reply> = {
    "POST /recipe/signinup/code": (body) => {
      const contact = contactOf(body);
      if (contact === null) return refuse("one of email or phoneNumber, please");
      const linkCode = randomBytes(32).toString("base64url");
      const preAuthSessionId = randomBytes(32).toString("base64url");
      codes.set(linkCode, { preAuthSessionId, contact });
      return ok({
        preAuthSessionId,
        codeId: randomUUID(),
        deviceId: randomBytes(32).toString("base64"),
        userInputCode: "123456",
        linkCode,
        timeCreated: Date.now(),
        codeLifetime: 900_000,
      });
    },
    "POST /recipe/signinup/code/consume": (body) => {
      const code = codes.get(String(body.linkCode));
      if (code === undefined || code.preAuthSessionId !== body.preAuthSessionId) {
        return { status: 200, body: { status: "RESTART_FLOW_ERROR" } };
      }
      for (const [linkCode, { contact }] of codes) {
        if (isSame(contact, code.contact)) codes.delete(linkCode);
      }
      const known = users.find(
        (user) => user.recipe === "passwordless" && isSame(user, code.contact),
      );
      const user = known ?? { userId: randomUUID(), recipe: "passwordless", ...code.contact };
      if (known === undefined) users.push(user);
      return ok({ createdNewUser: known === undefined, user: shown(user) });
    },
    "PUT /recipe/user": (body, rid) => {
      if (rid !== "passwordless") return refuse("rid, please");
      const user = users.find(
        ({ userId, recipe }) => recipe === "passwordless" && userId === body.userId,
      );
      if (body.email === null && body.phoneNumber === null) return refuse("keep one contact");
      if (user === undefined) return { status: 200, body: { status: "UNKNOWN_USER_ID_ERROR" } };
      const others = users.filter((other) => other.recipe === "passwordless" && other !== user);
      if (others.some(({ email }) => email !== undefined && email === body.email)) {
        return { status: 200, body: { status: "EMAIL_ALREADY_EXISTS_ERROR" } };
      }
      if (others.some((other) => other.phoneNumber && other.phoneNumber === body.phoneNumber)) {
        return { status: 200, body: { status: "PHONE_NUMBER_ALREADY_EXISTS_ERROR" } };
      }
      if (body.email !== undefined) user.email = textOf(body.email);
      if (body.phoneNumber !== undefined) user.phoneNumber = textOf(body.phoneNumber);
      return ok({});
    },
    "POST /recipe/user/passwordhash/import": (body) => {
      const email = textOf(body.email);
      const passwordHash = textOf(body.passwordHash);
      if (email === undefined || passwordHash === undefined) return refuse("email, passwordHash");
      const known = users.find((user) => user.recipe === "emailpassword" && user.email === email);
      const user = known ?? { userId: randomUUID(), recipe: "emailpassword", email };
      user.passwordHash = passwordHash;
      user.hashingAlgorithm = textOf(body.hashingAlgorithm);
      if (known === undefined) users.push(user);
      return ok({ user: shown(user), didUserAlreadyExist: known !== undefined });
    },
  };

  const server = createServer(async (request, response) => {
    const text = await textOfRequest(request);
    const endpoint = endpoints[`${request.method} ${request.url}`];
    const keyIsRight = request.headers["api-key"] === options.apiKey;
    let reply: Reply = { status: 404, body: "no such thing\n" };
    if (endpoint !== undefined && !keyIsRight) reply = { status: 401, body: "who are you?\n" };
    else if (endpoint !== undefined) {
      calls.push({ method: request.method ?? "", path: request.url ?? "" });
      reply = endpoint(JSON.parse(text) as Body, request.headers.rid);
    }
    const isText = typeof reply.body === "string";
    response.writeHead(reply.status, {
      "content-type": isText ? "text/html;charset=UTF-8" : "application/json;charset=UTF-8",
    });
    response.end(isText ? reply.body : JSON.stringify(reply.body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    users,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function contactOf(body: Body): PendingCode["contact"] | null {
  const email = textOf(body.email);
  const phoneNumber = textOf(body.phoneNumber);
  if ((email === undefined) === (phoneNumber === undefined)) return null;
  return email === undefined ? { phoneNumber } : { email };
}

function isSame(one: PendingCode["contact"], other: PendingCode["contact"]): boolean {
  return other.email === undefined
    ? one.phoneNumber === other.phoneNumber
    : one.email === other.email;
}

function shown({ userId, email, phoneNumber }: StubUser): Body {
  return { userId, email, phoneNumber };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function ok(body: Body): Reply {
  return { status: 200, body: { status: "OK", ...body } };
}

function refuse(message: string): Reply {
  return { status: 400, body: `${message}\n` };
}

async function textOfRequest(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}
