import { describe, expect, it, onTestFinished } from "vitest";
import { connectUpstream, type Upstream } from "../../../src/bridge/upstream/ask.js";
import { type UpstreamName, UPSTREAMS } from "../../../src/hash/legacy/kept-password.js";
import { startHttp, startHttps } from "../../support/canned-server.js";
import { startConnectProxy } from "../../support/connect-proxy.js";
import { AUTHORITY, type CertificateName, certificate } from "../../core/http/certificates.js";
import { CLIENT, type Standing, startVendor } from "./stand-ins.js";

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

async function ask(upstream: Upstream, isKnown: boolean) {
  const vendor = connectUpstream(upstream);
  try {
    return await vendor.ask(USER, isKnown);
  } finally {
    await vendor.close();
  }
}

async function said(vendor: UpstreamName, standing: Standing, isKnown: boolean) {
  const { upstream, calls, close } = await startVendor(vendor, (email, password) =>
    email === USER.email && password === USER.password ? standing : "misconfigured",
  );
  try {
    return await ask(upstream, isKnown);
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
    expect(await said(vendor, standing, true)).toBe(expected[standing] ?? "outage");
  });

  it("says of an unknown user what it says of a wrong password", async () => {
    expect(await said(vendor, "unknown", false)).toBe("wrong");
  });

  it("is unclear where the vendor is away", async () => {
    const { upstream, close } = await startVendor(vendor, () => "right");
    await close();
    const unclear = expect.objectContaining({ code: "outage" });
    await expect(ask(upstream, true)).rejects.toEqual(unclear);
  });
});

it.each([
  ["keycloak", 500, { error: "invalid_grant", error_description: "Invalid user credentials" }],
  ["auth0", 503, { error: "unauthorized" }],
  ["okta", 502, { errorCode: "E0000004" }],
  ["cognito", 500, { __type: "UserNotFoundException" }],
  ["keycloak", 429, { error: "invalid_grant" }],
] as const)("%s that answers %i says nothing of the password", async (vendor, status, words) => {
  const { url, close } = await startHttp((_, response) => {
    response.writeHead(status).end(JSON.stringify(words));
  });
  onTestFinished(close);
  const unclear = expect.objectContaining({ code: "outage" });
  const upstream = { vendor, url, client: CLIENT, secret: null };
  await expect(ask(upstream, true)).rejects.toEqual(unclear);
});

describe("a vendor behind TLS", () => {
  const name = { vendor: "okta", client: CLIENT, secret: null } as const;

  async function vendorBehindTls(how: CertificateName) {
    const server = await startHttps(certificate(how), (_, response) => {
      response.end(JSON.stringify({ status: "SUCCESS", sessionToken: "t" }));
    });
    onTestFinished(() => server.close());
    return server;
  }

  it("is trusted by the authority that is named beside Node's own, and not without", async () => {
    const { url } = await vendorBehindTls("localhost");
    expect(await ask({ ...name, url, ca: AUTHORITY }, true)).toBe("right");
    const unclear = expect.objectContaining({ code: "outage" });
    await expect(ask({ ...name, url }, true)).rejects.toEqual(unclear);
  });

  it("is asked through the proxy that the environment names", async () => {
    const target = await vendorBehindTls("other-name");
    const proxy = await startConnectProxy({ target: target.url });
    const url = "https://auth.example.com";
    const env = { HTTPS_PROXY: `http://${proxy.host}` };
    expect(await ask({ ...name, url, ca: AUTHORITY, env }, true)).toBe("right");
    expect(proxy.asked).toEqual(["auth.example.com:443"]);
  });

  it("is followed to no other place", async () => {
    const { url, requests, close } = await startHttp((_, response) => {
      response.writeHead(307, { location: "/elsewhere" }).end();
    });
    const unclear = expect.objectContaining({ code: "outage" });
    await expect(ask({ ...name, url }, true)).rejects.toEqual(unclear);
    expect(requests).toHaveLength(1);
    await close();
  });
});
