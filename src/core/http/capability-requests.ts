/** Asks a remote core what it offers, by reads that change nothing: each endpoint about a user whom no core has. */

import { randomUUID } from "node:crypto";
import { CoreFailure } from "../core-failure.js";
import type { Core } from "../core.js";
import { expectAnswer, rolesAnswer, tenantsAnswer } from "./answers.js";
import { PATHS } from "./paths.js";
import type { JsonAnswer, Transport } from "./transport.js";

/** Only the public counterpart has these. */
const COUNTERPART_PATHS = {
  tenants: "/recipe/multitenancy/tenant/list/v2",
  primaryCheck: "/recipe/accountlinking/user/primary/check",
} as const;

export function capabilityRequests(call: Transport["call"]): Pick<Core, "capabilities"> {
  /** The answer; null where the endpoint isn't there, is switched off, or refuses such a question. */
  async function ask(path: string, query: Readonly<Record<string, string>> = {}) {
    try {
      return await call({ method: "GET", path, query });
    } catch (error) {
      if (error instanceof CoreFailure && NO.includes(error.kind)) return null;
      throw error;
    }
  }
  const has = (answer: JsonAnswer | null): boolean => answer !== null;

  return {
    async capabilities() {
      const userId = randomUUID();
      const email = `${userId}@example.com`;
      const identity = { thirdPartyId: "google", thirdPartyUserId: userId };
      const union = { doUnionOfAccountInfo: "false" };
      const roles = await ask(PATHS.roles);
      const tenants = await ask(COUNTERPART_PATHS.tenants);
      return {
        emailVerification: has(await ask(PATHS.verifyEmail, { userId, email })),
        metadata: has(await ask(PATHS.metadata, { userId })),
        roles: roles === null ? null : expectAnswer(roles, rolesAnswer).roles,
        thirdParty: has(await ask(PATHS.findUsers, { ...identity, ...union })),
        accountLinking: await mayLink(userId),
        // Without its licence a core lists devices, too, and says so only when one is made.
        totp: has(await ask(PATHS.totpDevices, { userId })) ? null : false,
        bulkImport: has(await ask(PATHS.countQueued)),
        tenants:
          tenants === null
            ? null
            : expectAnswer(tenants, tenantsAnswer).tenants.map(({ tenantId }) => tenantId),
        timeJoined: false,
        importAccount: false,
      };
    },
  };

  /** A core that links accounts may lack the licence, which only linking tells. A 400 about an unknown user is an answer. */
  async function mayLink(recipeUserId: string): Promise<null | false> {
    try {
      await call({ method: "GET", path: COUNTERPART_PATHS.primaryCheck, query: { recipeUserId } });
      return null;
    } catch (error) {
      if (!(error instanceof CoreFailure) || !NO.includes(error.kind)) throw error;
      return error.kind === "refused" ? null : false;
    }
  }
}

const NO: readonly string[] = ["not_offered", "disabled", "refused"];
