import { execFile } from "node:child_process";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { openEmbeddedCore } from "../../../../src/core/embedded/embedded-core.js";
import { ROOT } from "../../../laws/source-files.js";
import { KNOWN_HASHES } from "../../../support/known-hashes.js";
import { temporaryPaths } from "../../../support/temporary-folder.js";

const path = temporaryPaths();
const run = promisify(execFile);

/** Runs a script with an open core on the built library, and answers what it printed. */
async function runScript(body: string): Promise<string> {
  const script = `
    import { openEmbeddedCore } from ${JSON.stringify(`file://${ROOT}dist/index.js`)};
    const { password, passwordHash } = ${JSON.stringify(KNOWN_HASHES.bcrypt)};
    const core = openEmbeddedCore({ file: ${JSON.stringify(path("core.db"))} });
    const email = "ana@example.com";
    await core.importUser({ email, passwordHash });
    ${body}`;
  const args = ["--input-type=module", "-e", script];
  const { stdout, stderr } = await run(process.execPath, args, { timeout: 50_000 });
  expect(stderr).toBe("");
  return stdout;
}

it("idle threads keep no process alive, also when the core was never closed", async () => {
  const body = `
    for (let count = 0; count < 3; count += 1) {
      console.log((await core.signIn({ email, password })).status);
    }`;
  expect(await runScript(body)).toBe("OK\n".repeat(3));
});

it("a process lives until those who sign in are answered", async () => {
  const body = `
    for (let count = 0; count < 3; count += 1) {
      void core.signIn({ email, password }).then(({ status }) => console.log(status));
    }`;
  expect(await runScript(body)).toBe("OK\n".repeat(3));
});

it("a process that exits in the middle of a verification just exits", async () => {
  const body = `
    await core.importUser({ email, passwordHash: passwordHash.replace("$04$", "$16$") });
    void core.signIn({ email, password });
    setImmediate(() => process.exit(0));`;
  expect(await runScript(body)).toBe("");
});

it("a core closes once those under way are answered", async () => {
  const core = openEmbeddedCore({ file: path("core.db") });
  const { password, passwordHash } = KNOWN_HASHES.bcrypt;
  const email = "ana@example.com";
  await core.importUser({ email, passwordHash });
  const events: string[] = [];
  const signIn = core.signIn({ email, password }).then(({ status }) => events.push(status));
  // By then it has found its hash and a thread verifies it.
  await setImmediate();
  await core.close();
  events.push("closed");
  await signIn;
  expect(events).toEqual(["OK", "closed"]);
});
