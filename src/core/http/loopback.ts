/** Tells this machine's own addresses from all others. Names are not looked up. */

const LOOPBACK_V4 = /^127(?:\.\d{1,3}){3}$/;

/** @param host a host name or address; IPv6 with or without brackets */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || LOOPBACK_V4.test(host);
}
