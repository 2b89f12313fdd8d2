/** Types every answer that is no business outcome, by what the caller must do about it: one that isn't a 2xx with JSON. */

import { optionName } from "../../errors/option-name.js";
import { CoreFailure, type CoreFailureKind, type Reached } from "../core-failure.js";
import { type Dialect, DIALECTS } from "../dialect.js";
import { coreMessage, isHtml } from "./core-message.js";

/** An HTTP answer, read whole. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: unknown;
  readonly date: unknown;
}

interface AnsweredCall {
  /** The values of the request and its key, which no message repeats. */
  readonly sent: readonly string[];
  readonly nowMs: number;
  readonly dialect?: Dialect;
  /** Where its key came from, for people. */
  readonly keyFrom?: string | undefined;
}

interface Meaning {
  readonly kind: CoreFailureKind;
  readonly reached: Reached;
  readonly what: string;
}

const DISABLED: Meaning = { kind: "disabled", reached: "yes", what: "the core has this disabled" };

const FORBIDDEN: Meaning = { kind: "forbidden", reached: "yes", what: "the core refuses the call" };
const TENANT_UNKNOWN: Meaning = {
  kind: "tenant_unknown",
  reached: "yes",
  what: "the core doesn't take the call for this app and tenant",
};

const GATEWAY: Meaning = {
  kind: "unreachable",
  reached: "unknown",
  what: "a gateway can't reach the core",
};

const BY_STATUS: ReadonlyMap<number, Meaning> = new Map([
  [401, { kind: "key_refused", reached: "yes", what: "the core refuses the key" }],
  [402, DISABLED],
  [403, { kind: "key_refused", reached: "yes", what: "the core refuses the key" }],
  [404, { kind: "not_offered", reached: "yes", what: "there is no such endpoint" }],
  [405, { kind: "not_offered", reached: "yes", what: "there is no such endpoint" }],
  [501, { kind: "not_offered", reached: "yes", what: "there is no such endpoint" }],
  // The request didn't arrive whole in time, or so the server thought.
  [408, { kind: "unreachable", reached: "unknown", what: "the core timed out on the request" }],
  [429, { kind: "busy", reached: "yes", what: "the core is busy" }],
  [503, { kind: "busy", reached: "yes", what: "the core is busy" }],
  // A gateway answered: the call's outcome is unknown.
  [502, GATEWAY],
  [504, { kind: "unreachable", reached: "unknown", what: "a gateway got no answer of the core" }],
  // Cloudflare's own words for a gateway's two; developers.cloudflare.com lists them.
  ...[520, 521, 522, 523, 524].map((status): [number, Meaning] => [status, GATEWAY]),
  [507, { kind: "disk", reached: "yes", what: "the core cannot write to its disk" }],
]);
const REFUSED: Meaning = { kind: "refused", reached: "yes", what: "the core refuses the request" };
const BROKEN: Meaning = { kind: "broken", reached: "yes", what: "the core failed" };
const INCOMPATIBLE = "something answers that isn't a core";
/** 400 by interface, 500 at SuperTokens, which puts a class name before it since its version 12. */
const SIGNER_KEY = /signer.?key/i;
/** As SuperTokens says of an app or a tenant that isn't there (400), and of an app's call under a tenant's prefix (403); the last is this project's own core, which has one of each. */
const NO_TENANT =
  /\b(?:appId or tenantId not found|only public tenantId|only the app and the tenant named public)\b/i;
/** Words of a 403 that are about the key, or are none: gateways say no more where a key is missing. */
const OF_KEY =
  /\bkeys?\b|credential|token|unauthori[sz]ed|authenticat|^\W*(?:403\W*)?(?:forbidden|access denied)?\W*$/i;
/** As Go, nginx and Tomcat answer to a caller that speaks no TLS at a port for it. */
const WANTS_TLS = /\bto (?:an )?HTTPS (?:server|port)\b|\brequires TLS\b/i;
/** As SuperTokens says in a 403 of a tenant's recipe; the key is fine then. */
const NOT_ENABLED = /not enabled|disabled/i;

/** The failure in an answer that isn't a 2xx. */
export function answerFailure(answer: Answer, call: AnsweredCall): CoreFailure {
  const { sent, nowMs, dialect, keyFrom } = call;
  const { status, text } = answer;
  const page = isHtml(text);
  if (status < 400) return incompatible(`a redirect (HTTP ${status})`, status, "yes");
  if (status === 400 && WANTS_TLS.test(text)) {
    return new CoreFailure("incompatible", `${INCOMPATIBLE}: a port for https: (HTTP 400)`, {
      reached: "yes",
      status,
      hint: `Write https: in ${optionName("--core")}.`,
    });
  }
  if (status === 400 && page) return incompatible(`an HTML page (HTTP ${status})`, status, "yes");
  const lacking =
    (status === 400 || status === 500) && !page
      ? signerKeyMissing(text, { status, dialect })
      : null;
  if (lacking !== null) return lacking;
  const words = page ? "an HTML page" : coreMessage(text, sent);
  const { kind, reached, what } = meaningOf(status, page ? "" : text, words);
  const wait = retryAfterMs(answer.retryAfter, answer.date, nowMs);
  const whose = kind === "key_refused" && keyFrom !== undefined ? ` in ${keyFrom}` : "";
  return new CoreFailure(
    kind,
    `${what}${whose} (HTTP ${status})${words === "" ? "" : `: ${words}`}`,
    {
      reached,
      status,
      ...(wait === undefined ? {} : { retryAfterMs: wait }),
    },
  );
}

/** @param words the core's own words, as far as they may be shown */
function meaningOf(status: number, text: string, words: string): Meaning {
  if ((status === 400 || status === 403) && NO_TENANT.test(text)) return TENANT_UNKNOWN;
  if (status === 403 && NOT_ENABLED.test(text)) return DISABLED;
  if (status === 403 && !OF_KEY.test(words)) return FORBIDDEN;
  return BY_STATUS.get(status) ?? (status < 500 ? REFUSED : BROKEN);
}

/** The failure of a core that has no signer key, where its words say so, with the field by the name that the core itself gives it; null where they don't. */
export function signerKeyMissing(
  text: string,
  { status, dialect }: { readonly status: number; readonly dialect: Dialect | undefined },
): CoreFailure | null {
  if (!SIGNER_KEY.test(text)) return null;
  const fields = Object.values(DIALECTS).map(({ signerKeyField }) => signerKeyField);
  const named = fields.find((field) => text.includes(field));
  return new CoreFailure("signer_key_missing", "the core has no signer key configured", {
    reached: "yes",
    status,
    field: named ?? (dialect ?? DIALECTS.interface).signerKeyField,
  });
}

/** The failure of a 2xx whose body isn't JSON: another program's page, or an answer cut off. */
export function unreadableAnswer({ status, text }: Answer): CoreFailure {
  if (isHtml(text)) return incompatible(`an HTML page (HTTP ${status})`, status, "unknown");
  return new CoreFailure("unreachable", `the core's answer is not whole JSON (HTTP ${status})`, {
    reached: "unknown",
    status,
  });
}

/** @param what names what answered: "an HTML page" */
export function incompatible(what: string, status: number, reached: Reached): CoreFailure {
  return new CoreFailure("incompatible", `${INCOMPATIBLE}: ${what}`, { reached, status });
}

/** Some services send fractions, which the RFC doesn't know. */
const SECONDS = /^\d+(?:\.\d+)?$/;
/** Each of the RFC's three forms of a date begins with a day's name. `Date.parse` alone would take "-5" for a year. */
const DATE = /^[A-Z][a-z]{2}/;
/** Of asctime's form, which is Universal Time without saying so. */
const HAS_ZONE = /(?:GMT|UTC|[+-]\d{4})$/;

/**
 * The wait in milliseconds, never negative, or undefined where the header is absent or unreadable.
 *
 * @param header as it came; of several the longest wait counts
 * @param sentAt the answer's own `Date` as it came: a date to wait for is by the same clock, which
 *   may differ from ours
 * @param nowMs our clock, where the answer has no `Date`
 */
function retryAfterMs(header: unknown, sentAt: unknown, nowMs: number): number | undefined {
  const waits = (Array.isArray(header) ? header : [header]).flatMap(
    (one) => waitOf(one, sentAt, nowMs) ?? [],
  );
  return waits.length === 0 ? undefined : Math.max(...waits);
}

function waitOf(header: unknown, sentAt: unknown, nowMs: number): number | undefined {
  if (typeof header !== "string") return undefined;
  const text = header.trim();
  if (SECONDS.test(text)) return Math.min(Number.MAX_SAFE_INTEGER, Math.ceil(Number(text) * 1000));
  const until = dateOf(text);
  return until === undefined ? undefined : Math.max(0, until - (dateOf(sentAt) ?? nowMs));
}

function dateOf(header: unknown): number | undefined {
  if (typeof header !== "string" || !DATE.test(header)) return undefined;
  const time = Date.parse(HAS_ZONE.test(header) ? header : `${header} GMT`);
  return Number.isNaN(time) ? undefined : time;
}
