/** The core contract of whole accounts: a new user with every part in one call, or nothing. */

import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { AccountRequest, WayIn } from "../../../src/core/account-import.js";
import type { CoreUser } from "../../../src/core/user.js";
import { KNOWN_HASHES } from "../../support/known-hashes.js";
import { newEmail, newExternalId, newPhone, type Scene } from "./scene.js";

const { passwordHash, password } = KNOWN_HASHES.bcrypt;
const JOINED = Date.UTC(2019, 3, 1, 12);
const SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
const device = (deviceName?: string) => ({ deviceName, secretKey: SECRET, period: 30, skew: 1 });

export function describeAccounts(scene: Scene): void {
  const test = scene.needing("accounts");
  const byPassword = (email: string): WayIn => ({ recipe: "emailpassword", email, passwordHash });
  const social = (email: string): WayIn & { recipe: "thirdparty" } => ({
    ...{ recipe: "thirdparty", email, thirdPartyId: "google", thirdPartyUserId: randomUUID() },
  });
  async function imported(request: AccountRequest): Promise<CoreUser> {
    const outcome = await scene.core.importAccount(request);
    if (outcome.status !== "OK") throw new Error(outcome.status);
    return outcome.user;
  }
  async function partsOf(userId: string) {
    const { core } = scene;
    const { devices } = await core.part("listTotpDevices", { userId });
    return {
      metadata: (await core.part("getMetadata", { userId })).metadata,
      roles: (await core.part("rolesOfUser", { userId })).roles,
      devices: devices.map(({ name, verified }) => `${name}: ${verified}`),
    };
  }
  async function newRole(): Promise<string> {
    const role = `editor-${randomUUID()}`;
    await scene.core.part("putRole", { role, permissions: [] });
    return role;
  }

  describe("whole accounts", () => {
    test("bring a user with every part, who signs in by the password", async () => {
      const { core } = scene;
      const [email, externalUserId] = [newEmail("wilma"), newExternalId("wilma")];
      const roles = [await newRole(), await newRole()];
      const user = await imported({
        ...{ wayIn: byPassword(email.toUpperCase()), externalUserId, timeJoined: JOINED },
        ...{ isEmailVerified: true, metadata: { first_name: "Wilma", nickname: null }, roles },
        totpDevices: [device("Phone"), device()],
      });
      const shown = { userId: externalUserId, email, timeJoined: JOINED, recipe: "emailpassword" };
      expect(user).toEqual({ ...shown, isEmailVerified: true });
      expect(await core.signIn({ email, password })).toEqual({ status: "OK", user });
      expect(await core.getUser(externalUserId)).toEqual(user);
      expect(await core.findUsers({ email })).toEqual([user]);
      expect(await core.findMapping(externalUserId)).toMatchObject({ externalUserId });
      expect(await partsOf(externalUserId)).toEqual({
        metadata: { first_name: "Wilma" },
        roles: roles.toSorted(),
        devices: ["Phone: true", "TOTP Device 1: true"],
      });
    });

    test("bring passwordless users by either contact and by both", async () => {
      const { core } = scene;
      for (const contacts of [
        { email: newEmail("paul") },
        { phoneNumber: newPhone() },
        { email: newEmail("paula"), phoneNumber: newPhone() },
      ]) {
        const user = await imported({ wayIn: { recipe: "passwordless", ...contacts } });
        expect(user).toMatchObject({ ...contacts, recipe: "passwordless", hasSignedIn: false });
        expect(await core.getUser(user.userId)).toEqual(user);
        const contact =
          contacts.email === undefined
            ? { phoneNumber: contacts.phoneNumber ?? "" }
            : { email: contacts.email };
        expect((await scene.passwordless(contact)).user.userId).toBe(user.userId);
      }
    });

    test("bring users of a social account, who are found by it", async () => {
      const { core } = scene;
      const wayIn = social(newEmail("greta"));
      const user = await imported({ wayIn, timeJoined: JOINED });
      expect(user).toMatchObject({ recipe: "other", email: wayIn.email, timeJoined: JOINED });
      expect(await core.findByThirdParty(wayIn)).toEqual([user]);
      const again = { ...wayIn, isEmailVerified: false };
      expect(await core.signInUp(again)).toMatchObject({ createdNewUser: false, user });
    });

    test("are verified where they are said to be, whatever the way in", async () => {
      const { core } = scene;
      for (const wayInOf of [
        byPassword,
        social,
        (email: string): WayIn => ({ recipe: "passwordless", email }),
      ]) {
        for (const isEmailVerified of [true, false, undefined]) {
          const email = newEmail("vera");
          const { userId } = await imported({ wayIn: wayInOf(email), isEmailVerified });
          const { isVerified } = await core.part("isEmailVerified", { userId, email });
          expect(isVerified).toBe(isEmailVerified === true);
        }
      }
    });

    test("leave a user who is there as they are, and say who has what", async () => {
      const { core } = scene;
      const [email, phoneNumber] = [newEmail("otto"), newPhone()];
      const wayIn = social(newEmail("olga"));
      const users = {
        email: await imported({ wayIn: byPassword(email), metadata: { kept: true } }),
        phoneNumber: await imported({ wayIn: { recipe: "passwordless", phoneNumber } }),
        thirdParty: await imported({ wayIn }),
      };
      const roles = [await newRole()];
      const more = { metadata: { kept: false }, roles, isEmailVerified: true };
      const others = {
        email: byPassword(email),
        phoneNumber: { recipe: "passwordless", email: newEmail("other"), phoneNumber },
        thirdParty: { ...wayIn, email: newEmail("other") },
      } as const;
      for (const by of ["email", "phoneNumber", "thirdParty"] as const) {
        const externalUserId = newExternalId("other");
        const request = { ...more, wayIn: others[by], externalUserId };
        const refused = { status: "USER_ALREADY_EXISTS_ERROR", by, user: users[by] };
        expect(await core.importAccount(request)).toEqual(refused);
        expect(await core.getUser(users[by].userId)).toEqual(users[by]);
        for (const userId of [users[by].userId, externalUserId]) {
          const metadata = userId === users.email.userId ? { kept: true } : {};
          expect(await partsOf(userId)).toEqual({ metadata, roles: [], devices: [] });
        }
      }
    });

    test("name a role that there isn't, and bring nothing of the user", async () => {
      const { core } = scene;
      const [email, role] = [newEmail("rita"), `ghost-${randomUUID()}`];
      const request = { wayIn: byPassword(email), roles: [await newRole(), role] };
      expect(await core.importAccount(request)).toEqual({ status: "UNKNOWN_ROLE_ERROR", role });
      expect(await core.findUsers({ email })).toEqual([]);
    });

    test("take no id that is another user's, external or own", async () => {
      const { core } = scene;
      const externalUserId = newExternalId("ida");
      await imported({ wayIn: byPassword(newEmail("ida")), externalUserId });
      const { userId } = await imported({ wayIn: byPassword(newEmail("ines")) });
      const email = newEmail("inga");
      for (const taken of [externalUserId, userId]) {
        const outcome = await core.importAccount({
          ...{ wayIn: byPassword(email), externalUserId: taken },
        });
        expect(outcome).toEqual({ status: "EXTERNAL_ID_ALREADY_EXISTS_ERROR" });
      }
      expect(await core.findUsers({ email })).toEqual([]);
    });

    test("make one user of an email, and one of an id, however many come at once", async () => {
      const { core } = scene;
      const [email, externalUserId, role] = [
        newEmail("anna"),
        newExternalId("anna"),
        await newRole(),
      ];
      const one = { wayIn: byPassword(email), roles: [role], metadata: { n: 1 } };
      const other = () => ({ wayIn: byPassword(newEmail("anton")), externalUserId });
      const requests = [one, one, other(), other(), { wayIn: social(email), metadata: { n: 2 } }];
      const outcomes = await Promise.all(requests.map((each) => core.importAccount(each)));
      const statuses = outcomes.map(({ status }) => status);
      expect(statuses.slice(0, 2).sort()).toEqual(["OK", "USER_ALREADY_EXISTS_ERROR"]);
      expect(statuses.slice(2, 4).sort()).toEqual(["EXTERNAL_ID_ALREADY_EXISTS_ERROR", "OK"]);
      expect(statuses[4]).toBe("OK");
      expect(await core.findUsers({ email })).toHaveLength(2);
    });

    test("keep what each of those has who come together", async () => {
      const { core } = scene;
      const externalUserId = newExternalId("karl");
      const phoneNumber = newPhone();
      const requests: AccountRequest[] = [
        { wayIn: byPassword(newEmail("karin").toUpperCase()), isEmailVerified: true },
        { wayIn: social(newEmail("kira")), timeJoined: JOINED },
        { wayIn: { recipe: "passwordless", phoneNumber }, metadata: { n: 1 } },
        { wayIn: byPassword(newEmail("karl")), externalUserId },
      ];
      const outcomes = await Promise.all(requests.map((each) => core.importAccount(each)));
      const ownId = (await core.findMapping(externalUserId))?.userId;
      expect(outcomes.at(-1)).toMatchObject({ status: "OK", ownId });
      const users = outcomes.flatMap((outcome) => (outcome.status === "OK" ? outcome.user : []));
      for (const user of users) expect(await core.getUser(user.userId)).toEqual(user);
      expect(users).toMatchObject([
        { isEmailVerified: true, recipe: "emailpassword" },
        { thirdParty: { id: "google" }, timeJoined: JOINED },
        { phoneNumber, hasSignedIn: false },
        { userId: externalUserId },
      ]);
      expect(users.filter((user) => user.isEmailVerified)).toHaveLength(1);
    });

    test("keep what was under their id before they came", async () => {
      const { core } = scene;
      const [userId, role] = [newExternalId("lena"), await newRole()];
      await core.part("updateMetadata", { userId, metadataUpdate: { theme: "dark", plan: "old" } });
      await core.part("addUserRole", { userId, role });
      await core.part("importTotpDevice", { userId, ...device("TOTP Device 0") });
      await core.part("createTotpDevice", { userId, deviceName: "Tablet", period: 30, skew: 1 });
      await imported({
        ...{ wayIn: byPassword(newEmail("lena")), externalUserId: userId, roles: [role] },
        ...{ metadata: { plan: "new" }, totpDevices: [device(), device("Tablet")] },
      });
      const { devices, ...others } = await partsOf(userId);
      expect(others).toEqual({ metadata: { theme: "dark", plan: "new" }, roles: [role] });
      expect(devices.toSorted()).toEqual([
        ...["TOTP Device 0: true", "TOTP Device 1: true", "Tablet: true"],
      ]);
    });

    const flaws: readonly (readonly [string, Partial<AccountRequest>])[] = [
      ["an email that is none", { wayIn: byPassword("nobody") }],
      [
        "a hash that is none",
        { wayIn: { ...byPassword(newEmail("x")), passwordHash: "$2b$x" } as WayIn },
      ],
      ["no contact", { wayIn: { recipe: "passwordless" } }],
      [
        "a provider of 29 letters",
        { wayIn: { ...social(newEmail("x")), thirdPartyId: "p".repeat(29) } },
      ],
      ["an id of 129 characters", { externalUserId: "i".repeat(129) }],
      ["a time to come", { timeJoined: Date.UTC(2200, 0) }],
      ["metadata that is a list", { metadata: [] as never }],
      ["a role without a name", { roles: [" "] }],
      ["a secret that isn't Base32", { totpDevices: [{ ...device(), secretKey: "0189" }] }],
      ["two devices of one name", { totpDevices: [device("Phone"), device("Phone")] }],
    ];
    for (const [what, flaw] of flaws) {
      test(`are refused with ${what}, and nothing is kept`, async () => {
        const { core } = scene;
        const email = newEmail("franz");
        const request = { wayIn: byPassword(email), metadata: { n: 1 }, ...flaw };
        await expect(core.importAccount(request)).rejects.toMatchObject({ kind: "refused" });
        expect(await core.findUsers({ email })).toEqual([]);
      });
    }
  });

  if (scene.lacks.accounts !== undefined) {
    it("takes no whole account where it doesn't offer to", async () => {
      const request = { wayIn: byPassword(newEmail("nora")) };
      const refusal = { kind: "not_offered", reached: "no" };
      await expect(scene.core.importAccount(request)).rejects.toMatchObject(refusal);
    });
  }
}
