/** Makes sure before the first user that the core has a place for what is asked for by name: parts of accounts, and roles. */

import { randomUUID } from "node:crypto";
import { CoreFailure, type CoreFailureKind } from "../core/core-failure.js";
import type { Core } from "../core/core.js";
import { optionName } from "../errors/option-name.js";
import { RunError } from "../errors/run-error.js";
import {
  type Carried,
  type CarriedRoles,
  carriedBy,
  notOffered,
  type Offered,
} from "../plan/carried.js";
import type { CarriedPart, CarryPolicy } from "../plan/policy.js";
import { withQueue } from "./bulk/setting.js";
import { ask } from "./preflight.js";

/** Roles that a message names. */
const MOST_NAMED = 10;

/** What would make a part work. */
const REMEDIES: Readonly<Record<CarriedPart | "roles", string>> = {
  verified: "verified takes a core with email verification",
  joined: `joined takes the embedded core, or the bulk import of a remote one (${optionName("--bulk")}), since no other call takes a time of joining`,
  metadata: "metadata takes a core with user metadata",
  social: "social takes a core with third-party accounts",
  totp: "totp takes a core with TOTP devices, which SuperTokens has by a licence",
  roles: `${optionName("--roles")}, and the roles of ${optionName("--mapping")}, take a core with roles`,
};

/**
 * What of accounts is carried into a core.
 *
 * @param offered the core's capabilities
 * @throws RunError `core_feature_missing` for what is asked for by name, `role_unknown` for a role of
 *   a mapping that the core doesn't have
 */
export function requireCarried(policy: CarryPolicy, offered: Offered): Carried {
  const missing = notOffered(policy, offered);
  if (missing.length > 0) {
    throw new RunError(
      "core_feature_missing",
      `The core offers no place for ${missing.join(", ")}.`,
      {
        hint: `Leave it out of the options; or know that ${missing.map((part) => REMEDIES[part]).join("; ")}. Nothing was sent.`,
      },
    );
  }
  if (policy.roles !== "create") requireKnown([...policy.mapRole.values()], offered);
  return carriedBy(policy, offered);
}

/**
 * {@link requireCarried} by what the core says. What only a write tells counts as offered. So does a
 * time of joining: of whom the core has none, their import has told.
 *
 * @throws RunError as `checkCore`, and as {@link requireCarried}
 */
export async function carriedAt(core: Core, policy: CarryPolicy): Promise<Carried> {
  const offered = await ask("probe", () => core.capabilities());
  return requireCarried(policy, withQueue(offered, true));
}

/**
 * The same for an import, which tries what some cores tell only by a write: the second factor of an
 * id that no user has, which is undone at once.
 *
 * @param offered the core's capabilities
 * @throws RunError as {@link carriedAt}
 */
export async function carriedInto(
  core: Core,
  policy: CarryPolicy,
  offered: Offered,
): Promise<Carried> {
  const isOpen = offered.totp === null && carriedBy(policy, offered).totp;
  const totp = isOpen ? await ask("probe", () => keepsFactors(core)) : offered.totp;
  return requireCarried(policy, { ...offered, totp });
}

/** Not a single user with a second factor may be there without it. */
async function keepsFactors(core: Core): Promise<boolean> {
  const device = { userId: randomUUID(), deviceName: "auth-migrate-probe" };
  try {
    await core.part("importTotpDevice", { ...device, secretKey: NO_SECRET, period: 30, skew: 1 });
  } catch (error) {
    if (error instanceof CoreFailure && NO.includes(error.kind)) return false;
    throw error;
  }
  await core.part("removeTotpDevice", device);
  return true;
}

const NO_SECRET = "A".repeat(32);
const NO: readonly CoreFailureKind[] = ["disabled", "not_offered", "refused"];

/**
 * Makes sure that the core has the roles which an export's users are to get; `--roles create` makes
 * those that are missing.
 *
 * @param roles by the core's names
 * @param core null where nothing is to be made
 * @throws RunError as `checkCore`, `role_unknown`
 */
export async function requireRoles(
  roles: readonly string[],
  { known }: CarriedRoles,
  { roles: which }: CarryPolicy,
  core: Core | null,
): Promise<void> {
  if (which !== "create") return requireKnown(roles, { roles: known });
  if (core === null) return;
  for (const role of roles.filter((one) => !known.includes(one))) {
    await ask("probe", () => core.part("putRole", { role, permissions: [] }));
  }
}

function requireKnown(wanted: readonly string[], { roles }: Pick<Offered, "roles">): void {
  const unknown = [...new Set(wanted)].filter((role) => roles?.includes(role) !== true).sort();
  if (unknown.length > 0) throw roleUnknown(unknown);
}

/** A role that is asked for and that the core doesn't have. */
export function roleUnknown(roles: readonly string[]): RunError {
  const named = roles.slice(0, MOST_NAMED).map((role) => JSON.stringify(role));
  const others = roles.length > MOST_NAMED ? ` and ${roles.length - MOST_NAMED} others` : "";
  return new RunError("role_unknown", `The core has no role ${named.join(", ")}${others}.`, {
    hint: `Make it at the core, let ${optionName("--roles")} create make it, or give users another one by ${optionName("--mapping", "FILE")}, as in roles: { vendors: cores }; without ${optionName("--roles")} only those that it names are carried.`,
  });
}
