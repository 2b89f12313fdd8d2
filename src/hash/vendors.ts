/** The vendors by whose name a bare hash is judged: its text doesn't show whether the password was changed first. Each row of the tables names its source. */

import { defineFlaw, type Flaw } from "./flaw.js";
import { APPLICATIONS } from "./vendors/applications.js";
import { FRAMEWORKS } from "./vendors/frameworks.js";
import { SERVICES } from "./vendors/services.js";
import type { VendorRow } from "./vendors/vendor.js";

/** One vendor by whose name a bare bcrypt or argon2 hash is judged. */
export interface Vendor extends VendorRow {
  readonly aliases: readonly string[];
  /** Empty where it does nothing to the password. */
  readonly what: string;
  /** The refusal of its hashes, where it always changes the password; else null. */
  readonly flaw: Flaw | null;
}

/** All vendors that `--from` knows beside the sources, in the order of the docs. */
export const VENDORS: readonly Vendor[] = [...SERVICES, ...FRAMEWORKS, ...APPLICATIONS].map(
  (row): Vendor => {
    const { aliases = [], what = "" } = row;
    const flaw = row.preHash === "always" ? defineFlaw("prehashed_unmarked", what) : null;
    return { ...row, aliases, what, flaw };
  },
);

const BY_NAME = new Map(
  VENDORS.flatMap((vendor) => [vendor.name, ...vendor.aliases].map((name) => [name, vendor])),
);

/** @returns the vendor of that name or alias, or null */
export function findVendor(name: string): Vendor | null {
  return BY_NAME.get(name) ?? null;
}
