/** The core contract of user metadata: one object for each user, merged by its top-level fields. */

import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { newEmail, newExternalId, type Scene } from "./scene.js";

export function describeMetadata(scene: Scene): void {
  const { needing, passwordless } = scene;
  const update = (userId: string, metadataUpdate: Record<string, unknown>) =>
    scene.core.part("updateMetadata", { userId, metadataUpdate });
  const read = async (userId: string) =>
    (await scene.core.part("getMetadata", { userId })).metadata;

  describe("user metadata", () => {
    needing("metadata")("is empty before it is written", async () => {
      expect(await read(randomUUID())).toEqual({});
    });

    needing("metadata")("is kept as it came, whatever JSON it holds", async () => {
      const { userId } = (await passwordless({ email: newEmail("clara") })).user;
      const written = {
        given_name: "Clara Ōno",
        address: { street: 'Main "St"', lines: [1, null, true] },
        quote: "it's 100 % \\ \u2028 ok",
        empty: {},
      };
      expect(await update(userId, written)).toEqual({ status: "OK", metadata: written });
      expect(await read(userId)).toEqual(written);
    });

    needing("metadata")(
      "is merged by its top-level fields, of which null removes one",
      async () => {
        const userId = randomUUID();
        await update(userId, { plan: { name: "gold", since: 2020 }, locale: "pt", legacy: 1 });
        await update(userId, { plan: { name: "silver" }, legacy: null, picture: "p.png" });
        expect(await read(userId)).toEqual({
          plan: { name: "silver" },
          locale: "pt",
          picture: "p.png",
        });
      },
    );

    needing("metadata")("keeps every field of updates that come at once", async () => {
      const userId = randomUUID();
      const fields = Array.from({ length: 12 }, (_, index) => `field-${index}`);
      await Promise.all(fields.map((field) => update(userId, { [field]: field })));
      expect(Object.keys(await read(userId)).sort()).toEqual(fields.sort());
    });

    needing("metadata")("can be removed, also where there is none", async () => {
      const userId = randomUUID();
      await update(userId, { plan: "gold" });
      for (const _ of [1, 2]) {
        expect(await scene.core.part("removeMetadata", { userId })).toEqual({ status: "OK" });
      }
      expect(await read(userId)).toEqual({});
    });

    needing("metadata")("is no object's own unless it is an object", async () => {
      const request = { userId: randomUUID(), metadataUpdate: ["gold"] as never };
      await expect(scene.core.part("updateMetadata", request)).rejects.toMatchObject({
        kind: "refused",
        status: 400,
      });
    });

    needing(
      "metadata",
      "removal",
      "mapping",
    )("goes with its user, under either id", async () => {
      const { userId } = (await passwordless({ email: newEmail("carlo") })).user;
      const externalUserId = newExternalId("carlo");
      await scene.core.mapUserId({ userId, externalUserId });
      await update(externalUserId, { plan: "gold" });
      await scene.core.removeUser(userId);
      expect(await read(externalUserId)).toEqual({});
    });

    needing("metadata", "mapping")(
      "of a user's own id is in the way of an external one",
      async () => {
        const { userId } = (await passwordless({ email: newEmail("cora") })).user;
        await update(userId, { plan: "gold" });
        await expect(
          scene.core.mapUserId({ userId, externalUserId: newExternalId("cora") }),
        ).rejects.toMatchObject({
          kind: "refused",
          status: 400,
          message: expect.stringContaining("UserId is already in use in UserMetadata recipe"),
        });
      },
    );

    it.runIf(scene.lacks.metadata !== undefined)(
      "isn't offered, and the core says so",
      async () => {
        await expect(read(randomUUID())).rejects.toMatchObject({ kind: "not_offered" });
      },
    );
  });
}
