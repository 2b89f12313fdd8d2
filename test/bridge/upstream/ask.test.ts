import { describe, expect, it } from "vitest";
import { askUpstream } from "../../../src/bridge/upstream/ask.js";
import { type UpstreamName, UPSTREAMS } from "../../../src/hash/legacy/kept-password.js";
import { type Standing, startVendor } from "./stand-ins.js";

const USER = { email: "ann@example.com", password: "correct horse & battery" };

/** What is said of a user of the vault: null where it isn't known. */
const SAID: Readonly<Record<Standing, "right" | "factor" | "wrong" | null>> = {
  right: "right",
  wrong: "wrong",
  unknown: "wrong",
  factor: "factor",
  locked: null,
  disabled: "wrong",
  limited: null,
  misconfigured: null,
};

/** Keycloak answers an unknown user and one who is locked out alike, and a missing factor as a wrong password. */
const KEYCLOAK: typeof SAID = { ...SAID, unknown: null, factor: "wrong" };

async function said(vendor: UpstreamName, standing: Standing, isKnown: boolean) {
  const { upstream, calls, close } = await startVendor(vendor, (email, password) =>
    email === USER.email && password === USER.password ? standing : "misconfigured",
  );
  try {
    return await askUpstream(upstream, USER, isKnown);
  } catch (error) {
    const { code, message, hint } = error as { code: string; message: string; hint: string };
    expect(`${message} ${hint}`).not.toMatch(/ann|horse|secret-of/);
    return code;
  } finally {
    expect(calls).toEqual([USER.email]);
    await close();
  }
}

describe.each(UPSTREAMS)("the sign-in call of %s", (vendor) => {
  const expected = vendor === "keycloak" ? KEYCLOAK : SAID;
  const standings = Object.keys(SAID) as Standing[];

  it.each(standings)("is understood where the user is %s", async (standing) => {
    expect(await said(vendor, standing, true)).toBe(expected[standing] ?? "upstream_unclear");
  });

  it("says of an unknown user what it says of a wrong password", async () => {
    expect(await said(vendor, "unknown", false)).toBe("wrong");
  });

  it("is unclear where the vendor is away", async () => {
    const { upstream, close } = await startVendor(vendor, () => "right");
    await close();
    const unclear = expect.objectContaining({ code: "upstream_unclear" });
    await expect(askUpstream(upstream, USER, true)).rejects.toEqual(unclear);
  });
});
