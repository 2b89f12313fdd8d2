/** Asks a core that nobody knows what it can do, so that the contract leaves out what it can't and says so. */

import { randomUUID } from "node:crypto";
import type { RemoteCore } from "../../../src/core/http/client.js";
import { CoreFailure, type CoreFailureKind } from "../../../src/core/core-failure.js";
import { KNOWN_HASHES } from "../../support/known-hashes.js";
import { type Lacks, newEmail } from "./scene.js";

const LENIENT = "cores of the dialect supertokens";

/** What SuperTokens answers differently. */
export const SUPERTOKENS_LACKS = {
  signInMark: `${LENIENT} say of nobody whether they have signed in`,
  strictHashes: `${LENIENT} look at a hash's prefix alone`,
  strictContacts: `${LENIENT} take any text for a contact`,
  strictMapping: `${LENIENT} leave the length of an external id to their database`,
} as const satisfies Lacks;

const NOT_OFFERED: readonly CoreFailureKind[] = ["not_offered"];

/** @throws CoreFailure where the core can't be asked */
export async function lacksOf(core: RemoteCore): Promise<Lacks> {
  await core.probe();
  const { name } = await core.dialect();
  const email = newEmail("first-look");
  const { password, ...hash } = KNOWN_HASHES.vendor_scrypt;
  const noLookups = await isRefused(NOT_OFFERED, () => core.findUsers({ email }));
  const noSignIn = await isRefused(NOT_OFFERED, () => core.signIn({ email, password }));
  const noMapping = await isRefused(NOT_OFFERED, () => core.findMapping(randomUUID()));
  const noRemoval = await isRefused(NOT_OFFERED, () => core.removeUser(randomUUID()));
  const noSignerKey = await isRefused(["signer_key_missing"], () =>
    core.importUser({ email, ...hash }),
  );
  const otherSignerKey =
    !noSignerKey && !noSignIn && (await core.signIn({ email, password })).status !== "OK";
  const offers = await core.capabilities();
  return {
    ...(name === "supertokens" ? SUPERTOKENS_LACKS : {}),
    ...(offers.emailVerification ? {} : { verification: "the core verifies no emails" }),
    ...(offers.metadata ? {} : { metadata: "the core keeps no metadata" }),
    ...(offers.roles === null ? { roles: "the core keeps no roles" } : {}),
    ...(offers.thirdParty ? {} : { thirdParty: "the core has no social accounts" }),
    ...(offers.totp === false ? { totp: "the core has no second factors" } : {}),
    timeJoined: "no call over the wire takes it",
    queue: "the core's job goes by the clock",
    accounts: "no call over the wire takes one",
    guardedHashes: "no call over the wire replaces one",
    ...(noLookups ? { lookups: "the core offers no look-ups" } : {}),
    ...(noSignIn ? { signIn: "the core offers no sign-in" } : {}),
    ...(noMapping ? { mapping: "the core offers no external ids" } : {}),
    ...(noRemoval ? { removal: "the core removes no users" } : {}),
    ...(noSignerKey ? { signerKey: "the core has no signer key" } : {}),
    ...(otherSignerKey ? { signerKey: "the core has another signer key" } : {}),
  };
}

async function isRefused(
  kinds: readonly CoreFailureKind[],
  call: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await call();
    return false;
  } catch (error) {
    if (error instanceof CoreFailure && kinds.includes(error.kind)) return true;
    throw error;
  }
}
