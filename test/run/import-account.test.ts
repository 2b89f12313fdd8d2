import { describe, expect, onTestFinished, test } from "vitest";
import type { AccountParts } from "../../src/account/account-parts.js";
import type { Core } from "../../src/core/core.js";
import { connectCore } from "../../src/core/http/client.js";
import { startCoreServer } from "../../src/core/http/server.js";
import type { MigrationEvent } from "../../src/events/events.js";
import type { CarryPolicy } from "../../src/plan/policy.js";
import type { ReconcileEvent } from "../../src/reconcile/compare-all.js";
import { reconcileUsers } from "../../src/reconcile/reconcile-users.js";
import { validateUsers } from "../../src/run/validate-users.js";
import { openInputs } from "../../src/source/inputs.js";
import { FILLED, NOTHING, vendorNamed } from "../source/fields/filled-users.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { type Migration, newMigration } from "./support/run.js";
import { virtualTiming } from "./support/virtual-timing.js";

const newPath = temporaryPaths();
const EMAIL = "ann@example.com";
const POLICY = { roles: "create", onLostFactor: "accept", include: ["unverified"] } as const;

/** How each vendor says that the email is verified; Okta's and Django's exports don't say. */
const VERIFIED: Readonly<Record<string, object>> = {
  firebase: { emailVerified: true },
  auth0: { email_verified: true },
  supabase: { email_confirmed_at: "2023-09-01 10:00:00+00" },
  clerk: { verified_email_addresses: [EMAIL] },
  cognito: { email_verified: "true" },
  keycloak: { emailVerified: true },
};

interface Filled {
  readonly migration: Migration;
  readonly vendor: string;
  readonly file: string;
  readonly parts: AccountParts;
  /** The email that Ann has at the core, and whether it is to read as verified. */
  readonly email: string;
  readonly isVerified: boolean;
}

/** A migration of one user of a vendor with everything filled. */
function filled(vendor: string, isVerified: boolean): Filled {
  const [, fields, parts] = FILLED.find(([name]) => name === vendor) ?? [];
  const migration = newMigration(newPath);
  const said = isVerified ? VERIFIED[vendor] : {};
  const user = vendorNamed(vendor).userWith({ ...fields, ...said });
  const file = migration.write("users.json", JSON.stringify([user]));
  const whole = { ...NOTHING, ...parts };
  const [social] = whole.social;
  // Of another email than the user's own one the provider's word counts.
  const email = social?.email || EMAIL;
  const isSaid = email === EMAIL ? isVerified : social?.verified === true;
  return { migration, vendor, file, parts: whole, email, isVerified: isSaid };
}

/** The migration's core over HTTP. */
async function served({ core }: Migration): Promise<Core> {
  const server = await startCoreServer(core, { host: "127.0.0.1", port: 0, apiKeys: [] });
  const client = connectCore({ url: server.url, apiKey: "key-0001" });
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  return client;
}

/** What the core has of Ann. */
async function readBack(core: Core, { email, parts }: Pick<Filled, "email" | "parts">) {
  const [social] = parts.social;
  const identity = { thirdPartyId: "google", thirdPartyUserId: social?.id ?? "" };
  const [user, ...others] =
    social === undefined ? await core.findUsers({ email }) : await core.findByThirdParty(identity);
  if (user === undefined || others.length > 0) throw new Error("not one user");
  const { userId } = user;
  const { metadata } = await core.part("getMetadata", { userId });
  const { roles } = await core.part("rolesOfUser", { userId });
  const { devices } = await core.part("listTotpDevices", { userId });
  const { isVerified } = await core.part("isEmailVerified", { userId, email });
  const { timeJoined, thirdParty } = user;
  return {
    userId,
    email: user.email,
    thirdParty,
    timeJoined,
    metadata,
    roles,
    devices,
    isVerified,
  };
}

/** Compares everything with what was carried; each user's differences by their codes. */
async function reconciled({ migration, vendor, file }: Filled, fields: CarryPolicy) {
  const events: ReconcileEvent[] = [];
  const result = await reconcileUsers({
    core: migration.core,
    checkpoint: migration.checkpoint,
    inputs: await openInputs([file], { from: vendor }),
    sample: "all",
    fields,
    timing: virtualTiming(),
    onEvent: (event) => void events.push(event),
  });
  const told = events.flatMap((event) =>
    event.type === "difference" ? [[event.code, ...(event.fields ?? [])].join(" ")] : [],
  );
  return { result, told };
}

const CARRIED = {
  carry: null,
  roles: "create",
  mapRole: new Map(),
  mapProvider: new Map(),
} as const;

const CASES = FILLED.flatMap(([vendor]) =>
  (["the embedded core", "a core over HTTP"] as const).map((core) => [vendor, core] as const),
);

describe("an account with everything filled", () => {
  test.each(CASES)("of %s is at %s as it was exported, or told", async (vendor, where) => {
    const given = filled(vendor, vendor in VERIFIED);
    const { migration, file, parts, isVerified } = given;
    const isRemote = where === "a core over HTTP";
    const core = isRemote ? await served(migration) : migration.core;
    const inputs = await openInputs([file], { from: vendor });
    const { summary } = await migration.run([], { inputs, core, policy: POLICY });
    expect(summary).toMatchObject({ created: 1, failed: 0, rejected: 0 });
    const factors = parts.totp.filter(
      ({ algorithm, digits }) => algorithm === "SHA1" && digits === 6,
    );
    const there = await readBack(migration.core, given);
    const [social] = parts.social;
    expect(there).toMatchObject({
      email: given.email,
      thirdParty: social && { id: "google", userId: social.id },
      metadata: parts.metadata,
      roles: parts.roles,
      isVerified,
      devices: factors.map(({ period }) => ({ period, verified: true })),
    });
    if (!isRemote) expect(there.timeJoined).toBe(parts.joined);
    expect("joined_not_migrated" in summary.notices).toBe(isRemote);
    expect("mfa_not_migrated" in summary.notices).toBe(factors.length < parts.totp.length);
    const kept = parts.social.filter(({ provider }) => provider !== null);
    const isLeft = kept.length < parts.social.length || kept.length > 1;
    expect("social_identity_dropped" in summary.notices).toBe(isLeft);
    expect("verification_not_migrated" in summary.notices).toBe(false);

    const { result, told } = await reconciled(given, {
      ...CARRIED,
      carry: isRemote ? ["verified", "metadata", "social", "totp"] : null,
    });
    expect(told).toEqual([]);
    expect(result).toMatchObject({ agreed: 1, agrees: true });
  });

  test.each(FILLED.map(([vendor]) => [vendor] as const))(
    "of %s has no field without a word: told ones have a notice or a finding",
    async (vendor) => {
      const { file } = filled(vendor, true);
      const events: MigrationEvent[] = [];
      const summary = await validateUsers({
        inputs: await openInputs([file], { from: vendor }),
        policy: POLICY,
        tellsFields: true,
        onEvent: (event) => void events.push(event),
      });
      const fields = events.filter((event) => event.type === "field");
      expect(fields.filter(({ fate }) => fate === "carried").length).toBeGreaterThan(2);
      // Every user of Supabase has this one, which is a role only where it isn't the usual one.
      const codes = fields.flatMap(({ path, fate, code }) =>
        fate === "told" && path !== "aud" ? [code] : [],
      );
      const findings = events.flatMap((event) => (event.type === "finding" ? [event.code] : []));
      const said = [...Object.keys(summary.notices), ...findings];
      expect(codes.filter((code) => code === null || !said.includes(code))).toEqual([]);
    },
  );

  test.each(Object.keys(VERIFIED))(
    "of %s reads as verified at the core only by the vendor's word",
    async (vendor) => {
      // Keycloak's export says so of every user.
      const given = filled(vendor, false);
      const { migration, file } = given;
      const inputs = await openInputs([file], { from: vendor });
      await migration.run([], { inputs, policy: POLICY });
      const { isVerified } = await readBack(migration.core, given);
      // Supabase's Google has verified the email that it gave.
      const said = given.email !== EMAIL && given.isVerified;
      expect(isVerified).toBe(said || vendor === "auth0" || vendor === "keycloak");
    },
  );
});

describe("reconciling what was carried", () => {
  async function imported(): Promise<Filled & { readonly userId: string }> {
    const given = filled("auth0", true);
    const inputs = await openInputs([given.file], { from: "auth0" });
    await given.migration.run([], { inputs, policy: { ...POLICY, mapRole: new Map() } });
    return { ...given, userId: (await readBack(given.migration.core, given)).userId };
  }

  test("finds each part that is otherwise at the core, and shows no value", async () => {
    const given = await imported();
    const { userId, migration } = given;
    const { core } = migration;
    const { devices } = await core.part("listTotpDevices", { userId });
    await core.part("updateMetadata", {
      userId,
      metadataUpdate: { given_name: "Bea", user_metadata: null, own: "kept" },
    });
    await core.part("unverifyEmail", { userId, email: EMAIL });
    await core.part("removeTotpDevice", { userId, deviceName: devices[0]?.name ?? "" });
    const { told, result } = await reconciled(given, CARRIED);
    expect(told).toEqual([
      "verified_differs",
      "metadata_differs given_name user_metadata",
      "totp_differs",
    ]);
    expect(result).toMatchObject({ differing: 1, agrees: false });
    expect(result.differences).toEqual({
      verified_differs: 1,
      metadata_differs: 1,
      totp_differs: 1,
    });
  });

  test("finds a role that was taken away, and another day of the sign-up", async () => {
    const given = filled("keycloak", true);
    const { migration, file } = given;
    const inputs = await openInputs([file], { from: "keycloak" });
    await migration.run([], { inputs, policy: POLICY });
    const { userId } = await readBack(migration.core, given);
    await migration.core.part("removeUserRole", { userId, role: "editor" });
    expect((await reconciled(given, CARRIED)).told).toEqual(["roles_differ"]);
    const later = {
      ...migration.core,
      getUser: async () => ({ ...(await migration.core.getUser(userId)), timeJoined: 1 }) as never,
    };
    const other = { ...given, migration: { ...migration, core: later } };
    expect((await reconciled(other, CARRIED)).told).toEqual(["joined_differs", "roles_differ"]);
  });

  test("compares no more than is to be carried, and needs the files", async () => {
    const given = await imported();
    const { userId, migration } = given;
    await migration.core.part("unverifyEmail", { userId, email: EMAIL });
    const without = { ...CARRIED, carry: ["metadata"] } as const;
    expect((await reconciled(given, without)).told).toEqual([]);
    const { core, checkpoint } = migration;
    await expect(reconcileUsers({ core, checkpoint, fields: CARRIED })).rejects.toMatchObject({
      code: "usage",
    });
  });

  test("asks nothing of the parts of a user who was there before", async () => {
    const given = filled("auth0", true);
    const { migration, file } = given;
    const { core } = migration;
    const identity = { thirdPartyId: "google", thirdPartyUserId: "1077" };
    await core.signInUp({ ...identity, email: EMAIL, isEmailVerified: false });
    const inputs = await openInputs([file], { from: "auth0" });
    const { summary } = await migration.run([], { inputs, policy: POLICY });
    expect(summary).toMatchObject({ existed: 1, created: 0 });
    const there = await readBack(core, given);
    expect(there).toMatchObject({ metadata: {}, roles: [], devices: [] });
    expect((await reconciled(given, CARRIED)).told).toEqual([]);
  });
});
