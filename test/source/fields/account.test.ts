import { describe, expect, test } from "vitest";
import { ANN, FILLED, JOINED, NOTHING, NOW, SECRET, USUAL, vendorNamed } from "./filled-users.js";
import { readPlanted, VENDORS } from "./planted-users.js";

/** The parts of one user's account. */
async function partsOf(name: string, fields: Readonly<Record<string, unknown>>) {
  const vendor = vendorNamed(name);
  const options = { now: NOW, keepsAccount: "all" } as const;
  const { users } = await readPlanted(vendor, [vendor.userWith(fields)], options);
  const [user] = users;
  if (typeof user !== "object" || user.account === undefined) throw new Error(`no parts: ${user}`);
  return user.account();
}

describe("a user's account", () => {
  test.each(FILLED)(
    "with everything of %s's filled has these parts",
    async (name, fields, parts) => {
      const read = await partsOf(name, fields);
      expect(read).toEqual({ ...NOTHING, ...parts });
      expect(JSON.stringify(read)).not.toContain("t0k3n");
    },
  );

  test.each(VENDORS.map(({ name }) => [name] as const))(
    "of %s's has neither session tokens nor reset or recovery codes",
    async (name) => {
      const { tree } = vendorNamed(name);
      const means = /token|backup|recovery/i;
      const own = tree.places.nodes.flatMap(({ path, fate }) =>
        fate !== null && fate.kind !== "part" && means.test(path) ? [path] : [],
      );
      const planted = [...own, "session_token", "reset_code", "recovery_codes"];
      const isTable = vendorNamed(name).isTable === true;
      for (const path of planted) {
        if (isTable && path.includes("[]")) continue;
        const read = await partsOf(name, { [path]: "t0k3n" }).catch(() => NOTHING);
        expect(JSON.stringify(read), path).not.toContain("t0k3n");
      }
    },
  );

  test.each([
    ["a day to come", "2031-01-01T00:00:00Z"],
    ["no day at all", "yesterday"],
    ["a day that may be one of April or of March", "03/04/2020"],
    ["a spreadsheet's number of days", "45292"],
    ["a day without signs between its parts", 20240102],
  ])("that joined on %s is told, and has no such day", async (_what, created_at) => {
    expect(await partsOf("auth0", { created_at })).toEqual({ ...NOTHING, unreadable: ["joined"] });
  });

  test("that marks a factor which isn't there, or is another one, loses it", async () => {
    const losesFactor = true;
    expect(await partsOf("clerk", { totp_enabled: true })).toMatchObject({ losesFactor });
    expect(await partsOf("clerk", { totp_secret: SECRET, backup_codes: ["one"] })).toMatchObject({
      losesFactor,
      totp: [USUAL],
    });
    expect(await partsOf("auth0", { multifactor: ["guardian"] })).toMatchObject({ losesFactor });
    expect(await partsOf("clerk", { totp_enabled: false })).toMatchObject({ losesFactor: false });
    const factor = { id: "f-1", factor_type: "totp", status: "verified" };
    expect(await partsOf("supabase", { factors: [factor] })).toMatchObject({ losesFactor });
    const begun = { ...factor, status: "unverified" };
    expect(await partsOf("supabase", { factors: [begun] })).toMatchObject({ losesFactor: false });
    const address = `otpauth://totp/Acme:ann?secret=${SECRET}&period=60&digits=8&algorithm=SHA256`;
    expect(await partsOf("clerk", { totp_secret: address })).toMatchObject({
      totp: [{ ...USUAL, period: 60, digits: 8, algorithm: "SHA256" }],
    });
    const twice = `${address}&secret=${SECRET}`;
    expect(await partsOf("clerk", { totp_secret: twice })).toMatchObject({ losesFactor, totp: [] });
    const counting = address.replace("totp/", "hotp/");
    expect(await partsOf("clerk", { totp_secret: counting })).toMatchObject({ losesFactor });
    expect(await partsOf("clerk", { totp_secret: "no base32!" })).toMatchObject({
      losesFactor,
      unreadable: ["totp"],
      totp: [],
    });
  });

  test("in a table has its objects and dates as texts", async () => {
    expect(
      await partsOf("okta's tables", {
        "Created Date": "2023-09-01T10:00:00.000Z",
        "First name": "Ann",
        "Last name": "Blum",
      }),
    ).toMatchObject({ joined: JOINED, metadata: ANN });
  });

  test("isn't there where the reading wasn't asked to keep it", async () => {
    const vendor = vendorNamed("auth0");
    const { users } = await readPlanted(vendor, [vendor.userWith({ name: "Ann" })]);
    expect(users).not.toMatchObject([{ account: expect.anything() }]);
  });
});
