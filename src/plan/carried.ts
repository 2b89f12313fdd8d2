/** What an import carries of an account beside contact and hash: what the operator wants and the core offers. Pure. */

import type { Capabilities } from "../core/core.js";
import { CARRIED_PARTS, type CarriedPart, type CarryPolicy } from "./policy.js";

/** What an import carries beside contact and hash. Made once a run. */
export interface Carried extends Readonly<Record<CarriedPart, boolean>> {
  /** How the vendor's roles become the core's; null where no role is carried. */
  readonly roles: CarriedRoles | null;
  /** The core's names of providers, by the vendor's. */
  readonly providers: ReadonlyMap<string, string>;
  /** The core takes several ways in for one user. */
  readonly linking: boolean;
  /** The core takes a new user's whole account in one call. */
  readonly whole: boolean;
}

/** A role without an entry in `map` keeps its name where `others` is true, else it stays behind. */
export interface CarriedRoles {
  readonly map: ReadonlyMap<string, string>;
  readonly others: boolean;
  /** Those that the core had when the run began. */
  readonly known: readonly string[];
}

export const NOTHING_CARRIED: Carried = {
  verified: false,
  joined: false,
  metadata: false,
  social: false,
  totp: false,
  roles: null,
  providers: new Map(),
  linking: false,
  whole: false,
};

/** The names of what is carried. */
export function carriedParts(carried: Carried): readonly (CarriedPart | "roles")[] {
  return [...CARRIED_PARTS, "roles" as const].filter((part) => carried[part]);
}

/** What a core says that it offers, as far as accounts are concerned. */
export type Offered = Pick<
  Capabilities,
  | "emailVerification"
  | "metadata"
  | "roles"
  | "thirdParty"
  | "accountLinking"
  | "totp"
  | "timeJoined"
  | "importAccount"
>;

/** What a dry run counts on that asks no core: an embedded core offers as much. */
export const ALL_OFFERED: Offered = {
  emailVerification: true,
  metadata: true,
  roles: [],
  thirdParty: true,
  accountLinking: false,
  totp: true,
  timeJoined: true,
  importAccount: true,
};

/** What is wanted and offered. A part counts as offered where only a first call can tell. */
export function carriedBy(policy: CarryPolicy, offered: Offered): Carried {
  const { carry, roles, mapRole, mapProvider } = policy;
  const isThere = isOffered(offered);
  const carries = (part: CarriedPart): boolean =>
    isThere[part] && (carry === null || carry.includes(part));
  return {
    verified: carries("verified"),
    joined: carries("joined"),
    metadata: carries("metadata"),
    social: carries("social"),
    totp: carries("totp"),
    roles:
      wantsRoles(policy) && offered.roles !== null
        ? { map: mapRole, others: roles !== null, known: offered.roles }
        : null,
    providers: mapProvider,
    linking: offered.accountLinking === true,
    whole: offered.importAccount,
  };
}

/** What an operator asks for by name and the core has no place for. */
export function notOffered(
  policy: CarryPolicy,
  offered: Offered,
): readonly (CarriedPart | "roles")[] {
  const isThere = isOffered(offered);
  const parts = (policy.carry ?? []).filter((part) => !isThere[part]);
  return wantsRoles(policy) && offered.roles === null ? [...parts, "roles"] : parts;
}

function wantsRoles({ roles, mapRole }: CarryPolicy): boolean {
  return roles !== null || mapRole.size > 0;
}

function isOffered(offered: Offered): Readonly<Record<CarriedPart, boolean>> {
  return {
    verified: offered.emailVerification,
    joined: offered.timeJoined,
    metadata: offered.metadata,
    social: offered.thirdParty,
    totp: offered.totp !== false,
  };
}
