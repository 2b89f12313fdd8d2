/** Certificates for servers on loopback, and the authority that signed all but the self-signed ones. */

import { readFileSync } from "node:fs";

const FOLDER = new URL("./fixtures/tls/", import.meta.url);

/**
 * `localhost` is for localhost, 127.0.0.1 and ::1, as all are but `other-name`, which is for
 * core.example.com and auth.example.com, and `ipv6`, which is for 2001:db8::7 and signs itself.
 */
export type CertificateName =
  | "localhost"
  | "other-name"
  | "expired"
  | "early"
  | "self-signed"
  | "ipv6";

export const AUTHORITY = pem("authority");

/** What a server of TLS takes. */
export function certificate(name: CertificateName): {
  readonly key: string;
  readonly cert: string;
} {
  return { key: pem("key"), cert: pem(name) };
}

function pem(name: string): string {
  return readFileSync(new URL(`${name}.pem`, FOLDER), "utf8");
}
