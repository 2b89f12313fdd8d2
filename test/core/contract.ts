/** What every core does alike, as one suite: interface.md's four calls, and the calls beyond them where a core has them. */

import { randomInt, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Core, CoreUser } from "../../src/core/core.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";

/** What a core can do beyond the four calls of interface.md. */
export interface CoreCapabilities {
  readonly lookups: boolean;
  readonly signIn: boolean;
  /** Consumes by device and digits, and counts wrong ones. */
  readonly digits: boolean;
  /** Checks a hash's whole grammar. */
  readonly strictHashes: boolean;
  /** Has the signer key of the known vendor scrypt hash. */
  readonly signerKey: boolean;
}

export interface OpenedCore {
  readonly core: Core;
  close(): Promise<void>;
}

/** A core may be used by others and keep users from run to run: contacts are new every time. */
function newEmail(name: string): string {
  return `${name}.${randomUUID()}@example.com`;
}

function newPhone(): string {
  return `+1555${randomInt(2_000_000, 9_999_999)}`;
}

export function describeCoreContract(
  name: string,
  open: () => Promise<OpenedCore>,
  capabilities: CoreCapabilities,
): void {
  describe(`the core contract: ${name}`, () => {
    let opened: OpenedCore;
    let core: Core;
    beforeAll(async () => {
      opened = await open();
      core = opened.core;
    });
    afterAll(() => opened?.close());

    async function passwordless(contact: { email: string } | { phoneNumber: string }) {
      const { preAuthSessionId, linkCode } = await core.createCode(contact);
      const outcome = await core.consumeCode({ preAuthSessionId, linkCode });
      if (outcome.status !== "OK") throw new Error(outcome.status);
      return outcome;
    }

    it("passes its own probe", async () => {
      await expect(core.probe()).resolves.toBeUndefined();
    });

    describe("codes", () => {
      it("generates a code with everything that interface.md 2.1 names", async () => {
        const code = await core.createCode({ email: newEmail("mira") });
        expect(code.userInputCode).toMatch(/^\d+$/);
        expect(code.codeId).toMatch(/^[0-9a-f-]{36}$/);
        expect(code.codeLifetime).toBeGreaterThan(0);
        expect(Math.abs(code.timeCreated - Date.now())).toBeLessThan(3_600_000);
      });

      it("creates a user by consuming a code sent to an email", async () => {
        const email = newEmail("otto");
        const { createdNewUser, user } = await passwordless({ email });
        expect(createdNewUser).toBe(true);
        expect(user).toMatchObject({ email, recipe: "passwordless" });
        expect(user.userId).not.toBe("");
      });

      it("creates a user by consuming a code sent to a phone", async () => {
        const phoneNumber = newPhone();
        const { createdNewUser, user } = await passwordless({ phoneNumber });
        expect(createdNewUser).toBe(true);
        expect(user.phoneNumber).toBe(phoneNumber);
      });

      it("signs in the user that a contact already has", async () => {
        const email = newEmail("paula");
        const first = await passwordless({ email });
        const second = await passwordless({ email });
        expect(second.createdNewUser).toBe(false);
        expect(second.user.userId).toBe(first.user.userId);
      });

      it("lets only one of four parallel calls consume a code", async () => {
        const { preAuthSessionId, linkCode } = await core.createCode({ email: newEmail("quinn") });
        const outcomes = await Promise.all(
          [1, 2, 3, 4].map(() => core.consumeCode({ preAuthSessionId, linkCode })),
        );
        const statuses = outcomes.map(({ status }) => status).sort();
        expect(statuses).toEqual(["OK", ...Array(3).fill("RESTART_FLOW_ERROR")]);
      });

      it("ends every other code of a contact once one was consumed", async () => {
        const email = newEmail("rosa");
        const earlier = await core.createCode({ email });
        await passwordless({ email });
        const { preAuthSessionId, linkCode } = earlier;
        expect(await core.consumeCode({ preAuthSessionId, linkCode })).toEqual({
          status: "RESTART_FLOW_ERROR",
        });
      });

      it("starts over for a link code that it never gave", async () => {
        const { preAuthSessionId, linkCode } = await core.createCode({ email: newEmail("sam") });
        const reversed = [...linkCode].reverse().join("");
        expect(await core.consumeCode({ preAuthSessionId, linkCode: reversed })).toEqual({
          status: "RESTART_FLOW_ERROR",
        });
      });

      it("refuses a code for both contacts or for none", async () => {
        const both = { email: newEmail("tara"), phoneNumber: newPhone() };
        for (const request of [both, {}] as unknown as { email: string }[]) {
          await expect(core.createCode(request)).rejects.toMatchObject({
            name: "CoreFailure",
            kind: "refused",
            reached: "yes",
          });
        }
      });
    });

    describe.runIf(capabilities.digits)("codes typed by hand", () => {
      it("takes the right digits", async () => {
        const { linkCode: _, ...code } = await core.createCode({ phoneNumber: newPhone() });
        expect(await core.consumeCode(code)).toMatchObject({ status: "OK", createdNewUser: true });
      });

      it("counts wrong digits and ends the device at the fifth", async () => {
        const code = await core.createCode({ email: newEmail("uwe") });
        const { preAuthSessionId, deviceId, userInputCode } = code;
        const wrong = { preAuthSessionId, deviceId, userInputCode: `9${userInputCode}` };
        for (const failedCodeInputAttemptCount of [1, 2, 3, 4]) {
          expect(await core.consumeCode(wrong)).toEqual({
            status: "INCORRECT_USER_INPUT_CODE_ERROR",
            failedCodeInputAttemptCount,
            maximumCodeInputAttempts: 5,
          });
        }
        expect(await core.consumeCode(wrong)).toEqual({ status: "RESTART_FLOW_ERROR" });
        const right = { preAuthSessionId, deviceId, userInputCode };
        expect(await core.consumeCode(right)).toEqual({ status: "RESTART_FLOW_ERROR" });
      });
    });

    describe("updates", () => {
      it("adds the missing contact and keeps the other", async () => {
        const email = newEmail("vera");
        const phoneNumber = newPhone();
        const { user } = await passwordless({ email });
        const { userId } = user;
        expect(await core.updateUser({ userId, phoneNumber })).toEqual({ status: "OK" });
        for (const contact of [{ email }, { phoneNumber }]) {
          const again = await passwordless(contact);
          expect(again.createdNewUser).toBe(false);
          expect(again.user).toMatchObject({ userId, email, phoneNumber });
        }
      });

      it("clears a contact that is given as null", async () => {
        const email = newEmail("wanda");
        const { user } = await passwordless({ email });
        const { userId } = user;
        await core.updateUser({ userId, phoneNumber: newPhone() });
        expect(await core.updateUser({ userId, email: null })).toEqual({ status: "OK" });
        expect((await passwordless({ email })).user.userId).not.toBe(userId);
      });

      it("says which contact already belongs to somebody else", async () => {
        const email = newEmail("xaver");
        const phoneNumber = newPhone();
        await passwordless({ email });
        await passwordless({ phoneNumber });
        const { userId } = (await passwordless({ email: newEmail("yara") })).user;
        expect(await core.updateUser({ userId, email })).toEqual({
          status: "EMAIL_ALREADY_EXISTS_ERROR",
        });
        expect(await core.updateUser({ userId, phoneNumber })).toEqual({
          status: "PHONE_NUMBER_ALREADY_EXISTS_ERROR",
        });
      });

      it("says that it doesn't know a user", async () => {
        const update = { userId: randomUUID(), email: newEmail("zoe") };
        expect(await core.updateUser(update)).toEqual({ status: "UNKNOWN_USER_ID_ERROR" });
      });

      it("doesn't know an email-password user among the passwordless ones", async () => {
        const { passwordHash } = KNOWN_HASHES.bcrypt;
        const { user } = await core.importUser({ email: newEmail("alba"), passwordHash });
        const update = { userId: user.userId, phoneNumber: newPhone() };
        expect(await core.updateUser(update)).toEqual({ status: "UNKNOWN_USER_ID_ERROR" });
      });

      it("refuses to leave a user without any contact", async () => {
        const { userId } = (await passwordless({ email: newEmail("anton") })).user;
        for (const id of [userId, randomUUID()]) {
          await expect(
            core.updateUser({ userId: id, email: null, phoneNumber: null }),
          ).rejects.toMatchObject({ kind: "refused", status: 400 });
        }
      });
    });

    describe("imports", () => {
      const { passwordHash } = KNOWN_HASHES.bcrypt;

      it("creates a user with a hash, and only replaces the hash the second time", async () => {
        const email = newEmail("berta");
        const first = await core.importUser({ email, passwordHash });
        expect(first).toMatchObject({ status: "OK", didUserAlreadyExist: false });
        expect(first.user).toMatchObject({ recipe: "emailpassword" });
        const { passwordHash: other } = KNOWN_HASHES.argon2;
        const second = await core.importUser({ email, passwordHash: other });
        expect(second.didUserAlreadyExist).toBe(true);
        expect(second.user.userId).toBe(first.user.userId);
        expect(second.user.timeJoined).toBe(first.user.timeJoined);
      });

      it("makes one user of two parallel imports of one email", async () => {
        const email = newEmail("carl");
        const both = await Promise.all([1, 2].map(() => core.importUser({ email, passwordHash })));
        expect(both.map((one) => one.didUserAlreadyExist).sort()).toEqual([false, true]);
        expect(new Set(both.map((one) => one.user.userId)).size).toBe(1);
      });

      it("keeps an email-password user and a passwordless user with one email apart", async () => {
        const email = newEmail("dora");
        const imported = await core.importUser({ email, passwordHash });
        const created = await passwordless({ email });
        expect(created.createdNewUser).toBe(true);
        expect(created.user.userId).not.toBe(imported.user.userId);
      });

      it.runIf(capabilities.signerKey)("takes a vendor scrypt hash", async () => {
        const { password: _, ...hash } = KNOWN_HASHES.vendor_scrypt;
        const imported = await core.importUser({ email: newEmail("emil"), ...hash });
        expect(imported.didUserAlreadyExist).toBe(false);
      });

      it.runIf(capabilities.strictHashes).each([
        ["a truncated bcrypt hash", KNOWN_HASHES.bcrypt.passwordHash.slice(0, -1), {}],
        ["argon2 parameters out of order", swapped(KNOWN_HASHES.argon2.passwordHash), {}],
        ["a hash of another kind", "pbkdf2_sha256$260000$salt$digest", {}],
        [
          "bcrypt announced as vendor scrypt",
          KNOWN_HASHES.bcrypt.passwordHash,
          { hashingAlgorithm: "vendor_scrypt" as const },
        ],
      ])("refuses %s and names the field", async (_, broken, algorithm) => {
        const email = newEmail("frida");
        const request = { email, passwordHash: broken, ...algorithm };
        await expect(core.importUser(request)).rejects.toMatchObject({
          kind: "refused",
          message: expect.stringContaining("passwordHash"),
        });
      });
    });

    describe.runIf(capabilities.signIn)("sign-in", () => {
      const algorithms = ["bcrypt", "argon2", "vendor_scrypt"] as const;
      it.each(algorithms.slice(0, capabilities.signerKey ? 3 : 2))(
        "knows the right password of an imported %s hash from a wrong one",
        async (algorithm) => {
          const { password, ...hash } = KNOWN_HASHES[algorithm];
          const email = newEmail("gerda");
          const { user } = await core.importUser({ email, ...hash });
          const right = await core.signIn({ email, password });
          expect(right).toMatchObject({ status: "OK", user: { userId: user.userId, email } });
          expect(await core.signIn({ email, password: `${password}!` })).toEqual({
            status: "WRONG_CREDENTIALS_ERROR",
          });
        },
      );

      it("answers for an unknown email as for a wrong password", async () => {
        const answer = await core.signIn({ email: newEmail("hugo"), password: "whatever it is" });
        expect(answer).toEqual({ status: "WRONG_CREDENTIALS_ERROR" });
      });
    });

    describe.runIf(capabilities.lookups)("look-ups", () => {
      it("finds all users of a contact, of both recipes", async () => {
        const email = newEmail("ida+shop");
        const { passwordHash } = KNOWN_HASHES.bcrypt;
        const imported = await core.importUser({ email, passwordHash });
        const created = await passwordless({ email });
        const found = await core.findUsers({ email });
        expect(recipes(found)).toEqual({
          [imported.user.userId]: "emailpassword",
          [created.user.userId]: "passwordless",
        });
        expect(await core.findUsers({ phoneNumber: newPhone() })).toEqual([]);
      });

      it("finds a user by phone", async () => {
        const phoneNumber = newPhone();
        const { user } = await passwordless({ phoneNumber });
        const found = await core.findUsers({ phoneNumber });
        expect(found.map(({ userId }) => userId)).toEqual([user.userId]);
      });

      it("gets a user by id, and null for an unknown one", async () => {
        const { user } = await passwordless({ email: newEmail("jan") });
        expect(await core.getUser(user.userId)).toMatchObject({ ...user });
        expect(await core.getUser(randomUUID())).toBeNull();
      });

      it("pages through all users without losing or repeating one", async () => {
        const names = ["kim", "lea", "max", "nele", "olaf"];
        const emails = names.map(newEmail);
        for (const email of emails) await passwordless({ email });
        const seen: CoreUser[] = [];
        let paginationToken: string | undefined;
        do {
          const token: { paginationToken?: string } =
            paginationToken === undefined ? {} : { paginationToken };
          const page = await core.listUsers({ limit: 3, ...token });
          expect(page.users.length).toBeLessThanOrEqual(3);
          seen.push(...page.users);
          paginationToken = page.nextPaginationToken;
        } while (paginationToken !== undefined);
        expect(new Set(seen.map(({ userId }) => userId)).size).toBe(seen.length);
        expect(seen.length).toBe(await core.countUsers());
        const ours = seen.flatMap(({ email }) => (emails.includes(email ?? "") ? [email] : []));
        expect(ours).toEqual(emails);
      });

      it("refuses a page of no users or of too many", async () => {
        for (const limit of [0, 501]) {
          await expect(core.listUsers({ limit })).rejects.toMatchObject({ kind: "refused" });
        }
      });
    });

    it.runIf(!capabilities.lookups)("says that it has no look-ups", async () => {
      const notOffered = { name: "CoreFailure", kind: "not_offered", reached: "yes" };
      await expect(core.findUsers({ email: newEmail("pia") })).rejects.toMatchObject(notOffered);
      await expect(core.getUser(randomUUID())).rejects.toMatchObject(notOffered);
      await expect(core.listUsers({})).rejects.toMatchObject(notOffered);
      await expect(core.countUsers()).rejects.toMatchObject(notOffered);
    });
  });
}

function swapped(argon2Hash: string): string {
  return argon2Hash.replace(/(m=\d+),(t=\d+)/, "$2,$1");
}

function recipes(users: readonly CoreUser[]): Record<string, CoreUser["recipe"]> {
  return Object.fromEntries(users.map(({ userId, recipe }) => [userId, recipe]));
}
