import { afterAll, describe, expect, it } from "vitest";
import { openEmbeddedCore } from "../../../src/core/embedded/embedded-core.js";
import { openDatabase } from "../../../src/sqlite/database.js";
import { DATA_FILE } from "../../../src/core/embedded/sqlite/schema.js";
import { temporaryPaths } from "../../support/temporary-folder.js";
import { passwordlessUser } from "./people.js";

const path = temporaryPaths();
const START = Date.UTC(2026, 0, 15);
const MINUTE = 60_000;

describe("codes of the embedded core", () => {
  let time = START;
  const file = path("core.db");
  const core = openEmbeddedCore({ file, now: () => time });
  afterAll(() => core.close());

  it("lives fifteen minutes from the moment it was made", async () => {
    const { preAuthSessionId, linkCode, ...code } = await core.createCode({
      email: "ana@example.com",
    });
    expect(code).toMatchObject({ timeCreated: time, codeLifetime: 15 * MINUTE });
    time += 15 * MINUTE - 1;
    const outcome = await core.consumeCode({ preAuthSessionId, linkCode });
    expect(outcome).toMatchObject({ status: "OK", user: { timeJoined: time } });
  });

  it("takes padded links as other cores give them", async () => {
    const { preAuthSessionId, linkCode } = await core.createCode({ email: "edda@example.com" });
    const padded = { preAuthSessionId: `${preAuthSessionId}=`, linkCode: `${linkCode}=` };
    expect((await core.consumeCode(padded)).status).toBe("OK");
  });

  it.each([
    ["a link code that isn't base64url", { linkCode: "no link" }, "linkCode"],
    ["a device id that isn't one", { deviceId: "xyz", userInputCode: "123456" }, "deviceId"],
    [
      "the session of another device",
      { deviceId: `${"A".repeat(43)}=`, userInputCode: "123456" },
      "preAuthSessionId",
    ],
  ])("refuses %s", async (_, presented, field) => {
    const { preAuthSessionId } = await core.createCode({ email: "fritz@example.com" });
    await expect(core.consumeCode({ preAuthSessionId, ...presented })).rejects.toMatchObject({
      kind: "refused",
      message: expect.stringContaining(field),
    });
  });

  it("signs nobody in as the person whom somebody just looked up", async () => {
    const [fay, finn] = [{ phoneNumber: "+4915112345678" }, { phoneNumber: "+4915112345679" }];
    const { userId } = await passwordlessUser(core, fay);
    expect(await core.findUsers(fay)).toHaveLength(1);
    const other = await passwordlessUser(core, finn);
    expect(other).toMatchObject(finn);
    expect(other.userId).not.toBe(userId);
  });

  it("ends the codes of the contact that a user lost and of the one it got", async () => {
    const first = await core.createCode({ email: "gabi@example.com" });
    const outcome = await core.consumeCode({
      preAuthSessionId: first.preAuthSessionId,
      linkCode: first.linkCode,
    });
    if (outcome.status !== "OK") throw new Error(outcome.status);
    const { userId } = outcome.user;
    const old = await core.createCode({ email: "gabi@example.com" });
    const got = await core.createCode({ email: "gabi.new@example.com" });
    const other = await core.createCode({ email: "hans@example.com" });
    await core.updateUser({ userId, email: "gabi.new@example.com" });
    const statuses = [];
    for (const { preAuthSessionId, linkCode } of [old, got, other]) {
      statuses.push((await core.consumeCode({ preAuthSessionId, linkCode })).status);
    }
    expect(statuses).toEqual(["RESTART_FLOW_ERROR", "RESTART_FLOW_ERROR", "OK"]);
  });

  it.each(["7", "000000", "XYZ 1", "🌶".repeat(32)])(
    "takes digits of the caller's own: %s",
    async (userInputCode) => {
      const code = await core.createCode({ email: "ida@example.com", userInputCode });
      expect(code.userInputCode).toBe(userInputCode);
      const { preAuthSessionId, deviceId, linkCode } = code;
      const wrong = { preAuthSessionId, deviceId, userInputCode: `${userInputCode} ` };
      expect((await core.consumeCode(wrong)).status).toBe("INCORRECT_USER_INPUT_CODE_ERROR");
      const right = { preAuthSessionId, deviceId, userInputCode };
      expect((await core.consumeCode(right)).status).toBe("OK");
      expect((await core.consumeCode({ preAuthSessionId, linkCode })).status).toBe(
        "RESTART_FLOW_ERROR",
      );
    },
  );

  it("has one link for each device, though both have the same digits of the caller's own", async () => {
    const request = { email: "ida@example.com", userInputCode: "123456" };
    const [one, other] = [await core.createCode(request), await core.createCode(request)];
    expect(one.linkCode).not.toBe(other.linkCode);
    const { preAuthSessionId, linkCode } = other;
    expect((await core.consumeCode({ preAuthSessionId, linkCode })).status).toBe("OK");
  });

  it.each(["", "1".repeat(65)])("refuses digits of the caller's own: '%s'", async (own) => {
    const request = { email: "ida@example.com", userInputCode: own };
    await expect(core.createCode(request)).rejects.toMatchObject({
      kind: "refused",
      message: expect.stringContaining("userInputCode"),
    });
  });

  it("stores nothing that signs in, and forgets devices that nobody can use any more", async () => {
    const code = await core.createCode({ email: "jule@example.com" });
    const database = openDatabase(file, DATA_FILE);
    const devices = database.prepare("SELECT * FROM device");
    const stored = JSON.stringify(devices.all().map((row) => row.map(String)));
    for (const secret of [code.linkCode, code.deviceId, code.userInputCode]) {
      expect(stored).not.toContain(`"${secret}"`);
    }
    time += 31 * MINUTE;
    await core.createCode({ email: "karl@example.com" });
    expect(devices.all()).toHaveLength(1);
    database.close();
  });
});
