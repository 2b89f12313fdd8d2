import { networkInterfaces } from "node:os";
import { describe, expect, it, onTestFinished } from "vitest";
import type { CoreFailure } from "../../../src/core/core-failure.js";
import { connectCore } from "../../../src/core/http/client.js";
import { proxyFor } from "../../../src/core/http/proxy.js";
import {
  type CannedServer,
  type Handle,
  startHttp,
  startHttps,
} from "../../support/canned-server.js";
import { startConnectProxy } from "../../support/connect-proxy.js";
import { AUTHORITY, type CertificateName, certificate } from "./certificates.js";

/** A name that only the proxy leads anywhere from. */
const CORE = "https://core.example.com:8443";
const LOGIN = "nadia:s3kr@t/9#1";
const WRITTEN_LOGIN = "nadia:s3kr%40t%2F9%231";
const SECRET = /nadia|s3kr/;

async function coreBehindTls(
  name: CertificateName = "other-name",
  host?: string,
): Promise<CannedServer> {
  const count: Handle = (_, response) => void response.end('{"status":"OK","count":3}');
  const server = await startHttps(certificate(name), count, host);
  onTestFinished(() => server.close());
  return server;
}

interface Asked {
  readonly url?: string;
  readonly connections?: number;
  readonly allowInsecure?: boolean;
  readonly ca?: string;
}

/** The counts of some calls at once, or the failure of the first. */
function countWith(env: NodeJS.ProcessEnv, asked: Asked = {}): Promise<number[] | CoreFailure> {
  const core = connectCore({
    ...{ url: CORE, apiKey: null, connections: 1, timeoutMs: 5000, ca: AUTHORITY, env },
    ...asked,
  });
  onTestFinished(() => core.close());
  const { connections = 1 } = asked;
  const calls = Array.from({ length: connections * 2 }, () => core.countUsers());
  return Promise.all(calls).catch((error: CoreFailure) => error);
}

describe("a proxy that the environment names", () => {
  it.each(["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"])(
    "leads to a core behind TLS: %s",
    async (variable) => {
      const target = await coreBehindTls();
      const proxy = await startConnectProxy({ target: target.url });
      expect(await countWith({ [variable]: `http://${proxy.host}` })).toEqual([3, 3]);
      expect(proxy.asked).toEqual(["core.example.com:8443"]);
    },
  );

  it("is given its user name and password, also where they were percent-encoded", async () => {
    const target = await coreBehindTls();
    const proxy = await startConnectProxy({ target: target.url, login: LOGIN });
    const env = { HTTPS_PROXY: `http://${WRITTEN_LOGIN}@${proxy.host}` };
    expect(await countWith(env)).toEqual([3, 3]);
    for (const { headers } of target.requests) {
      expect(headers).not.toHaveProperty("proxy-authorization");
    }
  });

  it("is given a user name that has no password", async () => {
    const target = await coreBehindTls();
    const proxy = await startConnectProxy({ target: target.url, login: "build-agent:" });
    expect(await countWith({ HTTPS_PROXY: `build-agent@${proxy.host}` })).toEqual([3, 3]);
  });

  it("opens one tunnel for each connection, which many calls use", async () => {
    const target = await coreBehindTls();
    const proxy = await startConnectProxy({ target: target.url });
    const counts = await countWith({ HTTPS_PROXY: proxy.host }, { connections: 4 });
    expect(counts).toEqual(Array(8).fill(3));
    expect(proxy.asked).toHaveLength(4);
  });

  it("opens a tunnel to a core without TLS on a private network, too", async () => {
    const target = await startHttp((_, response) => response.end('{"status":"OK","count":5}'));
    onTestFinished(() => target.close());
    const proxy = await startConnectProxy({ target: target.url });
    const url = "http://core.internal.example";
    const env = { HTTP_PROXY: proxy.host };
    expect(await countWith(env, { url, allowInsecure: true })).toEqual([5, 5]);
    expect(proxy.asked).toEqual(["core.internal.example:80"]);
  });

  it("isn't asked for this machine's own addresses", async () => {
    const target = await startHttp((_, response) => response.end('{"status":"OK","count":5}'));
    onTestFinished(() => target.close());
    const proxy = await startConnectProxy({ target: target.url });
    const env = { HTTPS_PROXY: proxy.host, HTTP_PROXY: proxy.host };
    expect(await countWith(env, { url: target.url })).toEqual([5, 5]);
    for (const url of ["http://localhost:1", "http://[::1]:1", "https://127.4.0.1"]) {
      expect(proxyFor(url, env)).toBeNull();
    }
    expect(proxy.asked).toEqual([]);
  });

  it.each(["core.example.invalid", ".example.invalid", "*", "a.example, example.invalid:8443"])(
    "isn't asked for a host that NO_PROXY names, and both variables are told: %s",
    async (noProxy) => {
      const proxy = await startConnectProxy({ target: "http://127.0.0.1:9" });
      const env = { HTTPS_PROXY: proxy.host, NO_PROXY: noProxy };
      const failure = await countWith(env, { url: "https://core.example.invalid:8443" });
      expect(failure).toMatchObject({
        kind: "unreachable",
        reached: "no",
        hint: expect.stringMatching(/HTTPS_PROXY names a proxy, but NO_PROXY names this host\.$/),
      });
      expect(proxy.asked).toEqual([]);
    },
  );
});

const hasIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((each) => each?.address === "::1");

describe.runIf(hasIpv6)("IPv6", () => {
  it("leads to a proxy that listens there alone, and from it to a core that does", async () => {
    const target = await coreBehindTls("other-name", "::1");
    const proxy = await startConnectProxy({ target: target.url, address: "::1", login: LOGIN });
    expect(proxy.host).toMatch(/^\[::1\]:\d+$/);
    const env = { HTTPS_PROXY: `http://${WRITTEN_LOGIN}@${proxy.host}` };
    expect(await countWith(env)).toEqual([3, 3]);
    expect(proxy.asked).toEqual(["core.example.com:8443"]);
  });

  it("leads to a core behind TLS on this machine, straight", async () => {
    const target = await coreBehindTls("localhost", "::1");
    expect(target.url).toMatch(/^https:\/\/\[::1\]:\d+$/);
    expect(await countWith({ HTTPS_PROXY: "127.0.0.1:9" }, { url: target.url })).toEqual([3, 3]);
  });
});

describe("a core that is named by an address of IPv6", () => {
  const ADDRESS = "https://[2001:db8::7]:8443";

  it("is asked of the proxy in brackets, and its certificate holds for that address", async () => {
    const target = await coreBehindTls("ipv6");
    const proxy = await startConnectProxy({ target: target.url });
    const asked = { url: ADDRESS, ca: certificate("ipv6").cert };
    expect(await countWith({ HTTPS_PROXY: proxy.host }, asked)).toEqual([3, 3]);
    expect(proxy.asked).toEqual(["[2001:db8::7]:8443"]);
  });

  it("is refused where the certificate is for other addresses", async () => {
    const target = await coreBehindTls("localhost");
    const proxy = await startConnectProxy({ target: target.url });
    expect(await countWith({ HTTPS_PROXY: proxy.host }, { url: ADDRESS })).toMatchObject({
      reached: "no",
      message: expect.stringMatching(/ALTNAME_INVALID.*for localhost, 127\.0\.0\.1/),
    });
  });

  it("isn't asked of the proxy where NO_PROXY names it", async () => {
    const proxy = await startConnectProxy({ target: "http://127.0.0.1:9" });
    const env = { HTTPS_PROXY: proxy.host, NO_PROXY: "[2001:db8::7]" };
    expect(await countWith(env, { url: ADDRESS })).toMatchObject({ kind: "unreachable" });
    expect(proxy.asked).toEqual([]);
  });
});

describe("a proxy that speaks TLS itself", () => {
  it("is refused where this machine doesn't trust its certificate, whatever --ca-file says", async () => {
    const target = await coreBehindTls();
    const proxy = await startConnectProxy({
      target: target.url,
      certificate: certificate("localhost"),
    });
    const env = {
      HTTPS_PROXY: `https://${WRITTEN_LOGIN}@${proxy.host.replace("127.0.0.1", "localhost")}`,
    };
    const failure = await countWith(env);
    expect(failure).toMatchObject({
      ...{ kind: "unreachable", reached: "no" },
      message: expect.stringMatching(
        /^the proxy of HTTPS_PROXY can't be reached \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)$/,
      ),
      hint: expect.stringMatching(/NODE_EXTRA_CA_CERTS/),
    });
    expect(proxy.asked).toEqual([]);
  });
});

describe("a proxy that leads nowhere", () => {
  it.each([
    [403, /let core\.example\.com:8443 through.*NO_PROXY/],
    [407, /user name and a password.*HTTPS_PROXY/],
    [502, /URL given by --core/],
    [503, /URL given by --core/],
  ])(
    "is named by its variable where it answers %d, and its password isn't",
    async (refusal, helps) => {
      const proxy = await startConnectProxy({ target: CORE, login: LOGIN, refusal });
      const failure = await countWith({ HTTPS_PROXY: `http://${WRITTEN_LOGIN}@${proxy.host}` });
      expect(failure).toMatchObject({
        ...{ kind: "unreachable", reached: "no" },
        message: `the proxy of HTTPS_PROXY opens no way to the core (HTTP ${refusal})`,
        hint: expect.stringMatching(helps),
      });
      expect(proxy.asked).toEqual(["core.example.com:8443"]);
      expect(JSON.stringify({ ...failure, message: String(failure) })).not.toMatch(SECRET);
    },
  );

  it("is named where the password is wrong, for all calls that wait", async () => {
    const proxy = await startConnectProxy({ target: CORE, login: LOGIN });
    const env = { https_proxy: `http://nadia:wrong@${proxy.host}` };
    expect(await countWith(env, { connections: 3 })).toMatchObject({
      message: "the proxy of https_proxy opens no way to the core (HTTP 407)",
    });
  });

  it("is named where it hangs up", async () => {
    const proxy = await startConnectProxy({ target: CORE, refusal: null });
    expect(await countWith({ HTTPS_PROXY: proxy.host })).toMatchObject({
      ...{ kind: "unreachable", reached: "no" },
      message: expect.stringMatching(/^the proxy of HTTPS_PROXY can't be reached \(/),
    });
  });

  it("is named where nothing listens, and where its name has no address", async () => {
    const gone = await startHttp(() => {});
    await gone.close();
    expect(await countWith({ HTTPS_PROXY: gone.url })).toMatchObject({
      ...{ kind: "unreachable", reached: "no" },
      message: "the proxy of HTTPS_PROXY can't be reached (ECONNREFUSED)",
      hint: "Check HTTPS_PROXY, and that the proxy runs. Where the core is reached without it, name core.example.com in NO_PROXY.",
    });
    expect(await countWith({ HTTP_PROXY: "http://nadia:s3kr@proxy.invalid:3128" })).toMatchObject({
      message: expect.stringMatching(
        /^the proxy of HTTP_PROXY can't be reached \((?:ENOTFOUND|EAI_AGAIN)\)$/,
      ),
      hint: expect.not.stringMatching(SECRET),
    });
  });

  it.each([
    ["self-signed" as const, /DEPTH_ZERO_SELF_SIGNED_CERT.*self-signed/, /--ca-file/],
    ["localhost" as const, /ALTNAME_INVALID.*for localhost, 127\.0\.0\.1/, /name that the cert/],
    ["expired" as const, /CERT_HAS_EXPIRED.*expired/, /renewed/],
  ])("isn't blamed for a certificate behind it, but named: %s", async (name, says, helps) => {
    const target = await coreBehindTls(name);
    const proxy = await startConnectProxy({ target: target.url });
    const failure = await countWith({ HTTPS_PROXY: proxy.host });
    expect(failure).toMatchObject({
      reached: "no",
      message: expect.stringMatching(says),
      hint: expect.stringMatching(helps),
    });
    expect(failure).toMatchObject({
      message: expect.stringMatching(/^the core can't be reached through the proxy of HTTPS_PROXY/),
    });
  });
});

describe("a variable that names no proxy", () => {
  it.each([
    ["another protocol", "socks5://proxy.example.com:1080"],
    ["no URL", "http://"],
    ["a password that isn't encoded and cuts the URL off", "http://nadia:1#s3kr@proxy.example.com"],
    ["a password with a slash", "http://nadia:1/s3kr@proxy.example.com"],
    ["a password with a lone percent sign", "http://nadia:s3kr%@proxy.example.com"],
  ])("is refused before anything is sent, without its text: %s", (_, text) => {
    const error = (() => {
      try {
        proxyFor(CORE, { HTTPS_PROXY: text });
      } catch (thrown) {
        return thrown;
      }
      return null;
    })();
    expect(error).toMatchObject({
      code: "config_invalid",
      message: "the variable HTTPS_PROXY holds no http: or https: URL",
      hint: expect.not.stringMatching(SECRET),
    });
  });

  it("doesn't matter where it is for another scheme, empty, or for this machine", () => {
    expect(proxyFor("http://core.example.com", { HTTPS_PROXY: "none" })).toBeNull();
    expect(proxyFor(CORE, { HTTPS_PROXY: " ", http_proxy: "" })).toBeNull();
    expect(proxyFor("http://127.0.0.1:3567", { HTTP_PROXY: "socks5://x" })).toBeNull();
  });
});
