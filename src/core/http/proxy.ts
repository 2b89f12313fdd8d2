/** The proxy that the environment names for a remote core, by the variables that curl and other tools read. No message holds its URL, which may hold a password. */

import { RunError } from "../../errors/run-error.js";
import { isLoopback } from "./loopback.js";

/** A proxy as the environment names it. */
interface NamedProxy {
  /** The variable that names it, for messages. */
  readonly variable: string;
  readonly uri: string;
  /** `Proxy-Authorization`; absent where its URL has no user name. */
  readonly token?: string;
  /** Hosts that are reached without it, as `NO_PROXY` lists them. */
  readonly noProxy: string;
}

const OF_HTTP = ["http_proxy", "HTTP_PROXY"];
/** In this order; a proxy for `http:` serves `https:`, too, where none is named for it. */
const VARIABLES: Readonly<Record<string, readonly string[]>> = {
  "http:": OF_HTTP,
  "https:": ["https_proxy", "HTTPS_PROXY", ...OF_HTTP],
};

/**
 * @returns null where no variable names one, and for this machine's own addresses: no proxy leads
 *   back to the caller
 * @throws RunError `config_invalid` for a variable that names none
 */
export function proxyFor(origin: string, env: NodeJS.ProcessEnv): NamedProxy | null {
  const { protocol, hostname } = new URL(origin);
  const setting = (name: string): string => env[name]?.trim() ?? "";
  const variable = VARIABLES[protocol]?.find((name) => setting(name) !== "");
  if (variable === undefined || isLoopback(hostname)) return null;
  const noProxy = setting("no_proxy") || setting("NO_PROXY");
  return { variable, ...addressIn(variable, setting(variable)), noProxy };
}

/** As curl does, takes a proxy without a scheme for one of `http:`. */
function addressIn(variable: string, text: string): Pick<NamedProxy, "uri" | "token"> {
  const written = text.includes("://") ? text : `http://${text}`;
  if (!URL.canParse(written)) throw noProxyUrl(variable);
  const { protocol, origin, username, password, pathname, search, hash } = new URL(written);
  const isHttp = protocol === "http:" || protocol === "https:";
  // What follows the port may be the rest of a password.
  if (!isHttp || pathname !== "/" || search !== "" || hash !== "") throw noProxyUrl(variable);
  if (username === "") return { uri: origin };
  return { uri: origin, token: basicToken(variable, `${username}:${password}`) };
}

function basicToken(variable: string, encoded: string): string {
  try {
    return `Basic ${Buffer.from(decodeURIComponent(encoded)).toString("base64")}`;
  } catch {
    throw noProxyUrl(variable);
  }
}

function noProxyUrl(variable: string): RunError {
  return new RunError("config_invalid", `the variable ${variable} holds no http: or https: URL`, {
    hint: `Write ${variable} as in http://proxy.example.com:8080; a user name and a password go before the host, as in http://NAME:PASSWORD@proxy.example.com:8080, with what isn't a letter or digit percent-encoded. Or unset it.`,
  });
}
