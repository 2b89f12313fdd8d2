/** A database's address, login and TLS, as values. */

import type { CoreTarget } from "../../core.js";

/** How a connection is encrypted; the server's certificate is always verified. */
export interface DatabaseTls {
  /** Certificate authorities that are trusted in place of Node.js's own, PEM. */
  readonly ca?: string | undefined;
  /** This side's certificate and its key, PEM. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** A PostgreSQL database and who logs in to it. */
export interface DatabaseSettings {
  /** A host name, an address, or the folder of a Unix socket, which begins with a slash. */
  readonly host: string;
  /** 5432 by default. */
  readonly port?: number | undefined;
  readonly database: string;
  readonly user: string;
  /** Null, the default, where the server asks for none. */
  readonly password?: string | null | undefined;
  /** Null, the default, for a connection that isn't encrypted. */
  readonly tls?: DatabaseTls | null | undefined;
  /** Most connections of this process; 10 by default. Each costs the server a process. */
  readonly poolSize?: number | undefined;
}

/** PostgreSQL's default port. */
export const DEFAULT_PORT = 5432;

/** The core's name in messages: host, port and database, without user name and password. */
export function targetOf(
  settings: DatabaseSettings,
): Extract<CoreTarget, { readonly database: string }> {
  const { host, port = DEFAULT_PORT, database } = settings;
  const name = encodeURIComponent(database);
  if (host.startsWith("/")) {
    const end = port === DEFAULT_PORT ? "" : `&port=${port}`;
    return { kind: "embedded", database: `postgres:///${name}?host=${host}${end}` };
  }
  const hostPart = host.includes(":") ? `[${host}]` : host;
  return { kind: "embedded", database: `postgres://${hostPart}:${port}/${name}` };
}
