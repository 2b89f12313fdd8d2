/** How a user with a password signs in, as the core takes it: every call that brings one asks here. */

import type { GivenHash } from "../core/account-import.js";
import type { KeptPassword } from "../hash/legacy/kept-password.js";
import type { ImportPlan } from "../plan/plan.js";
import type { CallContext } from "./call-context.js";

/** An email and its hash. */
export type PasswordWay = GivenHash & { readonly email: string };

/**
 * A hash that no core takes is kept before its user is at the core, so that no kill leaves one
 * without the other, and a stand-in is sent. A promise in that case alone: there is one of
 * everything for each user on their way.
 *
 * @throws RunError as the keeper
 */
export function wayInOf(
  { keeper }: Pick<CallContext, "keeper">,
  { email, passwordHash, algorithm, bridged }: ImportPlan,
): PasswordWay | Promise<PasswordWay> {
  if (bridged !== undefined) return standInFor(keeper, email, bridged);
  return algorithm === "vendor_scrypt"
    ? { email, passwordHash, hashingAlgorithm: algorithm }
    : { email, passwordHash };
}

async function standInFor(
  keeper: CallContext["keeper"],
  email: string,
  bridged: KeptPassword,
): Promise<PasswordWay> {
  if (keeper === undefined) throw new Error("a hash is to be kept, and there is no vault");
  return { email, passwordHash: (await keeper.keep(email, bridged)).hash };
}
