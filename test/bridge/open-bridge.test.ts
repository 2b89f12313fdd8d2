import { describe, expect, it } from "vitest";
import { openBridge } from "../../src/bridge/open-bridge.js";
import { openEmbeddedCore } from "../../src/core/embedded/embedded-core.js";
import { verifyLegacyPassword } from "../../src/hash/legacy/find-legacy-hash.js";
import { rawOf } from "../hash/legacy/support/known-answers.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { firstOf, keepUsers, VAULT_KEY } from "./support/bridged-users.js";

const newPath = temporaryPaths();
const KNOWN = firstOf(
  "django_pbkdf2_sha256",
  "passlib_scrypt",
  "sha512_crypt",
  "wordpress_bcrypt",
  "argon2_peppered",
);
const OK = { status: "OK" };
const WRONG = { status: "WRONG_CREDENTIALS_ERROR" };

async function bridged() {
  const core = openEmbeddedCore({ file: newPath("core.db") });
  const path = newPath("users.vault");
  await keepUsers(path, { core, name: core.coreId, known: KNOWN });
  return { core, vault: { path, key: VAULT_KEY } };
}

describe("openBridge", () => {
  it("verifies on a thread, also where each hash alone is more than all may take together", async () => {
    const { core, vault } = await bridged();
    const bridge = openBridge({ vault, core, threads: 1, memoryBytes: 1 });
    const signIns = KNOWN.flatMap(({ password }, n) => {
      const email = `user.${n}@example.com`;
      return [
        bridge.verify({ email, password: `!${password}` }),
        bridge.verify({ email, password }),
      ];
    });
    expect(await Promise.all(signIns)).toEqual(KNOWN.flatMap(() => [WRONG, OK]));
    expect(bridge.left()).toBe(0);
    for (const [n, { password }] of KNOWN.entries()) {
      expect(await core.signIn({ email: `user.${n}@example.com`, password })).toMatchObject(OK);
    }
    await bridge.close();
    await core.close();
  });

  it("refuses the vault of another core, and lets it go", async () => {
    const { core, vault } = await bridged();
    const other = openEmbeddedCore({ file: newPath("other.db") });
    const elsewhere = expect.objectContaining({ code: "vault_missing" });
    expect(() => openBridge({ vault, core: other })).toThrow(elsewhere);
    await openBridge({ vault, core }).close();
    await Promise.all([core.close(), other.close()]);
  });
});

describe("verifyLegacyPassword", () => {
  it("tells right from wrong, and what no format reads", async () => {
    const [django] = KNOWN;
    const hash = rawOf(django!);
    expect(await verifyLegacyPassword(hash, django!.password)).toBe(true);
    expect(await verifyLegacyPassword(hash, `!${django!.password}`)).toBe(false);
    expect(await verifyLegacyPassword({ kind: "text", text: "plain" }, "plain")).toBeNull();
    const [peppered] = firstOf("argon2_peppered");
    const given = { pepper: peppered!.context?.pepper ?? null };
    expect(await verifyLegacyPassword(rawOf(peppered!), peppered!.password, given)).toBe(true);
  });
});
