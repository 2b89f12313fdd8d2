/** The core contract of second factors: devices that show six digits, made at the core or brought along. */

import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { codeAt, fromBase32 } from "../../../src/core/embedded/parts/totp-code.js";
import { newEmail, newExternalId, type Scene } from "./scene.js";

/** RFC 6238's own, in Base32. */
const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
/** So long that no test sees the next one begin. */
const PERIOD = 86_400;

/** What the device shows, or showed some periods ago. */
function shownBy(secret: string, periodsAgo = 0): string {
  const step = Math.floor(Date.now() / 1000 / PERIOD) - periodsAgo;
  return codeAt(fromBase32(secret) ?? Buffer.alloc(0), step);
}

export function describeTotp(scene: Scene): void {
  const { needing } = scene;
  const bring = (userId: string, fields: { deviceName?: string; skew?: number } = {}) =>
    scene.core.part("importTotpDevice", {
      ...{ userId, secretKey: SECRET, period: PERIOD, skew: 1 },
      ...fields,
    });
  const make = async (userId: string, deviceName?: string) => {
    const request = { userId, period: PERIOD, skew: 0, deviceName };
    const outcome = await scene.core.part("createTotpDevice", request);
    if (outcome.status !== "OK") throw new Error(outcome.status);
    return outcome;
  };
  const verify = (userId: string, totp: string) => scene.core.part("verifyTotp", { userId, totp });
  const listed = async (userId: string) =>
    (await scene.core.part("listTotpDevices", { userId })).devices;

  describe("second factors", () => {
    needing("totp")("that were imported count at once, each code once", async () => {
      const userId = randomUUID();
      expect(await bring(userId, { deviceName: "Phone" })).toEqual({
        status: "OK",
        deviceName: "Phone",
      });
      expect(await listed(userId)).toEqual([
        { name: "Phone", period: PERIOD, skew: 1, verified: true },
      ]);
      expect(await verify(userId, shownBy(SECRET))).toEqual({ status: "OK" });
      expect(await verify(userId, shownBy(SECRET))).toMatchObject({ status: "INVALID_TOTP_ERROR" });
    });

    needing("totp")("take the codes of as many periods around as their skew says", async () => {
      const [tolerant, strict] = [randomUUID(), randomUUID()];
      await bring(tolerant, { skew: 1 });
      await bring(strict, { skew: 0 });
      const before = shownBy(SECRET, 1);
      expect(await verify(tolerant, shownBy(SECRET, 2))).toMatchObject({
        status: "INVALID_TOTP_ERROR",
      });
      expect(await verify(tolerant, before)).toEqual({ status: "OK" });
      expect(await verify(strict, before)).toMatchObject({ status: "INVALID_TOTP_ERROR" });
    });

    needing("totp")("that are made here count after their first code", async () => {
      const userId = randomUUID();
      const { deviceName, secret } = await make(userId);
      const totp = shownBy(secret);
      expect(await listed(userId)).toMatchObject([{ name: deviceName, verified: false }]);
      expect(await verify(userId, totp)).toEqual({ status: "UNKNOWN_USER_ID_ERROR" });
      const device = { userId, deviceName, totp };
      for (const wasAlreadyVerified of [false, true]) {
        expect(await scene.core.part("verifyTotpDevice", device)).toEqual({
          status: "OK",
          wasAlreadyVerified,
        });
      }
      expect(await listed(userId)).toMatchObject([{ verified: true }]);
    });

    needing("totp")("end after five wrong codes in a row, for a while", async () => {
      const userId = randomUUID();
      await bring(userId);
      const wrong = shownBy(SECRET, 40);
      for (const currentNumberOfFailedAttempts of [1, 2, 3, 4, 5]) {
        expect(await verify(userId, wrong)).toEqual({
          ...{ status: "INVALID_TOTP_ERROR", maxNumberOfFailedAttempts: 5 },
          currentNumberOfFailedAttempts,
        });
      }
      const limited = await verify(userId, shownBy(SECRET));
      expect(limited).toMatchObject({
        ...{ status: "LIMIT_REACHED_ERROR", currentNumberOfFailedAttempts: 5 },
        maxNumberOfFailedAttempts: 5,
      });
      expect(limited).toHaveProperty("retryAfterMs");
    });

    needing("totp")("are taken once of several equal codes at a time", async () => {
      const userId = randomUUID();
      await bring(userId);
      const outcomes = await Promise.all([1, 2, 3].map(() => verify(userId, shownBy(SECRET))));
      expect(outcomes.filter(({ status }) => status === "OK")).toHaveLength(1);
    });

    needing("totp")("have names of their own, given or found, which can change", async () => {
      const userId = randomUUID();
      const names = [(await bring(userId)).status, (await bring(userId)).status];
      expect(names).toEqual(["OK", "OK"]);
      const [first, second] = (await listed(userId)).map(({ name }) => name);
      expect(first).not.toBe(second);
      const exists = { status: "DEVICE_ALREADY_EXISTS_ERROR" };
      expect(await bring(userId, { deviceName: first ?? "" })).toEqual(exists);
      const { core } = scene;
      const rename = (existingDeviceName: string, newDeviceName: string) =>
        core.part("renameTotpDevice", { userId, existingDeviceName, newDeviceName });
      expect(await rename(first ?? "", second ?? "")).toEqual(exists);
      expect(await rename("Tablet", "Phone")).toEqual({ status: "UNKNOWN_DEVICE_ERROR" });
      expect(await rename(first ?? "", "Phone")).toEqual({ status: "OK" });
      expect((await listed(userId)).map(({ name }) => name).sort()).toEqual(
        ["Phone", second].sort(),
      );
    });

    needing("totp")("that were never verified give way to a new one of the name", async () => {
      const userId = randomUUID();
      const old = await make(userId, "Phone");
      const { secret } = await make(userId, "Phone");
      expect(secret).not.toBe(old.secret);
      expect(await listed(userId)).toHaveLength(1);
    });

    needing("totp")("are removed, and then unknown", async () => {
      const userId = randomUUID();
      await bring(userId, { deviceName: "Phone" });
      const device = { userId, deviceName: "Phone" };
      for (const didDeviceExist of [true, false]) {
        expect(await scene.core.part("removeTotpDevice", device)).toEqual({
          status: "OK",
          didDeviceExist,
        });
      }
      const unknown = { ...device, totp: shownBy(SECRET) };
      expect(await scene.core.part("verifyTotpDevice", unknown)).toEqual({
        status: "UNKNOWN_DEVICE_ERROR",
      });
      expect(await verify(userId, shownBy(SECRET))).toEqual({ status: "UNKNOWN_USER_ID_ERROR" });
    });

    needing("totp")("are refused without their secret being told, where it is none", async () => {
      const request = { userId: randomUUID(), period: 30, skew: 1, secretKey: "not-base32-018!" };
      const refused = scene.core.part("importTotpDevice", request);
      await expect(refused).rejects.toMatchObject({ kind: "refused", status: 400 });
      await expect(refused).rejects.toMatchObject({
        message: expect.not.stringContaining("base32-018"),
      });
      const endless = { ...request, secretKey: SECRET, skew: 1_000_000_000 };
      await expect(scene.core.part("importTotpDevice", endless)).rejects.toMatchObject({
        kind: "refused",
      });
    });

    needing(
      "totp",
      "mapping",
      "removal",
    )("belong to the id that they were given", async () => {
      const { core } = scene;
      const { userId } = (await scene.passwordless({ email: newEmail("frida") })).user;
      await bring(userId);
      const externalUserId = newExternalId("frida");
      await expect(core.mapUserId({ userId, externalUserId })).rejects.toMatchObject({
        kind: "refused",
      });
      await core.removeUser(userId);
      expect(await listed(userId)).toEqual([]);
    });

    it.runIf(scene.lacks.totp !== undefined)("aren't offered, and the core says so", async () => {
      await expect(listed(randomUUID())).rejects.toMatchObject({ kind: "not_offered" });
    });
  });
}
