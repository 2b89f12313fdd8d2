import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openBridge } from "../../src/bridge/open-bridge.js";
import { openEmbeddedCore } from "../../src/core/embedded/embedded-core.js";
import { importUsers } from "../../src/run/import-users.js";
import { openInputs } from "../../src/source/inputs.js";
import { runCli } from "../support/cli.js";
import { workFolders } from "../cli/support.js";
import { fastFolder } from "../support/memory-folder.js";
import { ANSWERS } from "../hash/legacy/support/known-answers.js";
import { withCompanions } from "./support/disturbed-import.js";
import { runStopping } from "./support/strace.js";

const workFolder = workFolders(fastFolder());
/** Every so-and-so-many call; 1 is each of them. */
const STEP = Number(process.env.AUTH_MIGRATE_CRASH_STEP ?? 1);
const DJANGO = ANSWERS.filter(({ format }) => format === "django_pbkdf2_sha256");

/** The same command again, and who signs in by the bridge then. */
async function resume(folder: string): Promise<readonly string[]> {
  const core = openEmbeddedCore({ file: join(folder, "core.db") });
  const key = Buffer.from(readFileSync(join(folder, "vault.key"), "utf8"), "base64");
  const vault = { path: join(folder, "users.vault"), key };
  const { rejected, failed } = await importUsers({
    ...{ core, vault, checkpoint: join(folder, "checkpoint") },
    inputs: await openInputs([join(folder, "users.csv")]),
    policy: { onUnusableHash: "bridge" },
  });
  expect({ rejected, failed }).toEqual({ rejected: 0, failed: 0 });
  const bridge = openBridge({ vault, core });
  expect(bridge.left()).toBe(DJANGO.length);
  const answers = await Promise.all(
    DJANGO.map(({ password }, n) => bridge.verify({ email: `user.${n}@example.com`, password })),
  );
  await bridge.close();
  await core.close();
  return answers.map(({ status }) => status);
}

it.each(["pwrite64", "fsync"] as const)(
  "of what a kill at any %s of the vault leaves, the same import again lets each user in by their old password",
  async (call) => {
    const folder = workFolder();
    const at = (name: string): string => join(folder, name);
    const rows = DJANGO.map(({ hash }, n) => `u-${n},user.${n}@example.com,${hash}`);
    writeFileSync(at("users.csv"), ["id,email,password_hash", ...rows].join("\n"));
    expect((await runCli(["bridge", "--new-key", at("vault.key")], { cwd: folder })).code).toBe(0);
    const args = ["import", at("users.csv"), "--no-input", "--on-unusable-hash", "bridge"];
    args.push("--vault", at("users.vault"), "--vault-key-file", at("vault.key"));
    args.push("--data", at("core.db"), "--checkpoint", at("checkpoint"), "--quiet");
    const files = withCompanions(at("users.vault"));
    const left: string[] = [];
    const { code, stderr } = await runStopping(
      { args, files, trace: at("trace") },
      { call, every: STEP },
      async () => {
        const copy = workFolder();
        cpSync(folder, copy, { recursive: true });
        left.push(copy);
      },
    );
    expect(code, stderr).toBe(0);
    if (call === "pwrite64") expect(left.length * STEP).toBeGreaterThan(10);
    for (const [index, copy] of left.entries()) {
      expect(await resume(copy), `killed behind ${call} ${index * STEP}`).toEqual(
        DJANGO.map(() => "OK"),
      );
    }
  },
);
