import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import { openEmbeddedCore } from "../../../src/core/embedded/embedded-core.js";
import { KNOWN_HASHES } from "../../support/known-hashes.js";
import { temporaryPaths } from "../../support/temporary-folder.js";
import { passwordlessUser, passwordUser } from "./people.js";

const path = temporaryPaths();
const { password, passwordHash } = KNOWN_HASHES.bcrypt;

describe("a mapped user id", () => {
  const core = openEmbeddedCore({ file: path("core.db") });
  afterAll(() => core.close());

  it("is what every answer shows of an email-password user", async () => {
    const email = "ana@example.com";
    const own = await passwordUser(core, email);
    const mapping = { userId: own.userId, externalUserId: "firebase|ana" };
    expect(await core.mapUserId(mapping)).toEqual({ status: "OK" });
    const shown = { ...own, userId: "firebase|ana" };
    expect(await core.getUser("firebase|ana")).toEqual(shown);
    expect(await core.getUser(own.userId)).toEqual(shown);
    expect(await core.findUsers({ email })).toEqual([shown]);
    expect(await core.importUser({ email, passwordHash })).toMatchObject({
      user: shown,
      didUserAlreadyExist: true,
    });
    expect(await core.signIn({ email, password })).toEqual({ status: "OK", user: shown });
    expect((await core.listUsers({})).users).toContainEqual(shown);
    for (const id of [own.userId, "firebase|ana"]) {
      expect(await core.findMapping(id)).toEqual(mapping);
    }
  });

  it("is what every answer shows of a passwordless user, and what an update takes", async () => {
    const email = "ben@example.com";
    const phoneNumber = "+4915112345678";
    const own = await passwordlessUser(core, { email });
    await core.mapUserId({ userId: own.userId, externalUserId: "ben-1" });
    expect(await core.updateUser({ userId: "ben-1", phoneNumber })).toEqual({ status: "OK" });
    const shown = { ...own, userId: "ben-1", phoneNumber, hasSignedIn: true };
    expect(await passwordlessUser(core, { phoneNumber })).toEqual(shown);
    // Setting what the user has already must not collide with the user itself.
    expect(await core.updateUser({ userId: "ben-1", email, phoneNumber })).toEqual({
      status: "OK",
    });
    expect(await core.updateUser({ userId: own.userId, email: null })).toEqual({ status: "OK" });
    expect((await core.getUser("ben-1"))?.email).toBeUndefined();
  });

  it("can be given once", async () => {
    const [cleo, dirk] = [
      await passwordUser(core, "cleo@example.com"),
      await passwordUser(core, "dirk@example.com"),
    ];
    await core.mapUserId({ userId: cleo.userId, externalUserId: "cleo-1" });
    const cases = [
      [cleo.userId, "cleo-1", true, true],
      ["cleo-1", "cleo-1", true, true],
      [cleo.userId, "cleo-2", true, false],
      [dirk.userId, "cleo-1", false, true],
    ] as const;
    for (const [userId, externalUserId, doesUserIdExist, doesExternalUserIdExist] of cases) {
      expect(await core.mapUserId({ userId, externalUserId })).toEqual({
        status: "USER_ID_MAPPING_ALREADY_EXISTS_ERROR",
        doesUserIdExist,
        doesExternalUserIdExist,
      });
    }
    expect(await core.findMapping("cleo-2")).toBeNull();
    expect(await core.findMapping(dirk.userId)).toBeNull();
  });

  it("is given to one of two users who ask for it at once", async () => {
    const users = [
      await passwordUser(core, "edda@example.com"),
      await passwordUser(core, "fritz@example.com"),
    ];
    const outcomes = await Promise.all(
      users.map(({ userId }) => core.mapUserId({ userId, externalUserId: "the-same" })),
    );
    expect(outcomes.map(({ status }) => status)).toEqual([
      "OK",
      "USER_ID_MAPPING_ALREADY_EXISTS_ERROR",
    ]);
  });

  it("needs a user", async () => {
    const nobody = { userId: randomUUID(), externalUserId: "nobody" };
    expect(await core.mapUserId(nobody)).toEqual({ status: "UNKNOWN_USER_ID_ERROR" });
    expect(await core.findMapping("nobody")).toBeNull();
  });

  it("can't be a user's own id, be it another's or the same one's", async () => {
    const gabi = await passwordUser(core, "gabi@example.com");
    const hans = await passwordlessUser(core, { email: "hans@example.com" });
    for (const externalUserId of [gabi.userId, hans.userId]) {
      await expect(core.mapUserId({ userId: gabi.userId, externalUserId })).rejects.toMatchObject({
        kind: "refused",
        status: 400,
        message: expect.not.stringContaining(externalUserId),
      });
    }
    expect(await core.getUser(hans.userId)).toEqual(hans);
  });

  it.each([
    ["of one character", "7"],
    ["of 128 characters", "x".repeat(128)],
    ["of 128 characters that are two UTF-16 units each", "🌶".repeat(128)],
    ["with blanks and quotation marks inside", `o'hara "the" boss`],
  ])("may be one %s", async (title, externalUserId) => {
    const { userId } = await passwordUser(core, `${title.replace(/\W/g, "")}@example.com`);
    expect(await core.mapUserId({ userId, externalUserId })).toEqual({ status: "OK" });
    expect(await core.findMapping(externalUserId)).toEqual({ userId, externalUserId });
  });

  it.each([
    ["nothing", ""],
    ["129 characters", "x".repeat(129)],
    ["129 characters that are two UTF-16 units each", "🌶".repeat(129)],
    ["a blank at the end", "ida-1 "],
    ["a line feed at the beginning", "\nida-1"],
    ["a NUL", "ida\0-1"],
    ["half a surrogate pair", "ida\ud83c-1"],
  ])("refuses %s", async (_, externalUserId) => {
    const { userId } = await passwordUser(core, "ida@example.com");
    await expect(core.mapUserId({ userId, externalUserId })).rejects.toMatchObject({
      kind: "refused",
      message: expect.stringContaining("externalUserId"),
    });
    expect(await core.findMapping(userId)).toBeNull();
  });
});
