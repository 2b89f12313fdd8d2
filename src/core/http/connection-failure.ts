/** Types a call that got no whole answer: whether it reached the core, and in the operator's words why not and what helps. Names of hosts and of variables are shown, credentials never. */

import { optionName } from "../../errors/option-name.js";
import { exhausted, systemErrorCode } from "../../errors/run-error.js";
import { CoreFailure, type Reached } from "../core-failure.js";

interface Way {
  /** As in `https://core.example.com:3567`. */
  readonly origin: string;
  /** The proxy that a variable names; null where none does. */
  readonly proxy: {
    readonly variable: string;
    /** False until it has opened a way, and so for a host that `NO_PROXY` names. */
    readonly isUsed: boolean;
  } | null;
}

/** A proxy that opened no way to the core: nothing of the call was sent. */
export class ProxyFailure extends Error {
  override readonly name = "ProxyFailure";
  /** What it answered; null where it can't be reached. */
  readonly status: number | null;

  constructor(status: number | null, cause?: unknown) {
    super("the proxy opened no way", { cause });
    this.status = status;
  }
}

/** What a code says of the core, and what the operator does about it; without a hint, the URL and the core itself are to be looked at. */
interface Reason {
  readonly what: string;
  readonly hint?: string;
}

const UNTRUSTED: Reason = {
  what: "its certificate is signed by an authority that this machine doesn't trust",
  hint: `Give that authority's certificate (PEM) by ${optionName("--ca-file")}; a proxy that reads along signs with one of its own. A core that sends its certificate without the one between can also be told to send both.`,
};
const NO_ROUTE: Reason = {
  what: "no way leads there from this network",
  hint: "Check this machine's network, its VPN and the firewalls between. Where a proxy alone leads out, name it in HTTPS_PROXY.",
};
const SILENCE: Reason = {
  what: "nothing answers there, nor refuses",
  hint: `Check the port of ${optionName("--core")}, and the firewalls on the way: they drop calls without an answer. Where a proxy is the only way out, name it in HTTPS_PROXY.`,
};
const NO_TLS: Reason = {
  what: "what answers there speaks no TLS",
  hint: `It is an http: port, as it seems. Give ${optionName("--core")} the port that speaks https:, or write http: for a core on this machine or, with ${optionName("--allow-insecure")}, on a private network.`,
};
const NO_AGREEMENT: Reason = {
  what: "TLS can't be agreed upon",
  hint: "The core has to offer TLS 1.2 or 1.3 with a usual cipher, and must not ask for a client certificate.",
};

/** Codes that come up only while connecting, so that nothing of the call was sent. Node's page on TLS and OpenSSL's on verification list those of certificates. */
const NOT_CONNECTED: Readonly<Record<string, (way: Way, error: unknown) => Reason>> = {
  ECONNREFUSED: ({ origin }) => ({ what: `nothing listens at ${new URL(origin).host}` }),
  ENOTFOUND: ({ origin }) => ({
    what: `no address is known for ${new URL(origin).hostname}`,
    hint: `Check the name in the URL given by ${optionName("--core")}, and this machine's DNS. Where a proxy alone leads out, name it in HTTPS_PROXY.`,
  }),
  EAI_AGAIN: ({ origin }) => ({
    what: `the name server doesn't answer for ${new URL(origin).hostname}`,
    hint: "Check this machine's network and DNS, in a container its resolver. Where a proxy alone leads out, name it in HTTPS_PROXY.",
  }),
  EHOSTUNREACH: () => NO_ROUTE,
  ENETUNREACH: () => NO_ROUTE,
  EADDRNOTAVAIL: () => NO_ROUTE,
  UND_ERR_CONNECT_TIMEOUT: () => SILENCE,
  ETIMEDOUT: () => SILENCE,
  DEPTH_ZERO_SELF_SIGNED_CERT: () => ({
    what: "its certificate is self-signed",
    hint: `If it is the core's own, give it (PEM) by ${optionName("--ca-file")}.`,
  }),
  SELF_SIGNED_CERT_IN_CHAIN: () => UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: () => UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: () => UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: () => UNTRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID: ({ origin }, error) => ({
    what: `its certificate is for ${namesIn(error)}, not for ${new URL(origin).hostname}`,
    hint: `Give ${optionName("--core")} a name that the certificate has, or have the core's certificate made for this one.`,
  }),
  CERT_HAS_EXPIRED: () => ({
    what: "its certificate has expired",
    hint: "Have the core's certificate renewed; check this machine's clock, too.",
  }),
  CERT_NOT_YET_VALID: () => ({
    what: "its certificate isn't valid yet",
    hint: "Check this machine's clock, and the core's certificate.",
  }),
  ERR_SSL_WRONG_VERSION_NUMBER: () => NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: () => NO_TLS,
  ERR_SSL_UNSUPPORTED_PROTOCOL: () => NO_AGREEMENT,
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: () => NO_AGREEMENT,
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: () => NO_AGREEMENT,
};

/** The error of a call that got no complete answer. */
export function connectionFailure(error: unknown, way: Way): CoreFailure {
  if (error instanceof CoreFailure) return error;
  if (error instanceof ProxyFailure) return proxyFailure(error, way);
  const { origin, proxy } = way;
  const code = systemErrorCode(error);
  const through = proxy?.isUsed ? ` through the proxy of ${proxy.variable}` : "";
  const reason = NOT_CONNECTED[code]?.(way, error);
  if (reason !== undefined || systemCall(error) === "connect") {
    const { what, hint } = reason ?? { what: "" };
    const full = exhausted(error) === null ? what : "too many open files on this side";
    const message = `the core can't be reached${through} (${code})${full === "" ? "" : `: ${full}`}`;
    return unreachable(message, "no", withoutProxy(hint, way), error);
  }
  // A port of TLS ends the connection of a caller that doesn't speak it.
  const hint = origin.startsWith("http:")
    ? `Check that the core runs; if that port speaks https:, write it in ${optionName("--core")}.`
    : undefined;
  const message = `the core's answer did not arrive${through} (${code || "connection lost"})`;
  return unreachable(message, "unknown", hint, error);
}

/** Codes of a certificate at `https:` whose authority isn't trusted. */
const UNTRUSTED_PROXY = /SELF_SIGNED|ISSUER_CERT|LEAF_SIGNATURE/;

function proxyFailure(failure: ProxyFailure, { origin, proxy }: Way): CoreFailure {
  const { status, cause } = failure;
  const variable = proxy?.variable ?? "the environment";
  const { host, hostname } = new URL(origin);
  const without = `Where the core is reached without it, name ${hostname} in NO_PROXY.`;
  if (status === null) {
    const code = systemErrorCode(cause) || "connection lost";
    const message = `the proxy of ${variable} can't be reached (${code})`;
    const next = UNTRUSTED_PROXY.test(code)
      ? `Give the file (PEM) of the authority that signed the proxy's certificate in NODE_EXTRA_CA_CERTS; ${optionName("--ca-file")} is for the core.`
      : `Check ${variable}, and that the proxy runs.`;
    return unreachable(message, "no", `${next} ${without}`, failure);
  }
  const message = `the proxy of ${variable} opens no way to the core (HTTP ${status})`;
  const next =
    status === 407
      ? `It asks for a user name and a password, or for other ones: write them into ${variable}, as in http://NAME:PASSWORD@proxy.example.com:8080.`
      : status < 500
        ? `Have it let ${host} through: many proxies let port 443 alone through. ${without}`
        : `It can't reach ${host} either: check the URL given by ${optionName("--core")}. ${without}`;
  return unreachable(message, "no", next, failure);
}

/** A variable that names a proxy is said also where the core is asked without it. */
function withoutProxy(hint: string | undefined, { proxy }: Way): string | undefined {
  if (proxy === null || proxy.isUsed) return hint;
  const { variable } = proxy;
  const base = hint ?? `Check the URL given by ${optionName("--core")} and that the core runs.`;
  return `${base} ${variable} names a proxy, but NO_PROXY names this host.`;
}

function unreachable(
  message: string,
  reached: Reached,
  hint: string | undefined,
  cause: unknown,
): CoreFailure {
  return new CoreFailure("unreachable", message, { reached, hint, cause });
}

function systemCall(error: unknown): unknown {
  return typeof error === "object" && error !== null && "syscall" in error ? error.syscall : "";
}

const MOST_NAMES = 3;

/** The hosts that a certificate is for. It is another machine's text: only what names are written with is shown. */
function namesIn(error: unknown): string {
  const { cert = {} } = error as { readonly cert?: { readonly subjectaltname?: string } };
  const alternatives = cert.subjectaltname ?? "";
  const names = [...alternatives.matchAll(/(?:DNS|IP Address):([\w.*:-]+)/g)].map(
    ([, name]) => name,
  );
  if (names.length === 0) return "another name";
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
  return `${names.slice(0, MOST_NAMES).join(", ")}${more}`;
}
