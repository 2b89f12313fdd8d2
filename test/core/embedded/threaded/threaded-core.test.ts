import { execFile } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import type { Core } from "../../../../src/core/core.js";
import {
  type EmbeddedCoreOptions,
  openEmbeddedCore,
} from "../../../../src/core/embedded/embedded-core.js";
import { openThreadedCore } from "../../../../src/core/embedded/threaded/threaded-core.js";
import { ROOT } from "../../../laws/source-files.js";
import { KNOWN_HASHES, SIGNER_KEY } from "../../../support/known-hashes.js";
import { temporaryPaths } from "../../../support/temporary-folder.js";

const path = temporaryPaths();
const run = promisify(execFile);
const { password, passwordHash } = KNOWN_HASHES.bcrypt;
const { password: _scryptPassword, ...scrypt } = KNOWN_HASHES.vendor_scrypt;
const email = "ana@example.com";

async function errorOf(work: () => unknown): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error("it didn't fail");
}

/** All that a caller decides by. */
function contentOf(error: unknown): unknown {
  if (!(error instanceof Error)) throw new Error("not an error");
  const { cause: _stays, ...content } = { ...error, cause: null };
  return { ...content, type: error.constructor, message: error.message };
}

/** Each with a call that fails. */
const FAILING: Readonly<Record<string, (core: Core) => Promise<unknown>>> = {
  "no email": (core) => core.importUser({ email: "ana", passwordHash }),
  "a hash that was cut off": (core) =>
    core.importUser({ email, passwordHash: passwordHash.slice(0, 40) }),
  "a vendor's hash without its key": (core) => core.importUser({ email, ...scrypt }),
  "no phone number": (core) => core.createCode({ phoneNumber: "0049 30 1" }),
  "no link code": (core) => core.consumeCode({ preAuthSessionId: "abc", linkCode: "!" }),
  "an update that leaves no contact": (core) =>
    core.updateUser({ userId: "nobody", email: null, phoneNumber: null }),
  "a page that is too long": (core) => core.listUsers({ limit: 501 }),
  "a page of nowhere": (core) => core.listUsers({ paginationToken: "nowhere" }),
  "an external id that is empty": (core) => core.mapUserId({ userId: "ana", externalUserId: "" }),
};

/** Each with options that nothing can be opened with. */
const UNUSABLE: Readonly<Record<string, () => EmbeddedCoreOptions>> = {
  "a data file that is gone": () => ({ file: path("gone.db"), mustExist: true }),
  "a folder that isn't there": () => ({ file: join(path("nowhere"), "core.db") }),
  "a signer key that was cut off": () => ({
    file: path("core.db"),
    signerKey: SIGNER_KEY.slice(0, 40),
  }),
  "a file that isn't SQLite": () => {
    const file = path("notes.txt");
    writeFileSync(file, "Shopping list: bread, butter, a very long cucumber.\n".repeat(40));
    return { file };
  },
};

describe("an embedded core on a thread of its own", () => {
  it.each(Object.entries(FAILING))("fails as in this thread: %s", async (_what, call) => {
    const [threaded, here] = [
      await openThreadedCore({ file: path("threaded.db") }),
      openEmbeddedCore({ file: path("here.db") }),
    ];
    const failures = [await errorOf(() => call(threaded)), await errorOf(() => call(here))];
    expect(contentOf(failures[0])).toEqual(contentOf(failures[1]));
    await Promise.all([threaded.close(), here.close()]);
  });

  it.each(Object.entries(UNUSABLE))("doesn't open: %s", async (_what, make) => {
    const options = make();
    const failures = [
      await errorOf(() => openThreadedCore(options)),
      await errorOf(() => openEmbeddedCore(options)),
    ];
    expect(contentOf(failures[0])).toEqual(contentOf(failures[1]));
  });

  it("tells whoever signs in when to come back where too many wait", async () => {
    const options = { verificationThreads: 1, verificationQueue: 0 };
    const core = await openThreadedCore({ file: path("core.db"), ...options });
    await core.importUser({ email, passwordHash });
    const settled = await Promise.allSettled([
      core.signIn({ email, password }),
      core.signIn({ email, password }),
    ]);
    expect(settled.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const rejected = settled.find(({ status }) => status === "rejected");
    expect(rejected).toMatchObject({
      reason: { kind: "busy", reached: "no", status: 503, retryAfterMs: expect.any(Number) },
    });
    await core.close();
  });

  it("does the calls of one turn in their order", async () => {
    const core = await openThreadedCore({ file: path("core.db") });
    const other = passwordHash.replace("$2a$04$", "$2a$05$");
    const imported = await Promise.all([
      core.importUser({ email, passwordHash: other }),
      core.importUser({ email, passwordHash }),
    ]);
    expect(imported.map(({ didUserAlreadyExist }) => didUserAlreadyExist)).toEqual([false, true]);
    expect(imported[1]?.user).toEqual(imported[0]?.user);
    expect(await core.signIn({ email, password })).toMatchObject({ status: "OK" });
    const { preAuthSessionId, linkCode } = await core.createCode({ email });
    const claim = { preAuthSessionId, linkCode };
    const consumed = await Promise.all([core.consumeCode(claim), core.consumeCode(claim)]);
    expect(consumed.map(({ status }) => status)).toEqual(["OK", "RESTART_FLOW_ERROR"]);
    await core.close();
  });

  it("answers what is in flight before it has closed, and nothing after that", async () => {
    const file = path("core.db");
    const core = await openThreadedCore({ file });
    const events: string[] = [];
    const emails = Array.from({ length: 100 }, (_, index) => `reader.${index}@example.com`);
    const imports = emails.map(async (address) => {
      const { status } = await core.importUser({ email: address, passwordHash });
      events.push(status);
    });
    await Promise.all([...imports, core.close().then(() => events.push("closed"))]);
    expect(events).toEqual([...emails.map(() => "OK"), "closed"]);
    expect(existsSync(`${file}-wal`)).toBe(false);
    await expect(core.countUsers()).rejects.toMatchObject({ name: "CoreFailure", reached: "no" });
    await core.close();
    const again = openEmbeddedCore({ file, mustExist: true });
    expect(again.coreId).toBe(core.coreId);
    expect(await again.countUsers()).toBe(emails.length);
    await again.close();
  });
});

/** Runs a script with an open core on the built library, and answers what it printed. */
async function runScript(body: string): Promise<string> {
  const module = `file://${ROOT}dist/core/embedded/threaded/threaded-core.js`;
  const script = `
    import { openThreadedCore } from ${JSON.stringify(module)};
    const { password, passwordHash } = ${JSON.stringify(KNOWN_HASHES.bcrypt)};
    const core = await openThreadedCore({ file: ${JSON.stringify(path("core.db"))} });
    const email = "ana@example.com";
    await core.importUser({ email, passwordHash });
    ${body}`;
  const args = ["--input-type=module", "-e", script];
  const { stdout, stderr } = await run(process.execPath, args, { timeout: 50_000 });
  expect(stderr).toBe("");
  return stdout;
}

describe("a process with a core on a thread", () => {
  it("isn't kept alive by it, also when it was never closed", async () => {
    expect(await runScript('console.log("done");')).toBe("done\n");
  });

  it("lives until its calls are answered", async () => {
    const body = "void core.signIn({ email, password }).then(({ status }) => console.log(status));";
    expect(await runScript(body)).toBe("OK\n");
  });

  it("just exits in the middle of calls", async () => {
    const body = `
      for (let count = 0; count < 100; count += 1) {
        void core.importUser({ email: count + email, passwordHash });
      }
      setImmediate(() => process.exit(0));`;
    expect(await runScript(body)).toBe("");
  });

  it("ends by a signal as if it had none", async () => {
    const body = `
      setInterval(() => {}, 1000);
      process.kill(process.pid, "SIGTERM");`;
    await expect(runScript(body)).rejects.toMatchObject({ signal: "SIGTERM" });
  });
});
