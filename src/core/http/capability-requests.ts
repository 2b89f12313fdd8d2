/** Asks a remote core what it offers, by reads that change nothing: each endpoint about a user whom no core has. */

import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Core } from "../core.js";
import { CoreFailure } from "../core-failure.js";
import { DIALECTS } from "../dialect.js";
import { countAnswer, versionsAnswer } from "./answers.js";
import type { KnownDialect } from "./recognize-dialect.js";
import type { Transport } from "./transport.js";

/** Only SuperTokens has these. */
const SUPERTOKENS_PATHS = {
  tenants: "/recipe/multitenancy/tenant/list/v2",
  primaryCheck: "/recipe/accountlinking/user/primary/check",
  features: "/ee/featureflag",
} as const;

export function capabilityRequests(
  call: Transport["call"],
  dialect: Pick<KnownDialect, "get">,
): Pick<Core, "capabilities"> {
  return {
    async capabilities(repeat = (question) => question()) {
      const read = (path: string, query: Readonly<Record<string, string>> = {}) =>
        repeat(() => call({ method: "GET", path, query }));
      /** Null where the endpoint isn't there, is switched off, refuses such a question, or answers another one. */
      const ask = <T>(schema: z.ZodType<T>, ...question: Parameters<typeof read>) =>
        read(...question).then(({ body }) => schema.safeParse(body).data ?? null, noAnswer);
      const userId = randomUUID();
      const email = `${userId}@example.com`;
      const identity = { thirdPartyId: "google", thirdPartyUserId: userId };
      const union = { doUnionOfAccountInfo: "false" };
      /** Without its licence a core lists devices, too: what it is licensed for, it says apart. Null where it doesn't. */
      const keepsFactors = async (): Promise<boolean | null> => {
        if ((await ask(devices, "/recipe/totp/device/list", { userId })) === null) return false;
        if ((await dialect.get()).name !== DIALECTS.supertokens.name) return null;
        const licensed = await ask(features, SUPERTOKENS_PATHS.features);
        return licensed?.features.some((feature) => FACTORS.includes(feature)) ?? null;
      };
      const roles = await ask(rolesAnswer, "/recipe/roles");
      const tenants = await ask(tenantsAnswer, SUPERTOKENS_PATHS.tenants);
      return {
        emailVerification:
          (await ask(verified, "/recipe/user/email/verify", { userId, email })) !== null,
        metadata: (await ask(metadata, "/recipe/user/metadata", { userId })) !== null,
        roles: roles?.roles ?? null,
        thirdParty: (await ask(users, "/users/by-accountinfo", { ...identity, ...union })) !== null,
        accountLinking: await read(SUPERTOKENS_PATHS.primaryCheck, { recipeUserId: userId }).then(
          () => null,
          noLinking,
        ),
        totp: await keepsFactors(),
        bulkImport:
          (await ask(countAnswer, "/bulk-import/users/count")) !== null &&
          isReliable(await ask(versionsAnswer, "/apiversion")),
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
function isReliable(answer: z.infer<typeof versionsAnswer> | null): boolean | null {
  if (answer === null || answer.dialects?.includes(DIALECTS.interface.name)) return true;
  const newest = Math.max(...answer.versions.map(versionNumber));
  return newest >= RELIABLE || (newest >= MAYBE_RELIABLE ? null : false);
}

function versionNumber(version: unknown): number {
  const [major = 0, minor = 0] = String(version).split(".").map(Number);
  return 1000 * major + minor;
}

// What shows that an endpoint is the one that was asked.
const rolesAnswer = z.object({ roles: z.array(z.string()) });
const tenantsAnswer = z.object({ tenants: z.array(z.object({ tenantId: z.string() })) });
const verified = z.object({ isVerified: z.boolean() });
const metadata = z.object({ metadata: z.object({}) });
const users = z.object({ users: z.array(z.unknown()) });
const devices = z.object({ devices: z.array(z.unknown()) });
const features = z.object({ status: z.literal("OK"), features: z.array(z.unknown()) });

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
