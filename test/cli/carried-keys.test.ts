import { describe, expect, it } from "vitest";
import { KNOWN_HASHES, SIGNER_KEY } from "../support/known-hashes.js";
import { runCli } from "../support/cli.js";
import { jsonLines, summaryOf, workFolders, writeInto } from "./support.js";

const newFolder = workFolders();
const OTHER_KEY = Buffer.alloc(64, 7).toString("base64");
const { password, passwordHash } = KNOWN_HASHES.vendor_scrypt;
const [, , HASH = "", SALT = ""] = passwordHash.split("$");

/** A Clerk export of users who came from two Firebase projects. */
function clerkExport(folder: string): void {
  const rows = [SIGNER_KEY, SIGNER_KEY, OTHER_KEY].map((key, index) => {
    const digest = [HASH, SALT, key, "Bw==", 8, 14].join("$");
    return `user_${index + 1},reader.${index + 1}@example.com,${digest},scrypt_firebase`;
  });
  const header = "id,primary_email_address,password_digest,password_hasher";
  writeInto(folder, "clerk.csv", `${[header, ...rows].join("\n")}\n`);
}

const KEY_VARIABLE = "VENDOR_PASSWORD_HASHING_SIGNER_KEY";
const MISMATCH = { rejects: { signer_key_mismatch: 1 } };

describe.concurrent("Clerk's digests of two signer keys", () => {
  it("are told apart by the key of the environment: import", async () => {
    const cwd = newFolder();
    clerkExport(cwd);
    const args = ["import", "clerk.csv", "--data", "core.db", "--json", "--no-input"];
    const { code, stdout } = await runCli(args, { cwd, env: { [KEY_VARIABLE]: SIGNER_KEY } });
    expect(code).toBe(65);
    expect(summaryOf(stdout)).toMatchObject({ imported: 2, ...MISMATCH });
    expect(jsonLines(stdout)).toContainEqual(
      expect.objectContaining({ type: "finding", code: "hash_config_doubtful", count: 1 }),
    );
  });

  it.each([
    ["the environment", { [KEY_VARIABLE]: OTHER_KEY }, ""],
    ["the core's configuration", {}, `vendor_password_hashing_signer_key: ${OTHER_KEY}\n`],
  ])("are told apart by the key of %s: validate", async (_where, env, yaml) => {
    const cwd = newFolder();
    clerkExport(cwd);
    if (yaml !== "") writeInto(cwd, "auth-core.yaml", yaml);
    const { code, stdout } = await runCli(["validate", "clerk.csv", "--json"], { cwd, env });
    expect(code).toBe(65);
    const rejects = { signer_key_mismatch: 2 };
    expect(summaryOf(stdout)).toMatchObject({ ready: { import: 1 }, rejects });
  });

  it("are proved with the key that they carry where none is configured", async () => {
    const cwd = newFolder();
    clerkExport(cwd);
    writeInto(cwd, "known.csv", `reader.2@example.com,${password}\n`);
    const args = ["prove", "clerk.csv", "--passwords", "known.csv", "--json"];
    const { code, stdout } = await runCli(args, { cwd });
    expect(jsonLines(stdout)).toContainEqual(expect.objectContaining({ verdict: "proved" }));
    expect(code).toBe(0);
  });
});
