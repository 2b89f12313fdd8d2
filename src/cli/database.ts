/** Which database a URL names, and the password for it: from the URL, the environment or a password file, never from argv. No message repeats the URL. */

import { userInfo, homedir } from "node:os";
import {
  type DatabaseSettings,
  type DatabaseTls,
  DEFAULT_PORT,
} from "../core/embedded/postgres/settings.js";
import { isLoopback } from "../core/http/loopback.js";
import { RunError, type RunErrorCode } from "../errors/run-error.js";
import { isOpenToOthers } from "../files/own-file.js";
import type { DatabaseKind } from "../source/database/database.js";
import { readSmallText } from "./small-file.js";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** What a URL may say behind its question mark; anything else would be ignored in silence. */
const PARAMETERS = ["host", "port", "sslmode", "sslrootcert", "sslcert", "sslkey"] as const;
type Parameter = (typeof PARAMETERS)[number];

/** As of node-postgres: each of these words asks for TLS with the certificate verified. */
const VERIFYING = ["require", "verify-ca", "verify-full"];

interface SystemUrls {
  readonly scheme: RegExp;
  readonly port: number;
  /** Where its socket is. */
  readonly socket: string;
  readonly user: string;
  readonly password: string;
  /** Its own names of parameters. */
  readonly named: Readonly<Record<string, Parameter>>;
  /** Its own words for an sslmode. */
  readonly modes: Readonly<Record<string, string>>;
}

const SYSTEMS = {
  postgres: {
    scheme: /^postgres(?:ql)?:\/\//,
    port: DEFAULT_PORT,
    socket: "/var/run/postgresql",
    user: "PGUSER",
    password: "PGPASSWORD",
    named: {},
    modes: {},
  },
  mysql: {
    scheme: /^(?:mysql|mariadb):\/\//,
    port: 3306,
    socket: "/run/mysqld/mysqld.sock",
    user: "USER",
    password: "MYSQL_PWD",
    // As MySQL's own programs call them: https://dev.mysql.com/doc/refman/8.4/en/connecting-using-uri-or-key-value-pairs.html
    named: {
      "ssl-mode": "sslmode",
      "ssl-ca": "sslrootcert",
      "ssl-cert": "sslcert",
      "ssl-key": "sslkey",
    },
    modes: {
      DISABLED: "disable",
      REQUIRED: "require",
      VERIFY_CA: "verify-ca",
      VERIFY_IDENTITY: "verify-full",
    },
  },
} as const satisfies Record<DatabaseKind, SystemUrls>;

/** Whose database a URL names; null for anything else. */
export function systemOf(url: string): DatabaseKind | null {
  if (SYSTEMS.postgres.scheme.test(url)) return "postgres";
  return SYSTEMS.mysql.scheme.test(url) ? "mysql" : null;
}

/** `user@/name?host=/folder`: a socket's URL has no host, which a URL of the web must have. */
const WITHOUT_HOST = /^(\w+:\/\/(?:[^@/?#]*@)?)(?=[/?]|$)/;
const NO_HOST = "host.invalid";

/** Whether a URL of a database holds a password. */
export function hasPassword(url: string): boolean {
  return /^[^/]*:\/\/[^/?#]*:[^/?#]*@/.test(url) || /[?&]password=/.test(url);
}

/**
 * @param data as `--data` was typed
 * @throws RunError `usage` where argv holds a password, which every user who may list processes can read
 */
export function refusePassword(data: string): void {
  if (!hasPassword(data)) return;
  throw new RunError("usage", "A password was given on the command line, by --data.", {
    hint: "Others on this machine can read it there. Leave it out of the URL and set PGPASSWORD, write it into ~/.pgpass, or give the whole URL as AUTH_MIGRATE_DATA; and change the password.",
  });
}

/** The URL without the password in it, to be shown. */
export function withoutPassword(url: string): string {
  return url
    .replace(/^([^/]*:\/\/[^:/?#]*):[^/?#]*@/, "$1@")
    .replace(/([?&])password=[^&#]*&?/g, "$1");
}

interface Reading {
  readonly system?: DatabaseKind | undefined;
  /** `config_invalid` by default. */
  readonly code?: RunErrorCode;
}

/**
 * How a database is reached.
 *
 * @param where what gave the URL, for messages
 * @param onNote told of a password file that isn't used
 * @throws RunError `config_invalid`, or the code that is given
 */
export function databaseOf(
  url: string,
  where: string,
  onNote: (line: string) => void,
  env: NodeJS.ProcessEnv = process.env,
  { system = "postgres", code = "config_invalid" }: Reading = {},
) {
  const known = SYSTEMS[system];
  const refuse = (flaw: string): RunError =>
    new RunError(code, `The URL of the database, from ${where}, ${flaw}.`, {
      hint: `Write it as ${system}://user@host:${known.port}/name, special characters as %XX; for a socket as ${system}://user@/name?host=${known.socket}.`,
    });
  const { parts, parameters } = read(url, system, refuse);
  const host = decoded(parameters.host ?? (parts.hostname === NO_HOST ? "" : parts.hostname));
  const database = decoded(parts.pathname.slice(1));
  if (host === "") throw refuse("names no host");
  if (database === "") throw refuse("names no database");
  const port = Number((parameters.port ?? parts.port) || known.port);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw refuse("has no port that is one");
  const user = decoded(parts.username) || env[known.user] || userInfo().username;
  const login = { host: host.replace(/^\[|\]$/g, ""), port, database, user };
  const asked = parts.searchParams.get("password") || env[known.password];
  const given = decoded(parts.password) || asked;
  const password =
    given || (system === "postgres" ? passwordFromFile(login, env, onNote) : null) || null;
  return {
    ...login,
    password,
    tls: tlsOf(login.host, parameters, refuse),
  } satisfies DatabaseSettings;
}

type Refuse = (flaw: string) => RunError;

function read(url: string, system: DatabaseKind, refuse: Refuse) {
  if (!SYSTEMS[system].scheme.test(url)) throw refuse(`doesn't begin with ${system}://`);
  const text = url.replace(WITHOUT_HOST, `$1${NO_HOST}`);
  if (!URL.canParse(text)) throw refuse("is no URL");
  const parts = new URL(text);
  const parameters: Partial<Record<Parameter, string>> = {};
  const { named, modes }: SystemUrls = SYSTEMS[system];
  for (const [name, value] of parts.searchParams) {
    const known = PARAMETERS.find((each) => each === name) ?? named[name];
    if (known === "sslmode") parameters.sslmode = modes[value.toUpperCase()] ?? value;
    else if (known !== undefined) parameters[known] = value;
    else if (name !== "password") {
      throw refuse(`has a parameter that isn't one of ${PARAMETERS.join(", ")}`);
    }
  }
  return { parts, parameters };
}

/** A stray percent sign stands for itself. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Verified TLS to any other machine, none to this one, unless `sslmode` says so. */
function tlsOf(
  host: string,
  { sslmode, sslrootcert, sslcert, sslkey }: Partial<Record<Parameter, string>>,
  refuse: Refuse,
): DatabaseTls | null {
  const files = [sslrootcert, sslcert, sslkey].filter((file) => file !== undefined);
  const isHere = host.startsWith("/") || isLoopback(host) || host === "localhost";
  if (sslmode !== undefined && sslmode !== "disable" && !VERIFYING.includes(sslmode)) {
    throw refuse(`has an sslmode that isn't disable or ${VERIFYING.join(", ")}`);
  }
  const isOff = sslmode === "disable" || (sslmode === undefined && isHere && files.length === 0);
  if (isOff && files.length > 0) throw refuse("names certificates and switches TLS off");
  if (isOff) return null;
  const pem = (file: string | undefined): string | undefined => {
    if (file === undefined) return undefined;
    const found = readSmallText(file);
    if ("text" in found) return found.text;
    throw refuse(`names a file ${file}, but ${found.flaw}`);
  };
  return { ca: pem(sslrootcert), cert: pem(sslcert), key: pem(sslkey) };
}

interface Login {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
}

/** Five fields with colons between; a backslash takes the meaning from a colon or a backslash. */
const FIELD = /(?:^|:)((?:[^:\\]|\\.?)*)/g;

/**
 * The password for a login, from the file that `PGPASSFILE` names or `.pgpass` in the home folder.
 * The package pgpass, which the driver uses, takes the last line that fits, and libpq the first.
 *
 * @param onNote told of a file that can't be used
 * @returns null where there is none
 */
export function passwordFromFile(
  login: Login,
  env: NodeJS.ProcessEnv,
  onNote: (line: string) => void,
): string | null {
  const file = env.PGPASSFILE ?? join(homedir(), ".pgpass");
  if (!existsSync(file)) return null;
  if (isOpenToOthers(file)) {
    onNote(`${file} isn't used, since others on this machine can read it: chmod 600 it.`);
    return null;
  }
  const found = readSmallText(file);
  if (!("text" in found)) {
    onNote(`${file} isn't used: ${found.flaw}.`);
    return null;
  }
  return passwordIn(found.text, login);
}

/** The password that a password file's text has for a login, or null. */
export function passwordIn(text: string, { host, port, database, user }: Login): string | null {
  // A Unix socket's folder goes by the name of this machine, as in libpq's default.
  const wanted = [host.startsWith("/") ? "localhost" : host, `${port}`, database, user];
  const lines = text.split(/\r?\n/).filter((line) => !line.startsWith("#"));
  const logins = lines.map((line) =>
    Array.from(line.matchAll(FIELD), ([, field = ""]) => field.replace(/\\(.)/g, "$1")),
  );
  const found = logins.find(
    (fields) =>
      fields.length === wanted.length + 1 &&
      fields.at(-1) !== "" &&
      wanted.every((own, index) => fields[index] === "*" || fields[index] === own),
  );
  return found?.at(-1) ?? null;
}
