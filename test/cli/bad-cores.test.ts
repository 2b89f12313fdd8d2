import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startHttp } from "../support/canned-server.js";
import { runCli, type ServedCore, serveHere } from "../support/cli.js";
import {
  callCore,
  expectFailure,
  HASH_CONFIG,
  IMPORT_DEMO,
  PROBLEMS,
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

  it("answers with a web page: 69, and what to look at", async () => {
    const site = await startHttp((_request, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<!doctype html><title>Welcome to the shop</title>");
    });
    const args = [...IMPORT_DEMO, "--core", site.url];
    await expectFailure(
      args,
      { cwd: workFolder(), env: ENV },
      {
        code: "core_incompatible",
        says: /^Something answers that isn't a core/,
        next: /base URL given by --core/,
      },
    );
    expect(site.requests).toHaveLength(1);
    await site.close();
  });

  it("may be asked over http: on a network that the operator vouches for", async () => {
    // A name that never resolves (RFC 2606): nobody answers, but it is tried.
    const args = [...IMPORT_DEMO, "--core", "http://core.example.invalid", "--allow-insecure"];
    await expectFailure(
      args,
      { cwd: workFolder(), env: ENV },
      { code: "core_unreachable", says: /can't be reached/, next: /--core/ },
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
    code: "key_refused",
    says: /^The core refuses the key (?:in \S+ )?\(HTTP 401\): the API key is missing or wrong\.?$/m,
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
    await expectFailure(
      args,
      { cwd, env: ENV },
      { ...refused, says: /key in \S*core\.key \(HTTP/ },
    );
    writeInto(cwd, "core.key", "wrong\n");
    await expectFailure(args, { cwd, env: ENV }, refused);
    expect(await callCore(core, "/users/count")).toMatchObject({ count: 0 });
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
