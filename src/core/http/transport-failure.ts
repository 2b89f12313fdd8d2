/** Types what undici throws when there is no answer, by the one question that matters: can the call have reached the core? */

import { exhausted } from "../../errors/exhausted.js";
import { systemErrorCode } from "../../errors/run-error.js";
import { CoreFailure } from "../core-failure.js";

/** Codes that come up only while connecting, so that nothing of the call was sent. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "UND_ERR_CONNECT_TIMEOUT",
  "ERR_SSL_WRONG_VERSION_NUMBER",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/** The error of a call that got no complete answer. */
export function transportFailure(error: unknown): CoreFailure {
  if (error instanceof CoreFailure) return error;
  const code = systemErrorCode(error);
  const connecting = NOT_CONNECTED.has(code) || systemCall(error) === "connect";
  const why = exhausted(error) === null ? code : `${code}: too many open files on this side`;
  return new CoreFailure(
    "unreachable",
    connecting
      ? `the core can't be reached (${why})`
      : `the core's answer did not arrive (${code || "connection lost"})`,
    { reached: connecting ? "no" : "unknown", cause: error },
  );
}

function systemCall(error: unknown): unknown {
  return typeof error === "object" && error !== null && "syscall" in error ? error.syscall : "";
}
