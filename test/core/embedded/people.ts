/** Brings people into an embedded core, for tests about what happens to them then. */

import type { CodeRequest, Core } from "../../../src/core/core.js";
import type { CoreUser } from "../../../src/core/user.js";
import { KNOWN_HASHES } from "../../support/known-hashes.js";

const { passwordHash } = KNOWN_HASHES.bcrypt;

/** Signs a person in by a link code, and up where the contact is new. */
export async function passwordlessUser(core: Core, contact: CodeRequest): Promise<CoreUser> {
  const { preAuthSessionId, linkCode } = await core.createCode(contact);
  const outcome = await core.consumeCode({ preAuthSessionId, linkCode });
  if (outcome.status !== "OK") throw new Error(outcome.status);
  return outcome.user;
}

/** Imports a person with the password of the known bcrypt hash. */
export async function passwordUser(core: Core, email: string): Promise<CoreUser> {
  return (await core.importUser({ email, passwordHash })).user;
}
