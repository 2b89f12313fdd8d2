/** Tells this machine's own addresses from all others. Names are not looked up: of them only `localhost` counts. */

import { BlockList, isIP } from "node:net";

/** RFC 1122 section 3.2.1.3 and RFC 4291 section 2.5.3; IPv4 addresses in IPv6's form are matched, too. */
const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

/** @param host a host name or address; IPv6 with or without brackets */
export function isLoopback(host: string): boolean {
  const name = withoutBrackets(host);
  if (name.toLowerCase() === "localhost") return true;
  const family = isIP(name);
  return family !== 0 && LOOPBACK.check(name, family === 6 ? "ipv6" : "ipv4");
}

/** An IPv6 address as URLs write it, as sockets take it. */
export function withoutBrackets(host: string): string {
  return host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host;
}
