/** Asks a remote core what it offers, by reads that change nothing: each endpoint about a user whom no core has. */

import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type Endpoint, PART_ENDPOINTS, row } from "../account-parts.js";
import type { Core } from "../core.js";
import { CoreFailure } from "../core-failure.js";
import { DIALECTS } from "../dialect.js";
import { ENDPOINTS } from "./endpoints.js";
import type { KnownDialect } from "./recognize-dialect.js";
import type { Transport } from "./transport.js";

/** What only SuperTokens offers. */
const PRIMARY_CHECK = "/recipe/accountlinking/user/primary/check";
const TENANTS = {
  method: "GET",
  path: "/recipe/multitenancy/tenant/list/v2",
  request: z.object({}),
  outcome: z.object({ tenants: z.array(z.object({ tenantId: z.string() })) }),
} as const satisfies Endpoint;
const FEATURES = row("GET", "/ee/featureflag", {}, { features: z.array(z.unknown()) });

export function capabilityRequests(
  call: Transport["call"],
  dialect: Pick<KnownDialect, "get">,
): Pick<Core, "capabilities"> {
  return {
    async capabilities(repeat = (question) => question()) {
      /** Null where the endpoint isn't there, is switched off, refuses such a question, or answers another one. */
      const ask = <E extends Endpoint>(
        { method, path, outcome }: E,
        query: Readonly<Record<string, string>> = {},
      ): Promise<z.infer<E["outcome"]> | null> =>
        repeat(() => call({ method, path, query })).then(
          ({ body }) => (outcome.safeParse(body).data ?? null) as z.infer<E["outcome"]> | null,
          noAnswer,
        );
      const userId = randomUUID();
      const email = `${userId}@example.com`;
      const identity = { thirdPartyId: "google", thirdPartyUserId: userId };
      const union = { doUnionOfAccountInfo: "false" };
      const { getMetadata, isEmailVerified, listRoles, listTotpDevices } = PART_ENDPOINTS;
      /** Without its licence a core lists devices, too: what it is licensed for, it says apart. Null where it doesn't. */
      const keepsFactors = async (): Promise<boolean | null> => {
        if ((await ask(listTotpDevices, { userId })) === null) return false;
        if ((await dialect.get()).name !== DIALECTS.supertokens.name) return null;
        const licensed = await ask(FEATURES);
        return licensed?.features.some((feature) => FACTORS.includes(feature)) ?? null;
      };
      const roles = await ask(listRoles);
      const tenants = await ask(TENANTS);
      return {
        emailVerification: (await ask(isEmailVerified, { userId, email })) !== null,
        metadata: (await ask(getMetadata, { userId })) !== null,
        roles: roles?.roles ?? null,
        thirdParty: (await ask(ENDPOINTS.findUsers, { ...identity, ...union })) !== null,
        accountLinking: await repeat(() =>
          call({ method: "GET", path: PRIMARY_CHECK, query: { recipeUserId: userId } }),
        ).then(() => null, noLinking),
        totp: await keepsFactors(),
        bulkImport:
          (await ask(PART_ENDPOINTS.countQueued)) !== null &&
          isReliable(await ask(ENDPOINTS.versions)),
        tenants: tenants?.tenants.map(({ tenantId }) => tenantId) ?? null,
        timeJoined: false,
        importAccount: false,
      };
    },
  };
}

/** Versions of SuperTokens' interface, the minor one in the last three digits. */
const [MAYBE_RELIABLE, RELIABLE] = [5003, 5004];

/**
 * Whether a core's queue can be relied on. SuperTokens names only its interface's version. 5.4 came
 * with core 11.3.0. 5.3 came with 10.1.0, whose flaws were mended one by one: no ids are answered
 * (10.1.1), a verified email is dropped (10.1.4), rows stay in processing (11.0.3), and some users lose
 * roles (11.0.4). (CHANGELOG.md and coreDriverInterfaceSupported.json of supertokens-core, by tags.)
 */
function isReliable(answer: z.infer<typeof ENDPOINTS.versions.outcome> | null): boolean | null {
  if (answer === null || answer.dialects?.includes(DIALECTS.interface.name)) return true;
  const newest = Math.max(...answer.versions.map(versionNumber));
  return newest >= RELIABLE || (newest >= MAYBE_RELIABLE ? null : false);
}

function versionNumber(version: unknown): number {
  const [major = 0, minor = 0] = String(version).split(".").map(Number);
  return 1000 * major + minor;
}

/** The licences for second factors by time, today's and an older one. */
const FACTORS: readonly unknown[] = ["mfa", "totp"];

function noAnswer(error: unknown): null {
  if (error instanceof CoreFailure && NO.includes(error.kind)) return null;
  throw error;
}

/** A core that links accounts may lack the licence, which only linking tells. A 400 about an unknown user is an answer. */
function noLinking(error: unknown): null | false {
  noAnswer(error);
  return error instanceof CoreFailure && error.kind === "refused" ? null : false;
}

/** The tenant has answered before: a core without the endpoint may take its first word for another one. */
const NO: readonly string[] = ["not_offered", "disabled", "refused", "tenant_unknown"];
