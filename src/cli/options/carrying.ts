/** Options of what else of an account goes to the core, beside contacts and hash. */

import { z } from "zod";
import { type CarryPolicy, DEFAULT_POLICY } from "../../plan/policy.js";
import { readCoreNames } from "../../source/mapping/read-mapping.js";
import type { OptionSpecs, ValuesOf } from "./option.js";
import { carriedParts } from "./types.js";

export const carrying = {
  carry: {
    flags: "--carry <parts>",
    group: "Which users are taken",
    help: "which of verified, joined, metadata, social and totp go to the core, with commas between; or none",
    docs: "A named part that the core doesn't offer stops the run: 69 ([import.md](import.md#the-rest-of-the-account))",
    type: carriedParts,
    defaultText: "all that the core offers",
  },
  roles: {
    flags: "--roles <which>",
    help: "give users the roles that they have at the vendor: existing ones of the core, or create them",
    brief: "give users the roles that they have at the vendor",
    docs: "With `existing` an unknown role stops the run: 78",
    type: z.enum(["existing", "create"]),
    defaultText: "none but those that --mapping names",
  },
} as const satisfies OptionSpecs;

/**
 * @param mapping the file that has the core's names of roles and providers
 * @throws RunError `mapping_invalid`
 */
export function carryPolicy({
  carry,
  roles,
  mapping,
}: ValuesOf<typeof carrying> & { readonly mapping?: string | undefined }): CarryPolicy {
  const { mapRole, mapProvider } = mapping === undefined ? DEFAULT_POLICY : readCoreNames(mapping);
  return { carry: carry ?? null, roles: roles ?? null, mapRole, mapProvider };
}
