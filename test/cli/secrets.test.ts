import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CannedServer, startHttp } from "../support/canned-server.js";
import { type CliResult, runCli } from "../support/cli.js";
import { HASH_CONFIG, summaryOf, titled, workFolders, writeInto } from "./support.js";

const workFolder = workFolders();

// What must never come out again. Short enough pieces that a cut-off one is found, too.
const API_KEY = "kestrel-nest-7731-key";
const EMAILS = ["kestrel.nest@example.com", "wren.hollow@example.com", "heron.reed@example.test"];
const PHONES = ["+15550177331", "+15550177332"];
const HASH = "$2b$08$5cJcD0R/udapVVQNIDCPtOI1FgB2uu1gvDEJRPHT7mWvbkoPXP/Iq";
const PBKDF2 =
  "pbkdf2_sha256$600000$a2VzdHJlbG5lc3Q$S2VzdHJlbE5lc3RIYXNoT2ZBUGFzc3dvcmQ3NzMxMTIzNDU=";
const PLAIN_PASSWORD = "kestrel-nest-in-clear-7731";
const SIGNER_KEY = /base64_signer_key: (\S+),/.exec(readFileSync(HASH_CONFIG, "utf8"))?.[1] ?? "";
const PIECES = [
  API_KEY,
  ...EMAILS.map((email) => email.split("@")[0] ?? ""),
  ...PHONES.map((phone) => phone.slice(-7)),
  HASH.slice(8, 28),
  HASH.slice(-20),
  "a2VzdHJlbG5lc3Q",
  "S2VzdHJlbE5lc3",
  PLAIN_PASSWORD,
  SIGNER_KEY.slice(0, 20),
];

const EXPORT = `id,email,email_verified,phone,phone_verified,password_hash
1,${EMAILS[0]},true,,,${HASH}
2,${EMAILS[1]},true,,,${HASH.slice(0, 50)}
3,${EMAILS[1]},true,,,${PBKDF2}
4,${EMAILS[1]},true,,,secret:${HASH}
5,${EMAILS[0]?.toUpperCase()},true,,,${HASH}
1,${EMAILS[1]},true,,,${HASH}
7,,,${PHONES[0]},true,${HASH}
8,${EMAILS[1]?.replace("@", " at ")},true,,,${HASH}
${EMAILS[2]},${EMAILS[2]},false,,,
${PHONES[1]},,,${PHONES[1]},false,
11,${EMAILS[1]},"${HASH}
12,${EMAILS[1]},true,,,${PLAIN_PASSWORD}
13,,,${PHONES[0]?.replace("+", "")},true,
14,${EMAILS[2]},true,${PHONES[1]},true,
15,${EMAILS[1]},true,,,${HASH}
`;
const REJECTED = 12;

function expectNothingLeaked(text: string, where: string): void {
  for (const piece of PIECES) {
    // The name of a test that fails must not leak either.
    expect(
      text.toLowerCase().includes(piece.toLowerCase()),
      `piece ${PIECES.indexOf(piece)} ${where}`,
    ).toBe(false);
  }
}

function expectSilence({ stdout, stderr }: CliResult): void {
  expectNothingLeaked(stdout, "on stdout");
  expectNothingLeaked(stderr, "on stderr");
}

describe.concurrent("no hash, key, code or contact comes out of", () => {
  /** Repeats in its refusals everything that it was sent, as no core should. */
  let echo: CannedServer;
  beforeAll(async () => {
    echo = await startHttp((request, response, body) => {
      const lookup = request.method === "GET";
      response.writeHead(lookup ? 200 : 400, { "content-type": "application/json" });
      const said = `cannot take ${body} with ${request.headers["api-key"]}`;
      response.end(JSON.stringify(lookup ? { status: "OK", users: [] } : { message: said }));
    });
  });
  afterAll(() => echo.close());

  const runs = [
    { title: "an import for people", args: [] },
    { title: "an import as JSON", args: ["--json"] },
    { title: "a dry run", args: ["--dry-run"] },
    { title: "an import that expects other users", args: ["--expect-users", "1", "--json"] },
  ];
  it.each(titled(runs))("%s", async (_title, { args }) => {
    const cwd = workFolder();
    writeInto(cwd, "users.csv", EXPORT);
    const result = await runCli(["import", "users.csv", "--hash-config", HASH_CONFIG, ...args], {
      cwd,
      env: { AUTH_MIGRATE_API_KEY: API_KEY },
    });
    expect(result.code).toBe(65);
    expectSilence(result);
  });

  it("the checkpoint, whatever became of a user", async () => {
    const cwd = workFolder();
    writeInto(cwd, "users.csv", EXPORT);
    const { stdout } = await runCli(["import", "users.csv", "--json"], { cwd });
    expect(summaryOf(stdout)).toMatchObject({ read: 15, rejected: REJECTED });
    const names = readdirSync(cwd).filter((name) => name.startsWith("auth-migrate.checkpoint"));
    expect(names).not.toEqual([]);
    for (const name of names) {
      expectNothingLeaked(readFileSync(join(cwd, name), "latin1"), `in ${name}`);
    }
  });

  it("a core's refusals that repeat what they refuse", async () => {
    const cwd = workFolder();
    writeInto(cwd, "users.csv", EXPORT);
    const keyFile = writeInto(cwd, "core.key", API_KEY);
    const args = ["import", "users.csv", "--core", echo.url, "--api-key-file", keyFile];
    for (const voice of [[], ["--json", "--checkpoint", "second.checkpoint"]]) {
      const result = await runCli([...args, ...voice], { cwd });
      expect(result.code).toBe(65);
      expect(result.stdout).toContain("core_refused");
      expectSilence(result);
    }
    for (const name of readdirSync(cwd).filter((file) => file.includes("checkpoint"))) {
      expectNothingLeaked(readFileSync(join(cwd, name), "latin1"), `in ${name}`);
    }
  });

  it("an export without a header, whose first row is a user's data", async () => {
    const cwd = workFolder();
    writeInto(cwd, "users.csv", `${EMAILS[0]},${PHONES[0]},${HASH}\n${EMAILS[1]},,${HASH}\n`);
    const result = await runCli(["import", "users.csv", "--from", "csv", "--json"], { cwd });
    expect(result.code).toBe(66);
    expectSilence(result);
  });

  it("a refused key", async () => {
    const guard = await startHttp((request, response) => {
      response.writeHead(401);
      response.end(`Invalid API key ${request.headers["api-key"]}\n`);
    });
    const cwd = workFolder();
    writeInto(cwd, "users.csv", EXPORT);
    const result = await runCli(["import", "users.csv", "--core", guard.url, "--json"], {
      cwd,
      env: { AUTH_MIGRATE_API_KEY: API_KEY },
    });
    await guard.close();
    expect(result.code).toBe(77);
    expectSilence(result);
  });
});
