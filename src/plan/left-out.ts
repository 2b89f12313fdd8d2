/** Whom an import leaves out whatever their hash is, since the vendor itself keeps them out or more than a hash would be lost, and which options would let them in. Pure. */

import type { Exclusion, UserRecord } from "../account/user-record.js";
import { optionName } from "../errors/option-name.js";
import type { PlannedAccount } from "./account-plan.js";
import type { Included, Policy } from "./policy.js";

/** Why the vendor itself keeps a user out, and which option lets them in. */
export const EXCLUSION_HINTS = {
  disabled: `The vendor keeps this user out and the core has no such flag; ${optionName("--include")} disabled migrates them all the same.`,
  deleted: `The vendor deleted this user; ${optionName("--include")} disabled migrates deleted and disabled users all the same.`,
  anonymous: "An anonymous user has nothing to sign in with; nothing is lost at sign-in.",
  sso_only: `This user signs in through an identity provider, which a code would bypass; ${optionName("--include")} sso migrates them all the same.`,
  service_account:
    "This is the account of an application, not of a person; no person signs in with it, and no option migrates it.",
} as const;

/** What is said about a further reason, which another option or none would have to lift. */
const ALSO: Readonly<Record<Exclusion, string>> = {
  disabled: `The vendor keeps them out as well, which takes ${optionName("--include")} disabled, too.`,
  deleted: `The vendor deleted them as well, which takes ${optionName("--include")} disabled, too.`,
  anonymous: "They are anonymous as well and have nothing to sign in with.",
  sso_only: `They sign in through an identity provider as well, which takes ${optionName("--include")} sso, too.`,
  service_account: "It is an application's account as well, which no option migrates.",
};

/** The first reason for which the import leaves out whom the vendor itself keeps out, or null. */
export function leftOutFor({ exclusions }: UserRecord, policy: Policy): Exclusion | null {
  return exclusions.find((exclusion) => leavesOut(exclusion, policy)) ?? null;
}

/** Names every option that it takes: with one of two the user would be left out all the same. */
export function exclusionHint(
  first: Exclusion,
  { exclusions, because }: UserRecord,
  policy: Policy,
): string {
  const lifted = LIFTED_BY[first];
  const others =
    lifted === null
      ? []
      : exclusions.filter((other) => leavesOut(other, { include: [...policy.include, lifted] }));
  const why = because?.[first];
  return [
    ...(why === undefined ? [] : [why]),
    EXCLUSION_HINTS[first],
    ...others.map((other) => ALSO[other]),
  ].join(" ");
}

/** The word of `include` that would let in whom a skip leaves out; null where none would. */
export function lettingIn(code: string): Included | null {
  return Object.entries(LIFTED_BY).find(([exclusion]) => exclusion === code)?.[1] ?? null;
}

/** The words of `include` by which a user comes in, each once. */
export function letInBy({ exclusions }: UserRecord): Included[] {
  return [...new Set(exclusions.flatMap((exclusion) => LIFTED_BY[exclusion] ?? []))];
}

/** Which word of `include` lifts a reason; null where none does. */
const LIFTED_BY = {
  disabled: "disabled",
  deleted: "disabled",
  anonymous: "disabled",
  sso_only: "sso",
  service_account: null,
} as const satisfies Record<Exclusion, Included | null>;

function leavesOut(exclusion: Exclusion, { include }: Pick<Policy, "include">): boolean {
  const lifted = LIFTED_BY[exclusion];
  return lifted === null || !include.includes(lifted);
}

const FACTOR_HINT = `The user has a second factor or a passkey at the vendor, and it isn't carried: at the core the password or a code alone would let them in. ${optionName("--on-lost-factor")} accept migrates such users without it; have them enroll anew.`;

/** What a core takes as an external id, in code points: SuperTokens' column ends there. */
const MAX_KEPT_ID = 128;

/** Rejects a user who would come without their second factor. */
export const FACTOR_LOST = "factor_lost";

/** A reject's code, and what is said of it. */
interface Beside {
  readonly code: string;
  readonly hint: string;
}

/** Why a user isn't sent, whatever becomes of their hash; null where nothing else is in the way. */
export function refusedBeside(
  { sourceId: id, because }: UserRecord,
  { onLostFactor, keepIds }: Policy,
  { losesFactor }: PlannedAccount,
): Beside | null {
  if (onLostFactor === "reject" && losesFactor) {
    const why = because?.factor;
    const hint = why === undefined ? FACTOR_HINT : `${why} ${FACTOR_HINT}`;
    return { code: FACTOR_LOST, hint };
  }
  if (!keepIds) return null;
  if (id === null) {
    return {
      code: "id_missing",
      hint: `${optionName("--keep-ids")} keeps the vendor's id and this row has none; add it in the export (${optionName("--map")} id=NAME names its column), or import such rows on their own without ${optionName("--keep-ids")}.`,
    };
  }
  // Code points are never more than UTF-16 units. What else no core keeps as it is, no record's id has.
  if (id.length > MAX_KEPT_ID && [...id].length > MAX_KEPT_ID) {
    return {
      code: "id_not_mappable",
      hint: `${optionName("--keep-ids")} keeps the vendor's id, but a core takes ${MAX_KEPT_ID} characters at most and this one is longer; import such rows on their own without ${optionName("--keep-ids")}, and change their ids in the application.`,
    };
  }
  return null;
}
