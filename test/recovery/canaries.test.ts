import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startHttp } from "../support/canned-server.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { newAviary } from "./canaries/canary.js";
import { type EchoingCore, startEchoingCore, type Way } from "./canaries/echoing-core.js";
import { makeExports } from "./canaries/exports.js";
import { mistakesWith } from "./canaries/mistakes.js";
import { askEverything } from "./canaries/requests.js";
import { openScene, type Scene } from "./canaries/scene.js";
import { tried } from "../support/repeated.js";

const path = temporaryPaths();
const aviary = newAviary();
const EXPORTS = makeExports(aviary);
const { apiKey, signerKey } = EXPORTS;
const WITH_KEY = { env: { AUTH_MIGRATE_API_KEY: apiKey } };
const HERE = ["--data", "core.db"];
const SCRYPT = ["firebase.json", "--hash-config", "hash-config.txt"];
const AUTH0 = ["auth0.ndjson", "--password-export", "auth0-passwords.ndjson"];

function newScene(): Scene {
  const folder = path("work");
  mkdirSync(folder);
  return openScene(folder, aviary, EXPORTS);
}

describe("the search", () => {
  it("finds a piece of a canary in any encoding, and nothing where there is none", () => {
    const { email, phone, bcrypt } = EXPORTS.proved[0];
    const bytes = Buffer.from(`x${email}`);
    for (const text of [
      ...[email.toUpperCase(), encodeURIComponent(email), JSON.stringify({ email })],
      ...[bytes.toString("base64"), bytes.toString("hex"), bytes.toString("base64url")],
      ...[`(${phone.slice(2, 5)}) ${phone.slice(5, 8)}-${phone.slice(8)}`, bcrypt.slice(-12)],
      Buffer.from(signerKey, "base64").toString("latin1"),
    ]) {
      expect(aviary.found(Buffer.from(`a b ${text} c d`, "latin1"))).not.toEqual([]);
    }
    expect(aviary.found(readFileSync(new URL("../../README.md", import.meta.url)))).toEqual([]);
    expect(aviary.size).toBeGreaterThan(300);
  });
});

describe.concurrent("no secret and no contact comes out, but where it belongs,", () => {
  it.each([
    ["a table", ["users.csv"]],
    ["Firebase's JSON", SCRYPT],
    ["Auth0's lines and its passwords", AUTH0],
    ["a Keycloak realm", ["realm.json"]],
  ])("of %s, looked at and imported here", async (_what, args) => {
    const scene = newScene();
    await scene.run(["validate", ...args, "--on-lost-factor", "reject"]);
    await scene.run(["import", ...args, ...HERE, "--json"]);
    await scene.expectSilence();
  });

  it("of an import that ends with refusals of every kind, told as text, and of the next ones", async () => {
    const scene = newScene();
    expect((await scene.run(["import", "no-header.csv", ...HERE])).code).toBe(66);
    const mendable = ["--rejects-out", "mendable.csv"];
    const first = await scene.run(["import", "users.csv", ...HERE, "--keep-ids", ...mendable]);
    expect(aviary.found(readFileSync(join(scene.folder, "mendable.csv")))).not.toEqual([]);
    for (const code of ["duplicate_contact", "email_several", "contact_unverified", "disabled"]) {
      expect(first.stdout).toContain(code);
    }
    const again = await scene.run(["import", "changed.csv", ...HERE, "--json"]);
    for (const code of ["email_changed", "gone_since_last_export"]) {
      expect(again.stdout).toContain(code);
    }
    await scene.run(["status", "--json"]);
    for (const format of ["text", "json", "markdown", "html", "csv", "junit", "prometheus"]) {
      await scene.run(["report", "--format", format, "--with-ids"]);
    }
    await scene.run(["report", "--id-map"]);
    await scene.run(["undo", "--dry-run", ...HERE]);
    await scene.run(["reconcile", "changed.csv", ...HERE]);
    await scene.run(["import", "users.csv", ...HERE, "--expect-users", "1", "--quiet"]);
    await scene.expectSilence();
  });

  it("of a run that is killed, and one that goes on elsewhere or with a broken checkpoint", async () => {
    const scene = newScene();
    let called = (): void => {};
    const calls = new Promise<void>((resolve) => {
      called = resolve;
    });
    const silent = await startHttp((request, response, body) => {
      const isPreflight = request.method === "GET" || body === "{}";
      if (isPreflight) response.writeHead(request.method === "GET" ? 404 : 400).end();
      else called();
    });
    const args = ["import", ...AUTH0, "--assume-empty", "--yes", "--dialect", "interface"];
    const run = scene.start([...args, "--core", silent.url], WITH_KEY);
    await calls;
    expectSilentArguments(run.pid);
    run.kill("SIGKILL");
    await run.ended;
    await scene.expectSilence();
    expect(scene.made()).toContain("auth-migrate.checkpoint-wal");
    const elsewhere = [...args, "--core", `${silent.url}/elsewhere`];
    expect((await scene.run(elsewhere, WITH_KEY)).code).toBe(66);
    await silent.close();
    const checkpoint = join(scene.folder, "auth-migrate.checkpoint");
    writeFileSync(checkpoint, readFileSync(checkpoint).fill("?", 60, 2000));
    expect((await scene.run(["import", "users.csv", ...HERE])).code).not.toBe(0);
    await scene.expectSilence();
  });

  it("of a run on a full disk", async () => {
    const scene = newScene();
    const limits = { limits: ["-f 120"] };
    expect((await scene.run(["import", "users.csv", ...HERE, "--json"], limits)).code).toBe(74);
    await scene.expectSilence();
  });

  const bugs: readonly [string, string, RegExp][] = [
    [
      "where nobody catches it",
      "setImmediate(() => { throw error }); return ''",
      /unexpected Error/,
    ],
    ["where it is caught", "", /An unexpected Error/],
  ];
  it.each(tried(bugs, 1))(
    "of a bug whose message holds what it was about, %s",
    async (_where, elsewhere, says) => {
      const scene = newScene();
      // As a library may fail, with what it was given in its message.
      const bug = `const whole = String.prototype.normalize;
      String.prototype.normalize = function (form) {
        const error = new Error("can't do\\n    at " + this);
        if (!this.includes("kehlchen")) return whole.call(this, form);
        ${elsewhere}
        throw error;
      }`;
      const preload = `--import=data:text/javascript,${encodeURIComponent(bug)}`;
      const { code, stderr } = await scene.run(["import", "users.csv", ...HERE, "--json"], {
        env: { NODE_OPTIONS: preload },
      });
      expect([code, stderr]).toEqual([1, expect.stringMatching(says)]);
      await scene.expectSilence();
    },
  );

  it("of raw hashes, where they are refused", async () => {
    const scene = newScene();
    const stdin = EXPORTS.files["raw-hashes.txt"] ?? "";
    const { code, stdout } = await scene.run(["hash", "--json"], { stdin });
    expect(code).toBe(0);
    expect(stdout).not.toContain('"accepted"');
    await scene.expectSilence();
  });

  it("of proofs that fail", async () => {
    const scene = newScene();
    const wrong = ["--passwords", "wrong-passwords.csv", "--prehash-salt-file", "pepper.txt"];
    expect((await scene.run(["prove", "users.csv", ...wrong, "--json"])).code).toBe(78);
    await scene.run(["prove", "users.csv", "--passwords", "broken-passwords.csv"]);
    await scene.run(["prove", ...SCRYPT, "--passwords", "scrypt-passwords.csv"]);
    await scene.expectSilence();
  });

  it("of requests to a served core, good ones and broken ones", async () => {
    const scene = newScene();
    const args = ["serve", "--port", "0", "--json", ...HERE];
    const server = scene.start([...args, "--hash-config", "hash-config.txt"], WITH_KEY);
    const { url }: { url: string } = JSON.parse(await server.firstLine());
    const refusals = await askEverything(url, apiKey, EXPORTS.proved[0]);
    expectSilentArguments(server.pid);
    server.kill("SIGTERM");
    expect((await server.ended).code).toBe(0);
    expect(refusals.length).toBeGreaterThan(10);
    expect(refusals.flatMap((text) => aviary.found(text))).toEqual([]);
    await scene.expectSilence();
  });
});

describe.concurrent("no secret and no contact comes out where the core", () => {
  let core: EchoingCore;
  beforeAll(async () => {
    core = await startEchoingCore();
  });
  afterAll(() => core.close());

  const runAt = (scene: Scene, way: Way, ...more: string[]) =>
    scene.run(
      [
        ...["import", "many.csv", "--core", core.url(way), "--yes"],
        ...["--checkpoint", "progress", ...more],
      ],
      { ...WITH_KEY, isHurried: true },
    );

  it("refuses everybody and repeats what it was sent", async () => {
    const scene = newScene();
    const { stdout } = await runAt(scene, "refusals", "--json");
    for (const words of ["no account for [removed]", "the domain [removed] is blocked"]) {
      expect(stdout).toContain(words);
    }
    // The words go on where they ended, so that all of them are met.
    expect((await runAt(scene, "refusals", "--assume-empty", "--json")).code).toBe(65);
    expect((await runAt(scene, "refusals", "--assume-empty")).code).toBe(65);
    await scene.expectSilence();
  });

  const ways: readonly [string, Way, number][] = [
    ["refuses the key and shows it", "key", 77],
    ["has something switched off", "disabled", 69],
    ["has a full disk", "disk", 74],
    ["lacks a signer key", "signer", 78],
    ["redirects to a place that names the user", "redirect", 69],
    ["is a page that shows the form again", "page", 69],
    ["answers about another user, in what it was sent", "others", 69],
    // These are waited for.
    ["is busy and says for whom", "busy", 75],
    ["fails in every way", "failures", 75],
  ];
  it.each(tried(ways, 7))("%s", async (_what, way, exitCode) => {
    const scene = newScene();
    expect((await runAt(scene, way, "--assume-empty", "--json")).code).toBe(exitCode);
    await scene.expectSilence();
  });

  it("takes everybody and calls them by their contacts", async () => {
    const scene = newScene();
    expect((await runAt(scene, "ids")).code).toBe(0);
    const again = ["reconcile", "many.csv", "--core", core.url("ids"), "--checkpoint", "progress"];
    expect((await scene.run([...again, "--json"], WITH_KEY)).stdout).toContain("contact_missing");
    await scene.expectSilence();
  });

  it("takes the users of a proof and repeats the password at the sign-in", async () => {
    const scene = newScene();
    const args = ["prove", "users.csv", "--passwords", "passwords.csv", "--assume-empty", "--yes"];
    const { stdout } = await scene.run([...args, "--core", core.url("ids"), "--json"], WITH_KEY);
    expect(stdout).toContain("[removed] may not have [removed]");
    await scene.run([...args, "--core", core.url("refusals"), "--checkpoint", "b"], WITH_KEY);
    await scene.expectSilence();
  });
});

describe.concurrent("no secret and no contact comes out by", () => {
  it.each(Object.entries(mistakesWith(EXPORTS)))(
    "%s",
    async (_what, { args, exitCode, files = {}, options }) => {
      const scene = newScene();
      for (const [name, content] of Object.entries(files)) scene.write(name, content);
      const { code, stderr } = await scene.run([...args, "--json"], options);
      expect([code, stderr]).toEqual([exitCode, expect.stringContaining("auth-migrate: ")]);
      await scene.expectSilence();
    },
  );
});

/** What everybody on the machine can read of a process and of those that it has started. */
function expectSilentArguments(pid: number): void {
  if (process.platform !== "linux") return;
  const known = new Set([String(pid)]);
  for (const one of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const parent =
      / \d+ \(.*\) \S (\d+) /.exec(` ${readOrNothing(`/proc/${one}/stat`)}`)?.[1] ?? "";
    if (known.has(parent)) known.add(one);
  }
  const seen = [...known].map((one) => readOrNothing(`/proc/${one}/cmdline`));
  expect(seen[0]).toContain("auth-migrate");
  expect(seen.flatMap((text) => aviary.found(text))).toEqual([]);
}

/** A process may have ended meanwhile. */
function readOrNothing(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}
