/** SuperTokens' own client, pointed at `auth-migrate serve`: what an application calls after the move. One suite for every core that may be served. */

import supertokens, { type User } from "supertokens-node";
import EmailPassword from "supertokens-node/recipe/emailpassword";
import EmailVerification from "supertokens-node/recipe/emailverification";
import MultiFactorAuth from "supertokens-node/recipe/multifactorauth";
import Passwordless from "supertokens-node/recipe/passwordless";
import Session from "supertokens-node/recipe/session";
import ThirdParty from "supertokens-node/recipe/thirdparty";
import Totp from "supertokens-node/recipe/totp";
import UserMetadata from "supertokens-node/recipe/usermetadata";
import UserRoles from "supertokens-node/recipe/userroles";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeAccountParts } from "./official-client-parts.js";

const TENANT = "public";

/** A core with the demo's users, who have kept their ids. */
export interface ServedDemo {
  /** Several addresses with semicolons between are called in turn. */
  readonly connectionURI: string;
  readonly apiKey: string;
  stop(): Promise<unknown>;
}

type Recipes = Parameters<typeof supertokens.init>[0]["recipeList"];

/** What reads and changes the parts of an account. */
export const ACCOUNT_RECIPES: Recipes = [
  // Roles go into sessions, of which this core keeps none.
  Session.init(),
  ThirdParty.init(),
  EmailVerification.init({ mode: "OPTIONAL" }),
  // The client insists on it beside TOTP.
  MultiFactorAuth.init(),
  Totp.init(),
  UserMetadata.init(),
  UserRoles.init(),
];

/** Begins to use a core by the client, which is one for a process. */
export function startClient(connectionURI: string, apiKey: string, recipeList: Recipes): void {
  supertokens.init({
    framework: "custom",
    supertokens: { connectionURI, apiKey },
    appInfo: {
      appName: "Market Garden",
      apiDomain: "https://api.garden.example",
      websiteDomain: "https://garden.example",
    },
    recipeList,
  });
}

/** Declares what the client does; once a test file, since the client is one for a process. */
export function describeOfficialClient(serveDemo: () => Promise<ServedDemo>): void {
  let core: ServedDemo;

  beforeAll(async () => {
    core = await serveDemo();
    startClient(core.connectionURI, core.apiKey, [
      EmailPassword.init(),
      Passwordless.init({ contactMethod: "EMAIL_OR_PHONE", flowType: "USER_INPUT_CODE" }),
      ...ACCOUNT_RECIPES,
    ]);
  });
  afterAll(() => core?.stop());

  describe("users whom the command line imported", () => {
    it.each([
      ["node's bcrypt", "hugo.yilmaz.1@example.com", "Yilmaz-Hugo-1!", "u-00001"],
      ["PHP's bcrypt", "ben.yilmaz.41@example.com", "Yilmaz-Ben-41!", "u-00041"],
      ["argon2id", "xenia.vogel.111@example.com", "Vogel-Xenia-111!", "u-00111"],
      ["vendor scrypt", "zoe.yilmaz.141@example.com", "Yilmaz-Zoe-141!", "u-00141"],
    ])("sign in with the password that %s hashed", async (_, email, password, id) => {
      const signedIn = await EmailPassword.signIn(TENANT, email, password);
      if (signedIn.status !== "OK") throw new Error(signedIn.status);
      expect(signedIn.user).toMatchObject({
        id,
        emails: [email],
        phoneNumbers: [],
        isPrimaryUser: false,
      });
      expect(signedIn.recipeUserId.getAsString()).toBe(id);
      expect(signedIn.user.loginMethods).toEqual([
        expect.objectContaining({ recipeId: "emailpassword", email, tenantIds: [TENANT] }),
      ]);
    });

    it("don't sign in with another password, as somebody unknown doesn't", async () => {
      const wrong = { status: "WRONG_CREDENTIALS_ERROR" };
      expect(
        await EmailPassword.signIn(TENANT, "hugo.yilmaz.1@example.com", "Yilmaz-Hugo-2!"),
      ).toEqual(wrong);
      expect(await EmailPassword.signIn(TENANT, "nobody@example.com", "Yilmaz-Hugo-1!")).toEqual(
        wrong,
      );
    });

    it("have their passwords verified without signing in", async () => {
      const verify = (password: string) =>
        EmailPassword.verifyCredentials(TENANT, "greta.novak.142@example.com", password);
      expect(await verify("Novak-Greta-142!")).toMatchObject({ status: "OK" });
      expect(await verify("Novak-Greta-143!")).toEqual({ status: "WRONG_CREDENTIALS_ERROR" });
    });

    it("are found by the id that the vendor gave them", async () => {
      const user = await supertokens.getUser("u-00221");
      expect(user).toMatchObject({
        id: "u-00221",
        emails: ["nadia.yilmaz.221@example.com"],
        phoneNumbers: ["+15550101221"],
        tenantIds: [TENANT],
      });
      expect(user?.loginMethods[0]).toMatchObject({ recipeId: "passwordless" });
      expect(user?.loginMethods[0]?.hasSamePhoneNumberAs("+1 555-010-1221")).toBe(true);
      expect(await supertokens.getUser("u-99999")).toBeUndefined();
    });

    it("are found by their contacts", async () => {
      const byPhone = await onlyUserWith({ phoneNumber: "+15550101222" });
      expect((await onlyUserWith({ email: "umar.novak.222@example.com" })).id).toBe(byPhone.id);
      expect(
        await supertokens.listUsersByAccountInfo(TENANT, { email: "nobody@example.com" }),
      ).toEqual([]);
    });

    it("are found by both contacts at once, or by either", async () => {
      const contacts = { email: "ben.quinn.223@example.com", phoneNumber: "+15550101224" };
      const find = async (either: boolean) =>
        (await supertokens.listUsersByAccountInfo(TENANT, contacts, either)).map(({ id }) => id);
      expect(await find(false)).toEqual([]);
      expect((await find(true)).sort()).toEqual(["u-00223", "u-00224"]);
    });

    it("are counted, all and by how they sign in", async () => {
      expect(await supertokens.getUserCount(["emailpassword"])).toBe(180);
      const passwordless = await supertokens.getUserCount(["passwordless"]);
      expect(passwordless).toBeGreaterThanOrEqual(60);
      expect(await supertokens.getUserCount()).toBe(180 + passwordless);
    });

    it("are listed page by page, in both orders, without one lost or repeated", async () => {
      const list = async (next: typeof supertokens.getUsersOldestFirst): Promise<string[]> => {
        const ids: string[] = [];
        let paginationToken: string | undefined;
        do {
          const token = paginationToken === undefined ? {} : { paginationToken };
          const page = await next({
            tenantId: TENANT,
            limit: 50,
            includeRecipeIds: ["emailpassword"],
            ...token,
          });
          ids.push(...page.users.map(({ id }) => id));
          paginationToken = page.nextPaginationToken;
        } while (paginationToken !== undefined);
        return ids;
      };
      const oldestFirst = await list(supertokens.getUsersOldestFirst);
      expect(new Set(oldestFirst).size).toBe(180);
      expect(await list(supertokens.getUsersNewestFirst)).toEqual(oldestFirst.toReversed());
    });
  });

  describe("passwordless sign-in", () => {
    it("creates a user by a link, and signs the same user in the next time", async () => {
      const email = "lucia.marin@example.com";
      const first = await byLink({ email });
      expect(first).toMatchObject({ createdNewRecipeUser: true, user: { emails: [email] } });
      expect(first.consumedDevice).toMatchObject({ email, failedCodeInputAttemptCount: 0 });
      const second = await byLink({ email });
      expect(second.createdNewRecipeUser).toBe(false);
      expect(second.recipeUserId.getAsString()).toBe(first.recipeUserId.getAsString());
    });

    it("creates a user by digits, after wrong ones were counted", async () => {
      const phoneNumber = "+15550109001";
      const code = await Passwordless.createCode({ phoneNumber, tenantId: TENANT });
      const { preAuthSessionId, deviceId, userInputCode } = code;
      const type = (digits: string) =>
        Passwordless.consumeCode({
          preAuthSessionId,
          deviceId,
          userInputCode: digits,
          tenantId: TENANT,
        });
      expect(await type(`${userInputCode}0`)).toEqual({
        status: "INCORRECT_USER_INPUT_CODE_ERROR",
        failedCodeInputAttemptCount: 1,
        maximumCodeInputAttempts: 5,
      });
      expect(await type(userInputCode)).toMatchObject({
        status: "OK",
        createdNewRecipeUser: true,
        consumedDevice: { phoneNumber, failedCodeInputAttemptCount: 1 },
        user: { phoneNumbers: [phoneNumber] },
      });
      expect(await type(userInputCode)).toEqual({ status: "RESTART_FLOW_ERROR" });
    });

    it("takes digits of the application's own choice", async () => {
      const code = await Passwordless.createCode({
        email: "rui.faria@example.com",
        userInputCode: "garden-4711",
        tenantId: TENANT,
      });
      expect(code.userInputCode).toBe("garden-4711");
      const { preAuthSessionId, deviceId, userInputCode } = code;
      const consumed = await Passwordless.consumeCode({
        ...{ preAuthSessionId, deviceId, userInputCode },
        tenantId: TENANT,
      });
      expect(consumed).toMatchObject({ status: "OK", createdNewRecipeUser: true });
    });

    it("signs an imported user in by either contact", async () => {
      for (const contact of [
        { email: "ines.ueda.224@example.com" },
        { phoneNumber: "+15550101224" },
      ]) {
        const { createdNewRecipeUser, user } = await byLink(contact);
        expect({ createdNewRecipeUser, id: user.id }).toEqual({
          createdNewRecipeUser: false,
          id: "u-00224",
        });
      }
    });

    it("adds, changes and removes a user's contacts", async () => {
      const { recipeUserId, user } = await byLink({ email: "marta.silva@example.com" });
      const update = (change: { email?: string | null; phoneNumber?: string | null }) =>
        Passwordless.updateUser({ recipeUserId, ...change });
      expect(await update({ phoneNumber: "+15550109002" })).toEqual({ status: "OK" });
      expect(await update({ email: "marta.sousa@example.com" })).toEqual({ status: "OK" });
      expect(await supertokens.getUser(user.id)).toMatchObject({
        emails: ["marta.sousa@example.com"],
        phoneNumbers: ["+15550109002"],
      });
      expect(await update({ email: null })).toEqual({ status: "OK" });
      expect((await supertokens.getUser(user.id))?.emails).toEqual([]);
    });

    it("says whose contact it is that a user can't have", async () => {
      const { recipeUserId } = await byLink({ email: "pedro.lobo@example.com" });
      expect(
        await Passwordless.updateUser({ recipeUserId, email: "nadia.yilmaz.221@example.com" }),
      ).toEqual({ status: "EMAIL_ALREADY_EXISTS_ERROR" });
      expect(await Passwordless.updateUser({ recipeUserId, phoneNumber: "+15550101221" })).toEqual({
        status: "PHONE_NUMBER_ALREADY_EXISTS_ERROR",
      });
      const nobody = supertokens.convertToRecipeUserId("nobody-at-all");
      expect(
        await Passwordless.updateUser({ recipeUserId: nobody, phoneNumber: "+15550109003" }),
      ).toEqual({ status: "UNKNOWN_USER_ID_ERROR" });
    });
  });

  describeAccountParts();

  describe("an external user id", () => {
    it("is given once, and both ids find the user from then on", async () => {
      const { user } = await byLink({ email: "teresa.neves@example.com" });
      const ids = { superTokensUserId: user.id, externalUserId: "legacy|774411" };
      expect(await supertokens.createUserIdMapping(ids)).toEqual({ status: "OK" });
      expect(await supertokens.getUser("legacy|774411")).toMatchObject({ id: "legacy|774411" });
      expect(await supertokens.getUser(user.id)).toMatchObject({ id: "legacy|774411" });
      expect(await supertokens.createUserIdMapping(ids)).toEqual({
        status: "USER_ID_MAPPING_ALREADY_EXISTS_ERROR",
        doesSuperTokensUserIdExist: true,
        doesExternalUserIdExist: true,
      });
      for (const userId of [user.id, "legacy|774411"]) {
        expect(await supertokens.getUserIdMapping({ userId, userIdType: "ANY" })).toMatchObject({
          status: "OK",
          ...ids,
        });
      }
    });

    it("isn't given to somebody unknown, nor found where there is none", async () => {
      const unknown = { superTokensUserId: "nobody-at-all", externalUserId: "legacy|774412" };
      expect(await supertokens.createUserIdMapping(unknown)).toEqual({
        status: "UNKNOWN_SUPERTOKENS_USER_ID_ERROR",
      });
      expect(await supertokens.getUserIdMapping({ userId: "legacy|774412" })).toEqual({
        status: "UNKNOWN_MAPPING_ERROR",
      });
    });

    it("is what the user's contacts are changed by", async () => {
      const recipeUserId = supertokens.convertToRecipeUserId("u-00225");
      const phoneNumber = "+15550109004";
      expect(await Passwordless.updateUser({ recipeUserId, phoneNumber })).toEqual({
        status: "OK",
      });
      expect((await onlyUserWith({ phoneNumber })).id).toBe("u-00225");
    });
  });
}

async function byLink(contact: { email: string } | { phoneNumber: string }) {
  const { preAuthSessionId, linkCode } = await Passwordless.createCode({
    ...contact,
    tenantId: TENANT,
  });
  const consumed = await Passwordless.consumeCode({ preAuthSessionId, linkCode, tenantId: TENANT });
  if (consumed.status !== "OK") throw new Error(consumed.status);
  return consumed;
}

async function onlyUserWith(contact: { email: string } | { phoneNumber: string }): Promise<User> {
  const users = await supertokens.listUsersByAccountInfo(TENANT, contact);
  expect(users).toHaveLength(1);
  const [user] = users;
  if (user === undefined) throw new Error("nobody");
  return user;
}
