/** Asks a remote core what it offers, by reads that change nothing: each endpoint about a user whom no core has. */

import { randomUUID } from "node:crypto";
import { CoreFailure } from "../core-failure.js";
import type { Core } from "../core.js";
import { expectAnswer, rolesAnswer, tenantsAnswer } from "./answers.js";
import { PATHS } from "./paths.js";
import type { Transport } from "./transport.js";

/** Only the public counterpart has these. */
const COUNTERPART_PATHS = {
  tenants: "/recipe/multitenancy/tenant/list/v2",
  primaryCheck: "/recipe/accountlinking/user/primary/check",
} as const;

export function capabilityRequests(call: Transport["call"]): Pick<Core, "capabilities"> {
  return {
    async capabilities(repeat = (question) => question()) {
      const read = (path: string, query: Readonly<Record<string, string>> = {}) =>
        repeat(() => call({ method: "GET", path, query }));
      /** The answer; null where the endpoint isn't there, is switched off, or refuses such a question. */
      const ask = (...question: Parameters<typeof read>) => read(...question).catch(noAnswer);
      const userId = randomUUID();
      const email = `${userId}@example.com`;
      const identity = { thirdPartyId: "google", thirdPartyUserId: userId };
      const union = { doUnionOfAccountInfo: "false" };
      const roles = await ask(PATHS.roles);
      const tenants = await ask(COUNTERPART_PATHS.tenants);
      return {
        emailVerification: (await ask(PATHS.verifyEmail, { userId, email })) !== null,
        metadata: (await ask(PATHS.metadata, { userId })) !== null,
        roles: roles === null ? null : expectAnswer(roles, rolesAnswer).roles,
        thirdParty: (await ask(PATHS.findUsers, { ...identity, ...union })) !== null,
        accountLinking: await read(COUNTERPART_PATHS.primaryCheck, { recipeUserId: userId }).then(
          () => null,
          noLinking,
        ),
        // Without its licence a core lists devices, too, and says so only when one is made.
        totp: (await ask(PATHS.totpDevices, { userId })) === null ? false : null,
        bulkImport: (await ask(PATHS.countQueued)) !== null,
        tenants:
          tenants === null
            ? null
            : expectAnswer(tenants, tenantsAnswer).tenants.map(({ tenantId }) => tenantId),
        timeJoined: false,
        importAccount: false,
      };
    },
  };
}

function noAnswer(error: unknown): null {
  if (error instanceof CoreFailure && NO.includes(error.kind)) return null;
  throw error;
}

/** A core that links accounts may lack the licence, which only linking tells. A 400 about an unknown user is an answer. */
function noLinking(error: unknown): null | false {
  noAnswer(error);
  return error instanceof CoreFailure && error.kind === "refused" ? null : false;
}

const NO: readonly string[] = ["not_offered", "disabled", "refused"];
