import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CannedServer, startHttp } from "../support/canned-server.js";
import { runCli, type ServedCore, serveHere } from "../support/cli.js";
import { type InterfaceStub, startInterfaceStub } from "../support/interface-stub.js";
import {
  callCore,
  expectFailure,
  HASH_CONFIG,
  IMPORT_DEMO,
  PROBLEMS,
  summaryOf,
  titled,
  workFolders,
  writeInto,
} from "./support.js";

const workFolder = workFolders();
const KEY = "the-core-takes-this-key-0001";
const ENV = { AUTH_MIGRATE_API_KEY: KEY };

describe.concurrent("a remote core that can't be used", () => {
  it("is not reachable: 69, before a checkpoint is bound to it", async () => {
    const cwd = workFolder();
    const closed = await startHttp((_request, response) => void response.end());
    await closed.close();
    const args = [...IMPORT_DEMO, "--core", closed.url];
    await expectFailure(
      args,
      { cwd, env: ENV },
      {
        exitCode: 69,
        code: "core_unreachable",
        says: /^The core can't be reached \(ECONNREFUSED\)/,
        next: /--core.*same command again/,
      },
    );
    // The typing error is mended: the same checkpoint goes with the right address.
    const core = await serveHere({ cwd: workFolder(), apiKey: KEY });
    const { code } = await runCli(["import", PROBLEMS, "--core", core.url], { cwd, env: ENV });
    expect(code).toBe(65);
    await core.stop();
  });

  it.each(
    titled([
      { title: "answers with a web page", status: 200 },
      { title: "answers everything with a 404 page", status: 404 },
      { title: "redirects to a sign-in page", status: 302 },
    ]),
  )("%s: 69, and what to look at", async (_title, { status }) => {
    const site = await startHttp((_request, response) => {
      response.writeHead(status, { "content-type": "text/html", location: "/login" });
      response.end("<!doctype html><title>Welcome to the shop</title>");
    });
    const args = [...IMPORT_DEMO, "--core", site.url];
    await expectFailure(
      args,
      { cwd: workFolder(), env: ENV },
      {
        exitCode: 69,
        code: "core_incompatible",
        says: /^Something answers that isn't a core/,
        next: /base URL given by --core/,
      },
    );
    expect(site.requests).toHaveLength(1);
    await site.close();
  });

  it.each(
    titled([
      { title: "no URL", url: "core.example.com", says: /not an http: or https: URL/ },
      {
        title: "a key in the URL",
        url: "https://me:key@core.example.com",
        says: /user name or password/,
      },
      { title: "http: to another machine", url: "http://core.example.com", says: /in the clear/ },
    ]),
  )("%s: 78, and nothing is sent", async (_title, { url, says }) => {
    const args = [...IMPORT_DEMO, "--core", url];
    await expectFailure(
      args,
      { cwd: workFolder(), env: ENV },
      {
        exitCode: 78,
        code: "config_invalid",
        says,
        next: /https:|--api-key-file/,
      },
    );
  });

  it("may be asked over http: on a network that the operator vouches for", async () => {
    // A name that never resolves (RFC 2606): nobody answers, but it is tried.
    const args = [...IMPORT_DEMO, "--core", "http://core.example.invalid", "--allow-insecure"];
    await expectFailure(
      args,
      { cwd: workFolder(), env: ENV },
      {
        exitCode: 69,
        code: "core_unreachable",
        says: /can't be reached/,
        next: /--core/,
      },
    );
  });
});

describe.concurrent("the key of a remote core", () => {
  let core: ServedCore;
  beforeAll(async () => {
    core = await serveHere({
      cwd: workFolder(),
      apiKey: KEY,
      args: ["--hash-config", HASH_CONFIG],
    });
  });
  afterAll(() => core.stop());

  const refused = {
    exitCode: 77,
    code: "key_refused",
    says: /^The core refuses the key \(HTTP 401\)/,
    next: /--api-key-file or AUTH_MIGRATE_API_KEY/,
  };

  it("missing: 77, and how to give it", async () => {
    const args = [...IMPORT_DEMO, "--core", core.url];
    await expectFailure(args, { cwd: workFolder() }, refused);
  });

  it("wrong: 77, and nobody was imported", async () => {
    const cwd = workFolder();
    const keyFile = writeInto(cwd, "core.key", "an-old-key-0001\n");
    const args = [...IMPORT_DEMO, "--core", core.url, "--api-key-file", keyFile];
    await expectFailure(args, { cwd, env: ENV }, refused);
    expect(await callCore(core, "/users/count")).toMatchObject({ count: 0 });
  });

  it.each(
    titled([
      { title: "in an empty file", content: "\n", says: /core\.key: the file is empty/ },
      {
        title: "in a file that isn't there",
        content: null,
        says: /^--api-key-file: there is no such file/,
      },
      { title: "on two lines", content: "one-key\ntwo-keys\n", says: /no HTTP header takes/ },
    ]),
  )("%s: 78", async (_title, { content, says }) => {
    const cwd = workFolder();
    if (content !== null) writeInto(cwd, "core.key", content);
    const args = [...IMPORT_DEMO, "--core", core.url, "--api-key-file", "core.key"];
    await expectFailure(
      args,
      { cwd },
      {
        exitCode: 78,
        code: "config_invalid",
        says,
        next: /key|--api-key-file/,
      },
    );
  });

  it("from a file wins over the one from the environment", async () => {
    const cwd = workFolder();
    const keyFile = writeInto(cwd, "core.key", `${KEY}\n`);
    const { code } = await runCli(
      ["import", PROBLEMS, "--core", core.url, "--api-key-file", keyFile],
      { cwd, env: { AUTH_MIGRATE_API_KEY: "an-old-key-0001" } },
    );
    expect(code).toBe(65);
  });
});

describe("a core with interface.md's four endpoints and no look-ups", () => {
  let stub: InterfaceStub;
  beforeAll(async () => {
    stub = await startInterfaceStub({ apiKey: KEY });
  });
  afterAll(() => stub.close());

  it("ends the run with 69 before the first user, naming both ways on", async () => {
    const args = [...IMPORT_DEMO, "--core", stub.url];
    await expectFailure(
      args,
      { cwd: workFolder(), env: ENV },
      {
        exitCode: 69,
        code: "core_without_lookups",
        says: /offers no look-ups/,
        next: /--assume-empty.*--on-existing update/,
      },
    );
    expect(stub.users).toEqual([]);
  });

  it("takes everybody under --assume-empty", async () => {
    const args = [...IMPORT_DEMO, "--core", stub.url, "--assume-empty", "--json"];
    const { code, stdout, stderr } = await runCli(args, { cwd: workFolder(), env: ENV });
    expect(code, stderr).toBe(0);
    expect(summaryOf(stdout)).toMatchObject({
      imported: 180,
      created: 60,
      calls: { code: 60, consume: 60, update: 20, import: 180, lookup: 0, map: 0 },
    });
    expect(stub.users).toHaveLength(240);
    expect(stub.users.filter(({ email, phoneNumber }) => email && phoneNumber)).toHaveLength(20);
  });

  it("ends the run with 65 under --assume-empty when somebody is there after all", async () => {
    const args = [...IMPORT_DEMO, "--core", stub.url, "--assume-empty"];
    await expectFailure(
      args,
      { cwd: workFolder(), env: ENV },
      {
        exitCode: 65,
        code: "user_exists",
        says: /users\.csv, row \d+/,
        next: /--assume-empty|--on-existing/,
      },
    );
    expect(stub.users).toHaveLength(240);
  });
});

describe("a core that loses its way during the run", () => {
  let site: CannedServer;
  afterAll(() => site.close());

  it("refuses everybody for one reason: 69 after a hundred, not a reject each", async () => {
    site = await startHttp((request, response, body) => {
      const lookup = request.method === "GET";
      const probe = body === "{}";
      response.writeHead(lookup ? 200 : 400, { "content-type": "application/json" });
      const message = probe ? "email is missing" : "writes are disabled in this region";
      response.end(JSON.stringify(lookup ? { status: "OK", users: [] } : { message }));
    });
    const args = [...IMPORT_DEMO, "--core", site.url, "--quiet"];
    const { code, stderr } = await runCli(args, { cwd: workFolder(), env: ENV });
    expect(code).toBe(69);
    expect(stderr).toMatch(/a hundred users in a row.*writes are disabled in this region/);
  });
});

describe.concurrent("serve", () => {
  it("on a port in use: 69, and what to do about it", async () => {
    const first = await startHttp((_request, response) => void response.end());
    const { port } = new URL(first.url);
    await expectFailure(
      ["serve", "--port", port],
      { cwd: workFolder(), env: ENV },
      {
        exitCode: 69,
        code: "port_unusable",
        says: new RegExp(`127\\.0\\.0\\.1:${port} \\(EADDRINUSE\\)`),
        next: /port/,
      },
    );
    await first.close();
  });

  it("without a key and without a terminal: 78, and how to give one", async () => {
    await expectFailure(
      ["serve", "--port", "0"],
      { cwd: workFolder() },
      {
        exitCode: 78,
        code: "config_invalid",
        says: /needs an API key/,
        next: /--api-key-file.*AUTH_MIGRATE_API_KEY/,
      },
    );
  });

  it("ends with 0 when it is told to stop, and folds its data file", async () => {
    const cwd = workFolder();
    const core = await serveHere({ cwd });
    expect(await callCore(core, "/users/count")).toEqual({ status: "OK", count: 0 });
    const { code, stderr } = await core.stop();
    expect(code).toBe(0);
    expect(stderr).toMatch(/^Stopping/);
    expect(readdirSync(cwd)).toEqual(["auth-core.db"]);
  });
});
