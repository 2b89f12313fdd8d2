import { afterAll, describe, expect, it } from "vitest";
import { openEmbeddedCore } from "../../../src/core/embedded/embedded-core.js";
import { temporaryPaths } from "../../support/temporary-folder.js";
import { passwordlessUser, passwordUser } from "./people.js";

const path = temporaryPaths();

describe("a mapped user id", () => {
  const core = openEmbeddedCore({ file: path("core.db") });
  afterAll(() => core.close());

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
