import { writeFileSync } from "node:fs";
import { join } from "node:path";
import supertokens from "supertokens-node";
import EmailPassword from "supertokens-node/recipe/emailpassword";
import EmailVerification from "supertokens-node/recipe/emailverification";
import ThirdParty from "supertokens-node/recipe/thirdparty";
import Totp from "supertokens-node/recipe/totp";
import UserMetadata from "supertokens-node/recipe/usermetadata";
import UserRoles from "supertokens-node/recipe/userroles";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeAt, fromBase32 } from "../../src/core/embedded/parts/totp-code.js";
import { runCli, serveHere } from "../support/cli.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";
import { ACCOUNT_RECIPES, startClient } from "./official-client.js";
import { workFolders } from "./support.js";

const workFolder = workFolders();
const TENANT = "public";
const SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
const { password, passwordHash } = KNOWN_HASHES.bcrypt;
const USERS = `id,email,password_hash,email_verified,created_at,first_name,plan,rights,totp_secret,session_token,google_sub
u-ann,ann@example.com,${passwordHash},true,2023-09-01T10:00:00Z,Ann,gold,"editor,author",${SECRET},t0k3n,
u-ben,ben@example.com,${passwordHash},false,2024-02-03T10:00:00Z,Ben,silver,,,t0k3n,
u-dora,dora@example.com,,true,2023-09-01T10:00:00Z,Dora,gold,editor,,t0k3n,1077
`;
const MAPS = ["roles=rights", "metadata.plan=plan", "social.google=google_sub"].flatMap((map) => [
  "--map",
  map,
]);

describe("what an application finds of a migrated user's account by SuperTokens' client", () => {
  let core: Awaited<ReturnType<typeof serveHere>> | undefined;

  beforeAll(async () => {
    const cwd = workFolder();
    writeFileSync(join(cwd, "users.csv"), USERS);
    const argv = ["import", "users.csv", "--roles", "create", "--keep-ids", ...MAPS];
    const imported = await runCli(argv, { cwd });
    expect(imported.code, imported.stderr).toBe(0);
    core = await serveHere({ cwd });
    startClient(core.url, core.apiKey, [EmailPassword.init(), ...ACCOUNT_RECIPES]);
  });
  afterAll(() => core?.stop());

  it("is the password, the day of the sign-up and whether the email is verified", async () => {
    const signedIn = await EmailPassword.signIn(TENANT, "ann@example.com", password);
    if (signedIn.status !== "OK") throw new Error(signedIn.status);
    expect(signedIn.user).toMatchObject({
      id: "u-ann",
      timeJoined: Date.UTC(2023, 8, 1, 10),
      loginMethods: [{ recipeId: "emailpassword", verified: true }],
    });
    const verified = (id: string) =>
      EmailVerification.isEmailVerified(supertokens.convertToRecipeUserId(id));
    expect(await verified("u-ann")).toBe(true);
    expect(await verified("u-ben")).toBe(false);
  });

  it("is the social account, by which the user is found and no second one made", async () => {
    const dora = {
      id: "u-dora",
      emails: ["dora@example.com"],
      timeJoined: Date.UTC(2023, 8, 1, 10),
      loginMethods: [{ recipeId: "thirdparty", verified: true }],
    };
    const thirdParty = { id: "google", userId: "1077" };
    expect(await supertokens.listUsersByAccountInfo(TENANT, { thirdParty })).toMatchObject([dora]);
    const before = await supertokens.getUserCount();
    const signedIn = await ThirdParty.manuallyCreateOrUpdateUser(
      TENANT,
      thirdParty.id,
      thirdParty.userId,
      "dora@example.com",
      true,
    );
    expect(signedIn).toMatchObject({ status: "OK", createdNewRecipeUser: false, user: dora });
    expect(await supertokens.getUserCount()).toBe(before);
    const roles = await UserRoles.getRolesForUser(TENANT, "u-dora");
    expect(roles).toMatchObject({ roles: ["editor"] });
  });

  it("is the metadata that is named, and no other column", async () => {
    expect(await UserMetadata.getUserMetadata("u-ann")).toEqual({
      status: "OK",
      metadata: { given_name: "Ann", first_name: "Ann", plan: "gold" },
    });
  });

  it("is the roles", async () => {
    const { roles } = await UserRoles.getRolesForUser(TENANT, "u-ann");
    expect([...roles].sort()).toEqual(["author", "editor"]);
    expect(await UserRoles.getRolesForUser(TENANT, "u-ben")).toMatchObject({ roles: [] });
  });

  it("is the second factor, whose code is taken", async () => {
    const { devices } = await Totp.listDevices("u-ann");
    expect(devices).toMatchObject([{ period: 30, verified: true }]);
    const key = fromBase32(SECRET) ?? Buffer.alloc(0);
    const code = codeAt(key, Math.floor(Date.now() / 30_000));
    expect(await Totp.verifyTOTP(TENANT, "u-ann", code)).toMatchObject({ status: "OK" });
    expect(await Totp.verifyTOTP(TENANT, "u-ben", code)).toMatchObject({
      status: "UNKNOWN_USER_ID_ERROR",
    });
  });
});
