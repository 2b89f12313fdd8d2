/** What a connection to a remote core shows beside the answers: its certificate, the core's clock, how fast it answers, and which versions it speaks. */

import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { TLSSocket } from "node:tls";
import { CoreFailure } from "../core-failure.js";
import { versionsAnswer } from "./answers.js";
import { checkedEndpoint } from "./endpoint.js";
import { proxyFor } from "./proxy.js";
import { openTransport, type TransportOptions } from "./transport.js";

/** A certificate that was verified. */
interface Certificate {
  /** Who issued it: an organization or a name. */
  readonly issuer: string;
  /** Until when it is valid, in epoch milliseconds. */
  readonly validUntil: number;
  /** As in `TLSv1.3`. */
  readonly protocol: string;
}

/** What one request has shown; null where it can't be known. */
export interface Examined {
  /** Null without TLS. */
  readonly certificate: Certificate | null;
  /** How far the core's clock is ahead of this machine's, in milliseconds; it tells whole seconds. */
  readonly clockAheadMs: number | null;
  /** From the request to the answer's head, the connection included, in milliseconds. */
  readonly firstAnswerMs: number;
}

/** What examining needs. */
interface ExamineOptions {
  readonly url: string;
  readonly allowInsecure: boolean;
  readonly ca?: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs?: number;
}

/**
 * @returns null where a proxy stands between, which shows its own connection, or nothing answers
 * @throws RunError `config_invalid`
 */
export async function examineConnection(options: ExamineOptions): Promise<Examined | null> {
  const { origin, appPrefix } = checkedEndpoint(options.url, options);
  if (proxyFor(origin, options.env) !== null) return null;
  const { ca, timeoutMs: timeout = 10_000 } = options;
  const url = new URL(`${origin}${appPrefix}${"/hello"}`);
  const began = Date.now();
  return new Promise((resolve) => {
    const request = url.protocol === "https:" ? requestHttps : requestHttp;
    const asked = request(url, { agent: false, timeout, ...(ca === undefined ? {} : { ca }) });
    asked.on("error", () => resolve(null));
    asked.on("timeout", () => asked.destroy(new Error("no answer in time")));
    asked.on("response", (answer) => {
      const ended = Date.now();
      const date = Date.parse(answer.headers.date ?? "");
      const middle = (began + ended) / 2;
      resolve({
        certificate: certificateOf(answer.socket),
        // The header's second may be over almost.
        clockAheadMs: Number.isNaN(date) ? null : Math.round(date + 500 - middle),
        firstAnswerMs: ended - began,
      });
      answer.destroy();
    });
    asked.end();
  });
}

function certificateOf(socket: unknown): Certificate | null {
  if (!(socket instanceof TLSSocket)) return null;
  const { issuer, valid_to: validTo } = socket.getPeerCertificate();
  const name = [issuer.O, issuer.CN].flat().find((text) => text !== undefined) ?? "not named";
  return {
    issuer: name,
    validUntil: Date.parse(validTo),
    protocol: socket.getProtocol() ?? "TLS",
  };
}

/**
 * The versions of the interface that a core says it speaks, by `GET /apiversion`.
 *
 * @returns null where it doesn't say
 * @throws RunError `config_invalid`
 */
export async function versionsOf(options: TransportOptions): Promise<readonly string[] | null> {
  const { call, close } = openTransport(options);
  try {
    const { body } = await call({ method: "GET", path: "/apiversion" });
    const listed = versionsAnswer.safeParse(body);
    return listed.success ? listed.data.versions.filter(isVersion) : null;
  } catch (error) {
    if (error instanceof CoreFailure) return null;
    throw error;
  } finally {
    await close();
  }
}

function isVersion(value: unknown): value is string {
  return typeof value === "string" && /^[\w.-]{1,20}$/.test(value);
}
