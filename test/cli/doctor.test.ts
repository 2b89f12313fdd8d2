import { readdirSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { runCli } from "../support/cli.js";
import { startSuperTokensStub } from "../support/supertokens-stub.js";
import { SIGNER_KEY } from "../support/known-hashes.js";
import { IMPORT_DEMO, jsonLines, workFolders } from "./support.js";

const KEY = "a-core-in-a-bug-report-0001";
const WRONG = "another-key-in-a-bug-report-01";
const workFolder = workFolders();
const stub = await startSuperTokensStub({ apiKey: KEY, signerKey: SIGNER_KEY });
afterAll(() => stub.close());

async function doctor(args: readonly string[], key = KEY, cwd = workFolder()) {
  const env = { AUTH_MIGRATE_API_KEY: key };
  const { code, stdout } = await runCli(["doctor", ...args, "--json"], { cwd, env });
  expect(stdout).not.toContain(key);
  return { code, line: jsonLines(stdout).at(-1), cwd };
}

describe.concurrent("doctor", () => {
  it("says what a core offers and what reading can't show, by reads alone", async () => {
    const calls = stub.calls.length;
    const { code, line, cwd } = await doctor(["--core", stub.url]);
    expect(code).toBe(0);
    expect(line).toMatchObject({
      type: "doctor",
      node: process.version,
      core: { kind: "remote", url: stub.url, dialect: "supertokens" },
      interfaceVersions: expect.arrayContaining([expect.stringMatching(/^\d+\.\d+$/)]),
      exitCode: 0,
    });
    const { checks } = Object(line);
    expect(checks).toContainEqual(expect.objectContaining({ name: "core", state: "ok" }));
    expect(checks).toContainEqual(
      expect.objectContaining({ name: "signer_key", state: "unknown" }),
    );
    expect(new Set(stub.calls.slice(calls).map(({ method }) => method))).toEqual(new Set(["GET"]));
    expect(readdirSync(cwd)).toEqual([]);
  });

  it("ends with 77 where the key is refused, and shows no key", async () => {
    const { code, line } = await doctor(["--core", stub.url], WRONG);
    expect(code).toBe(77);
    expect(Object(line).checks).toContainEqual(
      expect.objectContaining({ name: "core", state: "failed", code: "key_refused" }),
    );
  });

  it("ends with 69 where nothing answers, and names the next step for people", async () => {
    const args = ["doctor", "--core", "http://127.0.0.1:9"];
    const { code, stdout } = await runCli(args, { cwd: workFolder() });
    expect(code).toBe(69);
    expect(stdout).toMatch(/core +FAILED/);
    expect(stdout).toContain("Check the URL given by --core");
  });

  it("looks at an embedded core, and makes none where there is none", async () => {
    const { code, cwd, line } = await doctor(["--data", "core.db"]);
    expect([code, line?.code]).toEqual([66, "data_unusable"]);
    expect(readdirSync(cwd)).toEqual([]);
    await runCli([...IMPORT_DEMO, "--data", "core.db"], { cwd });
    const there = await doctor(["--data", "core.db"], KEY, cwd);
    expect(there.code).toBe(0);
    expect(there.line).toMatchObject({ core: { kind: "embedded", file: "core.db" } });
  });

  it("reads no file where the call itself is wrong", async () => {
    const { code, line } = await doctor(["--data=", "--core-config", "gone.yaml"]);
    expect([code, line?.code]).toEqual([2, "usage"]);
  });
});
