/** Lines of Apache's htpasswd: a user's name and a colon before a hash. Only the operator can say that a file holds them, since a name may as well be the mark of a scheme. */

import type { Inner } from "./inner.js";
import { findVendor } from "./vendors.js";

/** A name has no colon (httpd.apache.org/docs/2.4/programs/htpasswd.html), and no hash of the file holds one. */
const LINE = /^([^:$\0\r\n]{1,255}):(?=[${])/;

/** @returns the hash of a line where `vendor` is htpasswd; else null */
export function openHtpasswdLine(text: string, vendor: string | null): Inner | null {
  if (vendor === null || findVendor(vendor)?.name !== "htpasswd") return null;
  const [opening] = LINE.exec(text) ?? [];
  if (opening === undefined) return null;
  return { kind: "text", text: text.slice(opening.length), steps: ["htpasswd_user_stripped"] };
}
