/** What is sent of a user's whole account, and how one with a password signs in: every call that brings a user asks here. */

import type { AccountRequest, WayIn } from "../core/account-import.js";
import type { KeptPassword } from "../hash/legacy/kept-password.js";
import type { Task } from "../plan/action.js";
import type { ImportPlan, PasswordlessPlan, SentPlan, ThirdPartyPlan } from "../plan/plan.js";
import type { CallContext } from "./call-context.js";
import { SKEW } from "./send-parts.js";

/** An email and its hash. */
export type PasswordWay = Extract<WayIn, { readonly recipe: "emailpassword" }>;

type Building = { -readonly [Field in keyof AccountRequest]: AccountRequest[Field] };

/** What is sent of a user. A promise only where a hash is kept first. */
export function accountFor(
  context: CallContext,
  plan: SentPlan,
  keys: Task["keys"],
): AccountRequest | Promise<AccountRequest> {
  const way = plan.kind === "import" ? passwordWay(context, plan) : wayOf(plan);
  return way instanceof Promise
    ? way.then((kept) => accountOf(plan, keys, kept))
    : accountOf(plan, keys, way);
}

function accountOf(plan: SentPlan, keys: Task["keys"], wayIn: WayIn): AccountRequest {
  const { account, keepId } = plan;
  const { joined = null, metadata = null, roles = [], totp = [] } = account ?? {};
  // The code that single calls consume verifies the email that it came to.
  const byCode = plan.kind === "passwordless" && plan.first === "email";
  const request: Building = { wayIn, isEmailVerified: account?.verified ?? byCode };
  if (joined !== null) request.timeJoined = joined;
  if (keepId !== null) request.externalUserId = keepId;
  if (metadata !== null) request.metadata = metadata;
  if (roles.length > 0) request.roles = roles;
  if (totp.length > 0) {
    request.totpDevices = totp.map((device, at) => ({
      deviceName: keys.parts.totp?.names[at],
      secretKey: device.secret,
      period: device.period,
      skew: SKEW,
    }));
  }
  return request;
}

function wayOf(plan: PasswordlessPlan | ThirdPartyPlan): WayIn {
  return plan.kind === "thirdparty"
    ? { recipe: "thirdparty", email: plan.email, ...plan.identity }
    : {
        recipe: "passwordless",
        email: plan.email ?? undefined,
        phoneNumber: plan.phone ?? undefined,
      };
}

/**
 * How a user with a password signs in. Of a hash that no core takes a stand-in is sent. The hash is
 * kept before that: a kill in between leaves no user without it.
 *
 * @throws RunError as the keeper
 */
export function passwordWay(
  { keeper }: Pick<CallContext, "keeper">,
  { email, passwordHash, algorithm, bridged }: ImportPlan,
): PasswordWay | Promise<PasswordWay> {
  if (bridged !== undefined) return standInFor(keeper, email, bridged);
  return algorithm === "vendor_scrypt"
    ? { recipe: "emailpassword", email, passwordHash, hashingAlgorithm: algorithm }
    : { recipe: "emailpassword", email, passwordHash };
}

async function standInFor(
  keeper: CallContext["keeper"],
  email: string,
  bridged: KeptPassword,
): Promise<PasswordWay> {
  if (keeper === undefined) throw new Error("a hash is to be kept, and there is no vault");
  const { hash } = await keeper.keep(email, bridged);
  return { recipe: "emailpassword", email, passwordHash: hash };
}
