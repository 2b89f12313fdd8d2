/** The core contract of contacts that aren't in their one form, or are none. */

import { describe, expect } from "vitest";
import { KNOWN_HASHES } from "../../support/known-hashes.js";
import { newEmail, newPhone, type Scene } from "./scene.js";

const REFUSED = { name: "CoreFailure", kind: "refused", reached: "yes" };
const { passwordHash } = KNOWN_HASHES.bcrypt;

export function describeContacts(scene: Scene): void {
  const { passwordless, needing } = scene;

  describe("contacts", () => {
    needing("normalizedContacts")("are one in capitals and between blanks", async () => {
      const email = newEmail("valentin");
      const { user } = await passwordless({ email: `  ${email.toUpperCase()}\t` });
      expect(user.email).toBe(email);
      expect((await passwordless({ email })).user.userId).toBe(user.userId);
    });

    needing("normalizedContacts")("of a password are one in capitals, too", async () => {
      const email = newEmail("vito");
      const first = await scene.core.importUser({ email, passwordHash });
      const again = await scene.core.importUser({ email: email.toUpperCase(), passwordHash });
      expect(again).toMatchObject({ didUserAlreadyExist: true, user: { email } });
      expect(again.user.userId).toBe(first.user.userId);
    });

    needing("normalizedContacts")("are one phone number with blanks and brackets", async () => {
      const phoneNumber = newPhone();
      const written = phoneNumber.replace(/^\+1(\d{3})(\d{3})/, "+1 ($1) $2-");
      const { user } = await passwordless({ phoneNumber: written });
      expect(user.phoneNumber).toBe(phoneNumber);
      expect((await passwordless({ phoneNumber })).user.userId).toBe(user.userId);
    });

    needing("strictContacts")(
      "are one in both spellings of a domain, and of an accent",
      async () => {
        const [name, domain] = newEmail("v\u00e9ra").split("@");
        const written = `${name}@b\u00fccher.${domain}`;
        const encoded = `${name?.normalize("NFD")}@xn--bcher-kva.${domain}`;
        const first = await scene.core.importUser({ email: encoded, passwordHash });
        expect(first.user.email).toBe(written);
        const again = await scene.core.importUser({ email: written, passwordHash });
        expect(again).toMatchObject({ didUserAlreadyExist: true });
        for (const email of [written, encoded]) {
          const found = await scene.core.findUsers({ email });
          expect(found.map(({ userId }) => userId)).toEqual([first.user.userId]);
        }
      },
    );

    for (const [what, email] of [
      ["no address at all", "valeria"],
      ["an address that becomes another one in small letters", `\u212a${newEmail("v")}`],
      ["nothing", ""],
      ["an address with a blank inside", `val eria.${newEmail("v")}`],
      ["two addresses", `${newEmail("v")},${newEmail("w")}`],
    ] as const) {
      needing("strictContacts")(`are refused that are ${what}`, async () => {
        const refused = { ...REFUSED, message: expect.stringContaining("email") };
        await expect(scene.core.createCode({ email })).rejects.toMatchObject(refused);
        const hashed = scene.core.importUser({ email, passwordHash });
        await expect(hashed).rejects.toMatchObject(refused);
      });
    }

    for (const [what, phoneNumber] of [
      ["without a leading +", "4155552671"],
      ["too short", "+1555"],
      ["letters", "+hello"],
    ] as const) {
      needing("strictContacts")(`are refused that are phone numbers: ${what}`, async () => {
        const refused = { ...REFUSED, message: expect.stringContaining("phoneNumber") };
        await expect(scene.core.createCode({ phoneNumber })).rejects.toMatchObject(refused);
        const { userId } = (await passwordless({ email: newEmail("vroni") })).user;
        const update = scene.core.updateUser({ userId, phoneNumber });
        await expect(update).rejects.toMatchObject(refused);
      });
    }
  });
}
