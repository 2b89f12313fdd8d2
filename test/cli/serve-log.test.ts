import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startCli } from "../support/cli.js";
import { KNOWN_HASHES, SIGNER_KEY } from "../support/known-hashes.js";
import { callCore, workFolders } from "./support.js";

const workFolder = workFolders();
const KEY = "canary-key-of-the-core-0001";

interface Line {
  readonly time: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
}

function linesOf(text: string): Line[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

async function serve(cwd: string, accessLog: string) {
  const args = ["serve", "--json", "--port", "0", "--access-log", accessLog];
  const env = { AUTH_MIGRATE_API_KEY: KEY, VENDOR_PASSWORD_HASHING_SIGNER_KEY: SIGNER_KEY };
  const cli = startCli(args, { cwd, env });
  const { url }: { url: string } = JSON.parse(await cli.firstLine());
  const stop = (): typeof cli.ended => {
    cli.kill("SIGTERM");
    return cli.ended;
  };
  return { ...cli, url, apiKey: KEY, stop };
}

/** Sends bytes that no HTTP client would, and waits for the end of the answer. */
function sendRaw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let answer = "";
    connect(Number(port), hostname)
      .setEncoding("utf8")
      .on("data", (chunk) => {
        answer += chunk;
      })
      .on("error", reject)
      .on("close", () => resolve(answer))
      .end(text);
  });
}

describe("the access log of serve", () => {
  it("and all other output hold nothing of what was called, but the endpoint and how it ended", async () => {
    const cwd = workFolder();
    const core = await serve(cwd, "access.log");
    const [email, phoneNumber] = ["canary.ada@example.com", "+14155550123"];
    const hash = KNOWN_HASHES.bcrypt.passwordHash;
    const ids = { userId: randomUUID(), externalUserId: "canary-external-0001" };
    const code = await callCore(core, "/recipe/signinup/code", { email });
    const consumed = await callCore(core, "/recipe/signinup/code/consume", {
      preAuthSessionId: String(code.preAuthSessionId),
      linkCode: String(code.linkCode),
    });
    expect(consumed).toMatchObject({ status: "OK" });
    await callCore(core, "/recipe/signinup/code", { phoneNumber });
    await callCore(core, "/recipe/user/passwordhash/import", { email, passwordHash: hash });
    await callCore(core, "/recipe/user/passwordhash/import", {
      email,
      passwordHash: "canary-hash",
    });
    await callCore(core, "/recipe/signin", { email, password: "canary-password" });
    await callCore(core, "/recipe/userid/map", {
      superTokensUserId: ids.userId,
      externalUserId: ids.externalUserId,
    });
    const query = `email=${encodeURIComponent(email)}&phoneNumber=${encodeURIComponent(phoneNumber)}`;
    for (const target of [
      `/user/id?userId=${ids.userId}`,
      `/users/by-accountinfo?${query}`,
      `/users/${email}`,
      `/canary-tenant/users/count`,
      `/users/count?apiKey=${KEY}`,
      `//${email}@canary-host/users`,
    ]) {
      await callCore(core, target);
    }
    await callCore({ ...core, apiKey: "canary-wrong-key" }, "/users/count");
    await sendRaw(
      core.url,
      `GET /canary-path HTTP/1.1\r\nHost: canary-host\r\ncanary header\r\n\r\n`,
    );
    await sendRaw(core.url, `CANARY /users HTTP/1.1\r\nHost: canary-host\r\n\r\n`);
    const { code: exitCode, stdout, stderr } = await core.stop();
    expect(exitCode).toBe(0);

    const log = readFileSync(join(cwd, "access.log"), "utf8");
    const lines = linesOf(log);
    expect(lines.length).toBeGreaterThanOrEqual(14);
    for (const line of lines) {
      expect(Object.keys(line)).toEqual(["time", "method", "path", "status", "ms"]);
      expect(new Date(line.time).toISOString()).toBe(line.time);
      expect(line.ms).toBeGreaterThanOrEqual(0);
    }
    expect(lines.map(({ method, path, status }) => `${method} ${path} ${status}`)).toEqual(
      expect.arrayContaining([
        "POST /recipe/signinup/code 200",
        "POST /recipe/signinup/code/consume 200",
        "POST /recipe/user/passwordhash/import 400",
        "GET (unknown) 404",
        "GET /users/count 401",
      ]),
    );
    const secrets = [
      ...[email, phoneNumber, hash, KEY, SIGNER_KEY, "canary", "4155550123", "127.0.0.1"],
      ...[ids.userId, String(code.linkCode), String(code.preAuthSessionId), String(code.deviceId)],
      ...[
        String(code.userInputCode),
        /"userId":"([^"]+)"/.exec(JSON.stringify(consumed))?.[1] ?? "-",
      ],
    ];
    const printed = stdout.replace(core.url, "");
    for (const secret of secrets) {
      expect(log.includes(secret)).toBe(false);
      expect((printed + stderr).includes(secret)).toBe(false);
    }
  });

  it("begins a new file at SIGHUP", async () => {
    const cwd = workFolder();
    const core = await serve(cwd, "access.log");
    await callCore(core, "/users/count");
    renameSync(join(cwd, "access.log"), join(cwd, "access.log.1"));
    core.kill("SIGHUP");
    await expect.poll(() => existsSync(join(cwd, "access.log"))).toBe(true);
    await callCore(core, "/users");
    expect((await core.stop()).code).toBe(0);
    const paths = (name: string): string[] =>
      linesOf(readFileSync(join(cwd, name), "utf8")).map(({ path }) => path);
    expect([paths("access.log.1"), paths("access.log")]).toEqual([["/users/count"], ["/users"]]);
    expect(readdirSync(cwd).sort()).toEqual(["access.log", "access.log.1", "auth-core.db"]);
  });

  it("goes to the error stream by -, and stdout stays the result's", async () => {
    const core = await serve(workFolder(), "-");
    await callCore(core, "/users/count");
    const { stdout, stderr } = await core.stop();
    expect(stdout.trimEnd().split("\n")).toHaveLength(1);
    expect(linesOf(stderr.replace(/^Stopping.*\n/m, ""))).toMatchObject([{ path: "/users/count" }]);
  });

  it.runIf(existsSync("/dev/full"))("on a full disk stops no call, and says so once", async () => {
    const core = await serve(workFolder(), "/dev/full");
    await callCore(core, "/users/count");
    await core.says("ENOSPC");
    for (let call = 0; call < 3; call += 1) {
      expect(await callCore(core, "/users/count")).toMatchObject({ status: "OK" });
    }
    const { code, stderr } = await core.stop();
    expect(code).toBe(0);
    expect(stderr.match(/can't be written/g)).toHaveLength(1);
  });
});
