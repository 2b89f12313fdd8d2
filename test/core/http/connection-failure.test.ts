import { describe, expect, it, onTestFinished } from "vitest";
import type { CoreFailure } from "../../../src/core/core-failure.js";
import { connectCore } from "../../../src/core/http/client.js";
import { connectionFailure } from "../../../src/core/http/connection-failure.js";
import { startHttp, startHttps, startRaw } from "../../support/canned-server.js";
import { AUTHORITY, type CertificateName, certificate } from "./certificates.js";

/** What became of one call. */
function countAt(url: string, ca?: string): Promise<number | CoreFailure> {
  const core = connectCore({
    url,
    apiKey: null,
    connections: 2,
    timeoutMs: 5000,
    ...(ca === undefined ? {} : { ca }),
  });
  onTestFinished(() => core.close());
  return core.countUsers().catch((error: CoreFailure) => error);
}

async function coreWith(name: CertificateName): Promise<string> {
  const server = await startHttps(certificate(name), (_, response) => {
    response.end('{"status":"OK","count":3}');
  });
  onTestFinished(() => server.close());
  return server.url;
}

describe("a core behind TLS", () => {
  it("is asked where an authority that is given by a file signed its certificate", async () => {
    expect(await countAt(await coreWith("localhost"), AUTHORITY)).toBe(3);
  });

  it("is asked where its self-signed certificate is itself what is trusted", async () => {
    const { cert } = certificate("self-signed");
    expect(await countAt(await coreWith("self-signed"), cert)).toBe(3);
  });

  it.each([
    {
      name: "self-signed" as const,
      ca: undefined,
      code: "DEPTH_ZERO_SELF_SIGNED_CERT",
      says: "its certificate is self-signed",
      helps: /--ca-file/,
    },
    {
      name: "localhost" as const,
      ca: undefined,
      code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
      says: "its certificate is signed by an authority that this machine doesn't trust",
      helps: /--ca-file/,
    },
    {
      name: "other-name" as const,
      ca: AUTHORITY,
      code: "ERR_TLS_CERT_ALTNAME_INVALID",
      says: "its certificate is for core.example.com, auth.example.com, not for 127.0.0.1",
      helps: /a name that the certificate has/,
    },
    {
      name: "expired" as const,
      ca: AUTHORITY,
      code: "CERT_HAS_EXPIRED",
      says: "its certificate has expired",
      helps: /renewed.*clock/,
    },
    {
      name: "early" as const,
      ca: AUTHORITY,
      code: "CERT_NOT_YET_VALID",
      says: "its certificate isn't valid yet",
      helps: /clock/,
    },
  ])("is refused with what helps: $name, $code", async ({ name, ca, code, says, helps }) => {
    const failure = await countAt(await coreWith(name), ca);
    expect(failure).toMatchObject({
      kind: "unreachable",
      reached: "no",
      message: `the core can't be reached (${code}): ${says}`,
      hint: expect.stringMatching(helps),
    });
  });

  it("is none where https: is written to an http: port", async () => {
    const plain = await startHttp((_, response) => response.end('{"status":"OK","count":3}'));
    onTestFinished(() => plain.close());
    expect(await countAt(plain.url.replace("http:", "https:"))).toMatchObject({
      kind: "unreachable",
      reached: "no",
      message: expect.stringMatching(/what answers there speaks no TLS$/),
      hint: expect.stringMatching(/http: port/),
    });
  });

  it("is perhaps meant where http: is written to a port that hangs up", async () => {
    const url = (await coreWith("localhost")).replace("https:", "http:");
    expect(await countAt(url)).toMatchObject({
      kind: "unreachable",
      reached: "unknown",
      hint: expect.stringMatching(/if that port speaks https:, write it in --core/),
    });
  });

  it.each([
    "Client sent an HTTP request to an HTTPS server.\n",
    "This combination of host and port requires TLS.\n",
    "The plain HTTP request was sent to HTTPS port\n",
  ])("is meant where a port says to http: what it wants instead", async (text) => {
    const server = await startHttp((_, response) => response.writeHead(400).end(text));
    onTestFinished(() => server.close());
    expect(await countAt(server.url)).toMatchObject({
      kind: "incompatible",
      hint: expect.stringMatching(/https:/),
    });
  });

  it("is none where the other side breaks off before TLS begins", async () => {
    const server = await startRaw((socket) => socket.resetAndDestroy());
    onTestFinished(() => server.close());
    const failure = await countAt(server.url.replace("http:", "https:"));
    expect(failure).toMatchObject({ kind: "unreachable", hint: undefined });
  });
});

describe("a core that no connection reaches", () => {
  const ORIGIN = "https://core.example.com:3567";
  const failed = (code: string, cert?: object): CoreFailure =>
    connectionFailure(Object.assign(new Error(code), { code, cert }), {
      origin: ORIGIN,
      proxy: null,
    });

  it.each([
    ["ENOTFOUND", "no address is known for core.example.com", /DNS.*HTTPS_PROXY/],
    ["EAI_AGAIN", "the name server doesn't answer for core.example.com", /DNS.*HTTPS_PROXY/],
    ["ENETUNREACH", "no way leads there from this network", /VPN/],
    ["EHOSTUNREACH", "no way leads there from this network", /firewalls/],
    ["UND_ERR_CONNECT_TIMEOUT", "nothing answers there, nor refuses", /port of --core/],
    [
      "SELF_SIGNED_CERT_IN_CHAIN",
      "its certificate is signed by an authority that this machine doesn't trust",
      /--ca-file/,
    ],
    ["ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", "TLS can't be agreed upon", /TLS 1.2/],
  ])("is told by what the system says: %s", (code, says, helps) => {
    expect(failed(code)).toMatchObject({
      reached: "no",
      message: `the core can't be reached (${code}): ${says}`,
      hint: expect.stringMatching(helps),
    });
  });

  it("has the general hint where nothing listens", () => {
    expect(failed("ECONNREFUSED")).toMatchObject({
      message: "the core can't be reached (ECONNREFUSED): nothing listens at core.example.com:3567",
      hint: undefined,
    });
  });

  it("shows of a foreign certificate names alone, and few of them", () => {
    const names = ["a.example", "*.b.example", "<b>evil</b>", "c.example", "d.example"];
    const subjectaltname = `email:ana@example.com, ${names.map((name) => `DNS:${name}`).join(", ")}`;
    expect(failed("ERR_TLS_CERT_ALTNAME_INVALID", { subjectaltname }).message).toMatch(
      /its certificate is for a\.example, \*\.b\.example, c\.example and 1 more, not for core/,
    );
    expect(failed("ERR_TLS_CERT_ALTNAME_INVALID").message).toMatch(/is for another name, not/);
  });
});
