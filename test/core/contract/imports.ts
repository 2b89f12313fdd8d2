/** The core contract of interface.md 4.4, importing users with their hashes, and of signing in with what was imported. */

import { describe, expect, it } from "vitest";
import { bcryptUnder } from "../../../src/hash/verify.js";
import { KNOWN_HASHES } from "../../support/known-hashes.js";
import { newEmail, type Scene } from "./scene.js";

const { bcrypt, argon2, vendor_scrypt: vendorScrypt } = KNOWN_HASHES;

const WRONG = { status: "WRONG_CREDENTIALS_ERROR" };

/** Hashes that could never verify. */
const BROKEN: readonly (readonly [string, string])[] = [
  ["a truncated bcrypt hash", bcrypt.passwordHash.slice(0, -1)],
  ["argon2 parameters out of order", argon2.passwordHash.replace(/(m=\d+),(t=\d+)/, "$2,$1")],
  ["a hash of another kind", "pbkdf2_sha256$260000$salt$digest"],
];

export function describeImports(scene: Scene): void {
  const { passwordless, needing } = scene;
  const { passwordHash } = bcrypt;

  describe("imports", () => {
    it("creates a user with a hash, and only replaces the hash the second time", async () => {
      const email = newEmail("berta");
      const first = await scene.core.importUser({ email, passwordHash });
      expect(first).toMatchObject({ status: "OK", didUserAlreadyExist: false });
      expect(first.user).toMatchObject({ recipe: "emailpassword" });
      const { passwordHash: other } = argon2;
      const second = await scene.core.importUser({ email, passwordHash: other });
      expect(second.didUserAlreadyExist).toBe(true);
      expect(second.user.userId).toBe(first.user.userId);
      expect(second.user.timeJoined).toBe(first.user.timeJoined);
    });

    it("makes one user of two parallel imports of one email", async () => {
      const email = newEmail("carl");
      const both = await Promise.all(
        [1, 2].map(() => scene.core.importUser({ email, passwordHash })),
      );
      expect(both.map((one) => one.didUserAlreadyExist).sort()).toEqual([false, true]);
      expect(new Set(both.map((one) => one.user.userId)).size).toBe(1);
    });

    it("keeps an email-password user and a passwordless user with one email apart", async () => {
      const email = newEmail("dora");
      const imported = await scene.core.importUser({ email, passwordHash });
      const created = await passwordless({ email });
      expect(created.createdNewUser).toBe(true);
      expect(created.user.userId).not.toBe(imported.user.userId);
    });

    needing("signerKey")("takes a vendor scrypt hash", async () => {
      const { password: _, ...hash } = vendorScrypt;
      const imported = await scene.core.importUser({ email: newEmail("emil"), ...hash });
      expect(imported.didUserAlreadyExist).toBe(false);
    });

    needing("signIn")("takes a hash with blanks around it for the hash", async () => {
      const email = newEmail("ferdi");
      await scene.core.importUser({ email, passwordHash: `\t ${passwordHash}\r\n` });
      const { password } = bcrypt;
      expect(await scene.core.signIn({ email, password })).toMatchObject({ status: "OK" });
    });

    for (const [what, broken] of BROKEN) {
      needing("strictHashes")(`refuses ${what} and names the field`, async () => {
        const request = { email: newEmail("frida"), passwordHash: broken };
        await expect(scene.core.importUser(request)).rejects.toMatchObject({
          kind: "refused",
          message: expect.stringContaining("passwordHash"),
        });
      });
    }

    needing("signerKey", "strictHashes")("refuses bcrypt announced as vendor scrypt", async () => {
      const hash = { passwordHash, hashingAlgorithm: "vendor_scrypt" } as const;
      await expect(
        scene.core.importUser({ email: newEmail("fips"), ...hash }),
      ).rejects.toMatchObject({ kind: "refused" });
    });
  });

  describe("replacing a hash that the caller knows", () => {
    const test = needing("guardedHashes");
    const fresh = argon2;
    const hashOf = (password: string) => bcryptUnder("$2a$04$abcdefghijklmnopqrstuu", password);

    test("lets the user in with the new password, and no longer with the one before", async () => {
      const { core } = scene;
      const email = newEmail("hanna");
      const { user } = await core.importUser({ email, passwordHash });
      const [before, password] = [bcrypt.password, "brand new"];
      const request = { email, currentHash: passwordHash, passwordHash: await hashOf(password) };
      expect(await core.replacePassword(request)).toEqual({ status: "OK" });
      const { userId } = user;
      expect(await core.signIn({ email, password })).toMatchObject({
        status: "OK",
        user: { userId },
      });
      expect(await core.signIn({ email, password: before })).toMatchObject(WRONG);
    });

    test("leaves a password that was set since", async () => {
      const email = newEmail("ines");
      await scene.core.importUser({ email, passwordHash: fresh.passwordHash });
      const request = { email, currentHash: passwordHash, passwordHash };
      expect(await scene.core.replacePassword(request)).toEqual({ status: "CHANGED" });
      expect(await scene.core.signIn({ email, password: fresh.password })).toMatchObject({
        status: "OK",
      });
    });

    test("makes no user, also where one without a password has the email", async () => {
      const email = newEmail("jana");
      await passwordless({ email });
      const request = { email, currentHash: passwordHash, passwordHash: fresh.passwordHash };
      expect(await scene.core.replacePassword(request)).toEqual({ status: "UNKNOWN_USER" });
      expect(await scene.core.signIn({ email, password: fresh.password })).toMatchObject(WRONG);
    });

    test("happens once where many come at once", async () => {
      const email = newEmail("karla");
      await scene.core.importUser({ email, passwordHash });
      const request = { email, currentHash: passwordHash, passwordHash: fresh.passwordHash };
      const all = await Promise.all(
        Array.from({ length: 16 }, () => scene.core.replacePassword(request)),
      );
      expect(all.filter(({ status }) => status === "OK")).toHaveLength(1);
      expect(all.filter(({ status }) => status === "CHANGED")).toHaveLength(15);
    });

    test("refuses a hash that could never verify", async () => {
      const email = newEmail("lena");
      await scene.core.importUser({ email, passwordHash });
      const request = { email, currentHash: passwordHash, passwordHash: "pbkdf2_sha256$1$a$b" };
      await expect(scene.core.replacePassword(request)).rejects.toMatchObject({ kind: "refused" });
    });
  });

  describe("sign-in", () => {
    for (const [algorithm, { password, ...hash }] of Object.entries(KNOWN_HASHES)) {
      const features = algorithm === "vendor_scrypt" ? (["signerKey"] as const) : [];
      needing("signIn", ...features)(
        `knows the right password of an imported ${algorithm} hash from a wrong one`,
        async () => {
          const email = newEmail("gerda");
          const { user } = await scene.core.importUser({ email, ...hash });
          const right = await scene.core.signIn({ email, password });
          expect(right).toMatchObject({ status: "OK", user: { userId: user.userId, email } });
          expect(await scene.core.signIn({ email, password: `${password}!` })).toEqual({
            status: "WRONG_CREDENTIALS_ERROR",
          });
        },
      );
    }

    needing("signIn")("answers for an unknown email as for a wrong password", async () => {
      const unknown = { email: newEmail("hugo"), password: "whatever it is" };
      expect(await scene.core.signIn(unknown)).toEqual({ status: "WRONG_CREDENTIALS_ERROR" });
    });
  });
}
