/** A clumsy or hostile core: it takes the preflight for good, and to everything else it repeats, in one way or another, all that it was sent. */

import type { IncomingMessage, ServerResponse } from "node:http";
import { type CannedServer, startHttp } from "../../support/canned-server.js";

/** What a call holds. */
interface Said {
  /** An email, or else a phone number. */
  readonly contact: string;
  readonly hash: string;
  readonly key: string;
  readonly whole: string;
}

interface Reply {
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const asJson = { "content-type": "application/json" };
const PAGE = "<!doctype html><title>Sorry</title>";

/** Words short enough to be shown, each with a secret in it as a program may write it. */
const WORDS: readonly ((said: Said) => string)[] = [
  ({ contact }) => `${contact} is taken`,
  ({ contact }) => `taken: ${contact.toUpperCase()}`,
  ({ contact }) => `no account for ${contact.split("@")[0]}`,
  ({ contact }) => `the domain ${contact.split("@").at(-1)} is blocked`,
  ({ contact }) => `cannot GET /users?contact=${encodeURIComponent(contact)}`,
  ({ contact }) => `bad ${Buffer.from(contact).toString("base64")}`,
  ({ contact }) => `bad ${Buffer.from(contact).toString("hex")}`,
  ({ contact }) => `bad ${JSON.stringify(JSON.stringify({ contact }))}`,
  ({ contact }) => `bad ${contact.replace("@", "&#64;").replace("+", "&#43;")}`,
  ({ contact }) => `bad ${contact.replace("@", "\\u0040").replace("+", "\\u002b")}`,
  ({ contact }) => `bad ${contact.replace("@", " (at) ")}`,
  ({ contact }) => `bad ${contact.replace("@", "\u0000@")}`,
  ({ contact }) => `bad (${contact.slice(2, 5)}) ${contact.slice(5, 8)}-${contact.slice(8)}`,
  ({ contact }) => `bad ${contact.slice(1)}`,
  ({ hash }) => `not a hash: ${hash}`,
  ({ hash }) => `not a hash: ${hash.toLowerCase()}`,
  ({ hash }) => `salt ${hash.slice(7, 29)} and ${hash.slice(29)}`,
  ({ hash }) => `starts with ${hash.slice(0, 24)}`,
  ({ hash }) => `ends with ${hash.slice(-24)}`,
  ({ hash }) => `parts ${hash.split("$").join(" ")}`,
  ({ key }) => `the key ${key} may not do this`,
  ({ key }) => `api-key=${encodeURIComponent(key)}`,
  ({ key }) => `api-key ${Buffer.from(key).toString("base64url")}`,
  ({ whole }) => `got ${whole}`,
  ({ whole }) => whole.slice(0, 180),
];

type Answer = (said: Said, words: string) => Reply;

/** Answers that are of one user. */
const REFUSALS: readonly Answer[] = [
  (_said, words) => message(400, words),
  (_said, words) => ({ status: 400, text: words }),
  (_said, words) => message(409, words),
  (_said, words) => message(422, words),
  ({ contact, hash }) => json({ [contact]: hash, status: contact }),
  ({ contact }) => json({ status: contact.toUpperCase().replace(/[^A-Z]+/g, "_") }),
];

/** Answers that aren't the core's, or not of this moment. */
const FAILURES: readonly Answer[] = [
  (_said, words) => message(500, words),
  (said) => ({ status: 502, text: `${PAGE}${said.whole}` }),
  (said) => ({ status: 200, text: said.whole.slice(0, -1), headers: asJson }),
  (_said, words) => ({ status: 504, text: words }),
  (_said, words) => ({ status: 408, text: words }),
];

/** Ways to answer, by the first part of the base URL's path. */
const WAYS = {
  refusals: REFUSALS,
  failures: FAILURES,
  // The rest ends the run, each with another message.
  busy: [
    (_said, words) => message(429, words),
    ({ contact }, words) => ({ ...message(503, words), headers: { "retry-after": contact } }),
  ],
  key: [(_said, words) => message(401, words)],
  disabled: [(_said, words) => message(403, `not enabled: ${words}`)],
  disk: [(_said, words) => message(507, words)],
  signer: [(said) => message(500, `no signer_key for ${said.whole}`)],
  redirect: [
    ({ contact }) => ({
      status: 302,
      text: "",
      headers: { location: `/sign-in?for=${encodeURIComponent(contact)}` },
    }),
  ],
  page: [(said) => ({ status: 200, text: `${PAGE}${said.whole}` })],
  // It works, and names everything by whom it is for.
  ids: [
    (said) => {
      const { contact } = said;
      const user = contact.startsWith("+") ? { phoneNumber: contact } : { email: contact };
      return signedUp(said, { id: contact, ...user });
    },
  ],
  others: [(said) => signedUp(said, { id: said.contact, email: said.whole })],
} as const satisfies Record<string, readonly Answer[]>;

export type Way = keyof typeof WAYS;

export interface EchoingCore {
  /** A base URL for each way. */
  url(way: Way): string;
  close(): Promise<void>;
}

export async function startEchoingCore(): Promise<EchoingCore> {
  const asked = new Map<string, number>();
  const server: CannedServer = await startHttp((request, response, body) => {
    const [, way = "", ...rest] = (request.url ?? "").split("/");
    const said = saidIn(request, body);
    // Nobody is there yet, so that everybody is sent.
    if (said === null || request.method === "GET") return send(response, preflight(rest.join("/")));
    const count = asked.get(way) ?? 0;
    asked.set(way, count + 1);
    const words = WORDS[count % WORDS.length]?.(said) ?? "";
    if (way === "ids" && rest.at(-1) === "signin") {
      return send(response, message(400, `${said.contact} may not have ${said.hash}`));
    }
    const answers: readonly Answer[] = WAYS[isWay(way) ? way : "refusals"];
    // Every answer meets all words, since the numbers of both have no common divisor.
    send(response, answers[count % answers.length]?.(said, words) ?? preflight(""));
  });
  return { url: (way) => `${server.url}/${way}`, close: () => server.close() };
}

/** An answer to every call that brings a user, as long as it is of this one. */
function signedUp({ contact, whole }: Said, user: object): Reply {
  const ids = { preAuthSessionId: contact, codeId: contact, deviceId: contact };
  const code = { ...ids, linkCode: contact, userInputCode: whole };
  return json({ status: "OK", ...code, timeCreated: 0, codeLifetime: 0, user });
}

function isWay(way: string): way is Way {
  return way in WAYS;
}

function preflight(path: string): Reply {
  if (path.startsWith("users")) return json({ status: "OK", users: [], count: 0 });
  return message(path === "apiversion" ? 404 : 400, "give an email or a phone number");
}

/** Null for the calls that are of nobody. */
function saidIn({ url = "", headers }: IncomingMessage, body: string): Said | null {
  const query = new URL(url, "http://core").searchParams;
  const fields: Record<string, string> = body === "" ? {} : JSON.parse(body);
  const asked = query.get("email") ?? query.get("phoneNumber");
  const contact = fields.email ?? fields.phoneNumber ?? fields.preAuthSessionId ?? asked;
  if (contact === undefined || contact === null || contact.endsWith(".invalid")) return null;
  const key = String(headers["api-key"]);
  return {
    contact,
    hash: fields.passwordHash ?? fields.password ?? "",
    key,
    whole: `${body} ${url} ${key}`,
  };
}

function json(body: object): Reply {
  return { status: 200, text: JSON.stringify(body), headers: asJson };
}

function message(status: number, text: string): Reply {
  return { status, text: JSON.stringify({ message: text }), headers: asJson };
}

function send(response: ServerResponse, { status, text, headers = {} }: Reply): void {
  response.writeHead(status, headers).end(text);
}
