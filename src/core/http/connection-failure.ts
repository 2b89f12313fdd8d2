/** Types a call that got no whole answer: whether it reached the core, and in the operator's words why not and what helps. Names of hosts and of variables are shown, credentials never. */

import type { PeerCertificate } from "node:tls";
import { exhausted, systemErrorCode } from "../../errors/run-error.js";
import { CoreFailure } from "../core-failure.js";

/** How a call went out. */
export interface Way {
  /** As in `https://core.example.com:3567`. */
  readonly origin: string;
}

/** What a code says of the core, and what the operator does about it; without a hint, the URL and the core itself are to be looked at. */
interface Reason {
  readonly what: string;
  readonly hint?: string;
}

const UNTRUSTED: Reason = {
  what: "its certificate is signed by an authority that this machine doesn't trust",
  hint: "Give that authority's certificate (PEM) by --ca-file; a proxy that reads along signs with one of its own. A core that sends its certificate without the one between can also be told to send both.",
};
const NO_ROUTE: Reason = {
  what: "no way leads there from this network",
  hint: "Check this machine's network, its VPN and the firewalls between. Where a proxy alone leads out, name it in HTTPS_PROXY.",
};
const SILENCE: Reason = {
  what: "nothing answers there, nor refuses",
  hint: "Check the port of --core and the firewalls between: they keep silent like this. Where a proxy alone leads out, name it in HTTPS_PROXY.",
};
const NO_TLS: Reason = {
  what: "what answers there speaks no TLS",
  hint: "It is an http: port, as it seems. Give --core the port that speaks https:, or write http: for a core on this machine or, with --allow-insecure, on a private network.",
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
    hint: "Check the name in the URL given by --core, and this machine's DNS. Where a proxy alone leads out, name it in HTTPS_PROXY.",
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
    hint: "If it is the core's own, give it (PEM) by --ca-file.",
  }),
  SELF_SIGNED_CERT_IN_CHAIN: () => UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: () => UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: () => UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: () => UNTRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID: ({ origin }, error) => ({
    what: `its certificate is for ${namesIn(error)}, not for ${new URL(origin).hostname}`,
    hint: "Give --core a name that the certificate has, or have the core's certificate made for this one.",
  }),
  CERT_HAS_EXPIRED: (_, error) => ({
    what: `its certificate expired${dayIn(error, "valid_to", " on")}`,
    hint: "Have the core's certificate renewed; check this machine's clock, too.",
  }),
  CERT_NOT_YET_VALID: (_, error) => ({
    what: `its certificate isn't valid yet${dayIn(error, "valid_from", ", but from")}`,
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
  const code = systemErrorCode(error);
  const reason = NOT_CONNECTED[code]?.(way, error);
  if (reason !== undefined || systemCall(error) === "connect") {
    const { what, hint } = reason ?? { what: "" };
    const full = exhausted(error) === null ? what : "too many open files on this side";
    const message = `the core can't be reached (${code})${full === "" ? "" : `: ${full}`}`;
    return new CoreFailure("unreachable", message, { reached: "no", hint, cause: error });
  }
  return new CoreFailure(
    "unreachable",
    `the core's answer did not arrive (${code || "connection lost"})`,
    {
      reached: "unknown",
      // A port of TLS ends the connection of a caller that doesn't speak it.
      hint: way.origin.startsWith("http:")
        ? "Check that the core runs; if that port speaks https:, write it in --core."
        : undefined,
      cause: error,
    },
  );
}

function systemCall(error: unknown): unknown {
  return typeof error === "object" && error !== null && "syscall" in error ? error.syscall : "";
}

const MOST_NAMES = 3;

/** The hosts that a certificate is for. It is another machine's text: only what names are written with is shown. */
function namesIn(error: unknown): string {
  const alternatives = certificateIn(error)?.subjectaltname ?? "";
  const names = [...alternatives.matchAll(/(?:DNS|IP Address):([\w.*:-]+)/g)].map(
    ([, name]) => name,
  );
  if (names.length === 0) return "another name";
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
  return `${names.slice(0, MOST_NAMES).join(", ")}${more}`;
}

/** As in ` on 2026-01-31`; empty where the certificate wasn't seen. */
function dayIn(error: unknown, field: "valid_from" | "valid_to", before: string): string {
  const time = Date.parse(certificateIn(error)?.[field] ?? "");
  return Number.isNaN(time) ? "" : `${before} ${new Date(time).toISOString().slice(0, 10)}`;
}

type Shown = Partial<Pick<PeerCertificate, "subjectaltname" | "valid_from" | "valid_to">>;

/** The certificate that Node puts beside a wrong name, and the connector beside any failure. */
function certificateIn(error: unknown): Shown | null {
  const isBeside = typeof error === "object" && error !== null && "cert" in error;
  return isBeside && typeof error.cert === "object" ? error.cert : null;
}
