import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { certificate } from "../core/http/certificates.js";
import { handOn, startHttps } from "../support/canned-server.js";
import { runCli, runProcess, serveHere } from "../support/cli.js";
import { startConnectProxy } from "../support/connect-proxy.js";
import { expectFailure, summaryOf, workFolders, writeInto } from "./support.js";

const workFolder = workFolders();
const KEY = "on-the-way-to-a-core-0001";
const AUTHORITY = fileURLToPath(
  new URL("../core/http/fixtures/tls/authority.pem", import.meta.url),
);
const ROWS = "email\nann@example.com\n";

/** A core behind TLS, whose certificate is for core.example.com, and one that is for this machine. */
async function coreBehindTls(name: "other-name" | "localhost"): Promise<string> {
  const core = await serveHere({ cwd: workFolder(), apiKey: KEY });
  onTestFinished(async () => void (await core.stop()));
  const front = await startHttps(certificate(name), (request, response, body) =>
    handOn(core.url + request.url, request, body, response),
  );
  onTestFinished(() => front.close());
  return front.url;
}

function exported(env: Readonly<Record<string, string>> = {}) {
  const cwd = workFolder();
  writeInto(cwd, "users.csv", ROWS);
  return { cwd, env: { AUTH_MIGRATE_API_KEY: KEY, ...env } };
}

const importInto = (url: string, ...words: string[]): string[] => [
  ...["import", "users.csv", "--yes", "--core", url, ...words],
];

describe("the way to a remote core", () => {
  it("leads through the proxy of HTTPS_PROXY, whose password no output shows", async () => {
    const target = await coreBehindTls("other-name");
    const proxy = await startConnectProxy({ target, login: "nadia:s3kret" });
    const options = exported({ HTTPS_PROXY: `http://nadia:s3kret@${proxy.host}` });
    const args = importInto("https://core.example.com", "--ca-file", AUTHORITY, "--json");
    const { code, stdout, stderr } = await runCli(args, options);
    expect({ code, created: summaryOf(stdout).created }).toEqual({ code: 0, created: 1 });
    expect(new Set(proxy.asked)).toEqual(new Set(["core.example.com:443"]));
    expect(stdout + stderr).not.toMatch(/nadia|s3kret/);
  });

  it("leads through a proxy at https: that NODE_EXTRA_CA_CERTS lets Node.js trust", async () => {
    const target = await coreBehindTls("other-name");
    const front = certificate("localhost");
    const login = "nadia:s3kret";
    const proxy = await startConnectProxy({ target, certificate: front, login });
    const env = {
      HTTPS_PROXY: `https://${login}@${proxy.host.replace("127.0.0.1", "localhost")}`,
      NODE_EXTRA_CA_CERTS: AUTHORITY,
    };
    const args = importInto("https://core.example.com", "--ca-file", AUTHORITY, "--json");
    const { code, stdout, stderr } = await runProcess(args, exported(env));
    expect({ code, created: summaryOf(stdout).created }).toEqual({ code: 0, created: 1 });
    expect(new Set(proxy.asked)).toEqual(new Set(["core.example.com:443"]));
    expect(stdout + stderr).not.toMatch(/nadia|s3kret/);
  });

  it("needs --ca-file for a certificate of an authority of one's own: 69 without it", async () => {
    const url = await coreBehindTls("localhost");
    await expectFailure(importInto(url), exported(), {
      code: "core_unreachable",
      says: /signed by an authority that this machine doesn't trust/,
      next: /--ca-file.*Then run the same command again\.$/,
    });
    expect(await runCli(importInto(url, "--ca-file", AUTHORITY), exported())).toMatchObject({
      code: 0,
    });
  });

  it("may be an address of IPv6", async ({ skip }) => {
    const probe = createServer();
    const hasIpv6 = await new Promise<boolean>((resolve) => {
      probe.once("error", () => resolve(false));
      probe.listen(0, "::1", () => resolve(true));
    });
    probe.close();
    if (!hasIpv6) return skip("this machine has no IPv6");
    const core = await serveHere({ cwd: workFolder(), apiKey: KEY, args: ["--host", "::1"] });
    onTestFinished(async () => void (await core.stop()));
    expect(core.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    const { code, stdout } = await runCli(importInto(core.url, "--json"), exported());
    expect({ code, core: summaryOf(stdout).core }).toMatchObject({
      code: 0,
      core: { url: core.url },
    });
  });
});
