/** The core contract of interface.md 4.1 and 4.2: generating and consuming codes. */

import { describe, expect, it } from "vitest";
import { newEmail, newPhone, type Scene } from "./scene.js";

const REFUSED = { name: "CoreFailure", kind: "refused", reached: "yes" };
const RESTART = { status: "RESTART_FLOW_ERROR" };

export function describeCodes(scene: Scene): void {
  const { passwordless, needing } = scene;

  describe("codes", () => {
    it("generates a code with everything that interface.md 2.1 names", async () => {
      const code = await scene.core.createCode({ email: newEmail("mira") });
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
      const { preAuthSessionId, linkCode } = await scene.core.createCode({
        email: newEmail("quinn"),
      });
      const outcomes = await Promise.all(
        [1, 2, 3, 4].map(() => scene.core.consumeCode({ preAuthSessionId, linkCode })),
      );
      const statuses = outcomes.map(({ status }) => status).sort();
      expect(statuses).toEqual(["OK", ...Array(3).fill("RESTART_FLOW_ERROR")]);
    });

    it("ends every other code of a contact once one was consumed", async () => {
      const email = newEmail("rosa");
      const { preAuthSessionId, linkCode } = await scene.core.createCode({ email });
      await passwordless({ email });
      expect(await scene.core.consumeCode({ preAuthSessionId, linkCode })).toEqual(RESTART);
    });

    it("starts over for a link code that it never gave", async () => {
      const { preAuthSessionId, linkCode } = await scene.core.createCode({
        email: newEmail("sam"),
      });
      const reversed = [...linkCode].reverse().join("").replace(/^=+/, "");
      const wrong = { preAuthSessionId, linkCode: reversed };
      expect(await scene.core.consumeCode(wrong)).toEqual(RESTART);
    });

    it("refuses a code for both contacts or for none", async () => {
      const both = { email: newEmail("tara"), phoneNumber: newPhone() };
      for (const request of [both, {}] as unknown as { email: string }[]) {
        await expect(scene.core.createCode(request)).rejects.toMatchObject(REFUSED);
      }
    });

    needing("strictCodes")("refuses a link code that is no base64", async () => {
      const { preAuthSessionId } = await scene.core.createCode({ email: newEmail("theo") });
      const claim = { preAuthSessionId, linkCode: "not a link code!" };
      await expect(scene.core.consumeCode(claim)).rejects.toMatchObject(REFUSED);
    });
  });

  describe("codes typed by hand", () => {
    needing("digits")("are taken where they are right", async () => {
      const { linkCode: _, ...code } = await scene.core.createCode({ phoneNumber: newPhone() });
      const outcome = await scene.core.consumeCode(code);
      expect(outcome).toMatchObject({ status: "OK", createdNewUser: true });
    });

    needing("digits")(
      "are counted where they are wrong, and the fifth ends the device",
      async () => {
        const { linkCode: _, ...code } = await scene.core.createCode({ email: newEmail("uwe") });
        const wrong = { ...code, userInputCode: `9${code.userInputCode}` };
        for (const failedCodeInputAttemptCount of [1, 2, 3, 4]) {
          expect(await scene.core.consumeCode(wrong)).toEqual({
            status: "INCORRECT_USER_INPUT_CODE_ERROR",
            failedCodeInputAttemptCount,
            maximumCodeInputAttempts: 5,
          });
        }
        expect(await scene.core.consumeCode(wrong)).toEqual(RESTART);
        expect(await scene.core.consumeCode(code)).toEqual(RESTART);
      },
    );

    needing("digits")("may be of the caller's own choice", async () => {
      const email = newEmail("uma");
      const { linkCode: _, ...code } = await scene.core.createCode({
        email,
        userInputCode: "271828",
      });
      expect(code.userInputCode).toBe("271828");
      const other = await scene.core.consumeCode({ ...code, userInputCode: "314159" });
      expect(other.status).toBe("INCORRECT_USER_INPUT_CODE_ERROR");
      expect(await scene.core.consumeCode(code)).toMatchObject({ status: "OK", user: { email } });
    });

    needing("digits")("can't be chosen empty", async () => {
      const request = { email: newEmail("ulla"), userInputCode: "" };
      await expect(scene.core.createCode(request)).rejects.toMatchObject(REFUSED);
    });

    needing("digits", "strictCodes")("are refused with another code's device", async () => {
      const { core } = scene;
      const { deviceId, userInputCode } = await core.createCode({ email: newEmail("ugo") });
      const { preAuthSessionId } = await core.createCode({ email: newEmail("una") });
      const mixed = { preAuthSessionId, deviceId, userInputCode };
      await expect(core.consumeCode(mixed)).rejects.toMatchObject(REFUSED);
    });
  });
}
