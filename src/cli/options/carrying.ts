/** Options of what else of an account goes to the core, beside contacts and hash. */

import { z } from "zod";
import { RunError } from "../../errors/run-error.js";
import type { CarryPolicy } from "../../plan/policy.js";
import type { OptionSpecs, ValuesOf } from "./option.js";
import { carriedParts, renaming } from "./types.js";

export const carrying = {
  carry: {
    flags: "--carry <parts>",
    group: "Which users are taken",
    help: "which of verified, joined, metadata, social and totp go to the core, with commas between; or none",
    docs: "A part that is named and that the core doesn't offer stops the run (69). See [The rest of the account](import.md#the-rest-of-the-account)",
    type: carriedParts,
    defaultText: "all that the core offers",
  },
  roles: {
    flags: "--roles <which>",
    group: "Which users are taken",
    help: "give users the roles that they have at the vendor: existing ones of the core, or create them",
    docs: "With `existing` a role that the core doesn't have stops the run (78)",
    type: z.enum(["existing", "create"]),
    defaultText: "none but those of --map-role",
  },
  mapRole: {
    flags: "--map-role <vendor=core>",
    group: "Which users are taken",
    help: "give users with this role at the vendor that role at the core; may be repeated",
    type: renaming,
    repeated: true,
    defaultText: "none",
  },
  mapProvider: {
    flags: "--map-provider <vendor=core>",
    group: "Which users are taken",
    help: "the core's name of a social provider, as in oidc.acme=acme; may be repeated",
    type: renaming,
    repeated: true,
    defaultText: "well-known ones by their usual names",
  },
} as const satisfies OptionSpecs;

/** @throws RunError `usage` where one name of the vendor's is given two of the core's */
export function carryPolicy({
  carry,
  roles,
  mapRole,
  mapProvider,
}: ValuesOf<typeof carrying>): CarryPolicy {
  return {
    carry: carry ?? null,
    roles: roles ?? null,
    mapRole: renamed("--map-role", mapRole),
    mapProvider: renamed("--map-provider", mapProvider),
  };
}

function renamed(
  flag: string,
  pairs: readonly (readonly [vendor: string, core: string])[],
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [vendor, core] of pairs) {
    const known = names.get(vendor) ?? core;
    if (known !== core) {
      throw new RunError("usage", `${flag} has two names for one of the vendor's.`, {
        hint: `${JSON.stringify(vendor)} is ${known} and ${core}; leave one of them.`,
      });
    }
    names.set(vendor, core);
  }
  return names;
}
