import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openEmbeddedCore } from "../../../src/core/embedded/embedded-core.js";
import { userIdGenerator } from "../../../src/core/embedded/new-user.js";
import { openDatabase } from "../../../src/sqlite/database.js";
import { KNOWN_HASHES, SIGNER_KEY } from "../../support/known-hashes.js";
import { temporaryPaths } from "../../support/temporary-folder.js";

const path = temporaryPaths();
const { passwordHash } = KNOWN_HASHES.bcrypt;

describe("opening the embedded core", () => {
  it("keeps its id and its users from one opening to the next", async () => {
    const file = path("core.db");
    const first = openEmbeddedCore({ file });
    const { user } = await first.importUser({ email: "ana@example.com", passwordHash });
    await first.close();
    const second = openEmbeddedCore({ file, mustExist: true });
    expect(second.coreId).toBe(first.coreId);
    expect(second.coreId).toMatch(/^[0-9a-f]{32}$/);
    expect(await second.getUser(user.userId)).toEqual(user);
    await second.close();
  });

  it("gives two data files two ids", async () => {
    const cores = [path("a.db"), path("b.db")].map((file) => openEmbeddedCore({ file }));
    expect(new Set(cores.map(({ coreId }) => coreId)).size).toBe(2);
    for (const core of cores) await core.close();
  });

  it("is refused without a name, by which it would be gone at the end", () => {
    expect(() => openEmbeddedCore({ file: "" })).toThrow(
      expect.objectContaining({ code: "usage", message: "A data file needs a name." }),
    );
  });

  it("doesn't create a data file that has to be there", () => {
    const file = path("gone.db");
    expect(() => openEmbeddedCore({ file, mustExist: true })).toThrow(
      expect.objectContaining({ name: "RunError", code: "data_unusable" }),
    );
  });

  it("refuses the SQLite file of another application", () => {
    const file = path("other.db");
    openDatabase(file, {
      applicationId: 7,
      schema: "CREATE TABLE note (text)",
      version: 1,
    }).close();
    expect(() => openEmbeddedCore({ file })).toThrow(
      expect.objectContaining({ code: "data_unusable" }),
    );
  });

  it("says that it can't use a folder that isn't there", () => {
    const file = join(path("nowhere"), "core.db");
    expect(() => openEmbeddedCore({ file })).toThrow(expect.objectContaining({ code: "disk" }));
  });

  it("refuses a signer key that was cut off", () => {
    const signerKey = SIGNER_KEY.slice(0, 40);
    expect(() => openEmbeddedCore({ file: path("core.db"), signerKey })).toThrow(
      expect.objectContaining({ code: "config_invalid" }),
    );
  });
});

describe("an embedded core without a signer key", () => {
  const { password, ...vendorHash } = KNOWN_HASHES.vendor_scrypt;

  it("refuses vendor scrypt imports and names the configuration field", async () => {
    const core = openEmbeddedCore({ file: path("core.db") });
    const unannounced = { passwordHash: vendorHash.passwordHash };
    for (const hash of [vendorHash, unannounced]) {
      await expect(core.importUser({ email: "ben@example.com", ...hash })).rejects.toMatchObject({
        kind: "signer_key_missing",
        status: 400,
        message: expect.stringContaining("vendor_password_hashing_signer_key"),
      });
    }
    expect(await core.countUsers()).toBe(0);
    await core.close();
  });

  it("doesn't call a right password wrong", async () => {
    const file = path("core.db");
    const email = "cleo@example.com";
    const configured = openEmbeddedCore({ file, signerKey: SIGNER_KEY });
    await configured.importUser({ email, ...vendorHash });
    await configured.close();
    const core = openEmbeddedCore({ file });
    await expect(core.signIn({ email, password })).rejects.toMatchObject({
      kind: "signer_key_missing",
    });
    await core.close();
  });
});

describe("calls of the embedded core", () => {
  it("refuses unusable contacts without repeating them", async () => {
    const core = openEmbeddedCore({ file: path("core.db") });
    const calls = [
      core.importUser({ email: "not-an-address", passwordHash }),
      core.createCode({ phoneNumber: "0155501234" }),
      core.findUsers({ email: "not-an-address" }),
    ];
    for (const call of calls) {
      await expect(call).rejects.toMatchObject({
        kind: "refused",
        message: expect.not.stringMatching(/not-an-address|0155501234/),
      });
    }
    await core.close();
  });

  it("ends what was asked for before it closes, and refuses what comes later", async () => {
    const file = path("core.db");
    const core = openEmbeddedCore({ file });
    const emails = ["edda", "fritz", "gabi"].map((name) => `${name}@example.com`);
    const imports = emails.map((email) => core.importUser({ email, passwordHash }));
    await core.close();
    expect(await Promise.all(imports)).toHaveLength(3);
    await expect(core.importUser({ email: "hans@example.com", passwordHash })).rejects.toThrow();
    await expect(core.close()).resolves.toBeUndefined();
    const reopened = openEmbeddedCore({ file });
    expect(await reopened.countUsers()).toBe(3);
    await reopened.close();
  });
});

describe("user ids", () => {
  it("are version 7 UUIDs that grow, whatever the clock does", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 2 ** 42 }), { minLength: 2, maxLength: 200 }),
        (times) => {
          const newUserId = userIdGenerator();
          const ids = times.map(newUserId);
          expect(ids).toEqual([...ids].sort());
          expect(new Set(ids).size).toBe(ids.length);
          for (const id of ids) {
            expect(id).toMatch(
              /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
            );
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  it.each([Date.UTC(2026, 0, 15), 0])(
    "carry the time %i and outlast ten thousand in one millisecond",
    (nowMs) => {
      const newUserId = userIdGenerator();
      const ids = Array.from({ length: 10_000 }, () => newUserId(nowMs));
      expect(Number.parseInt((ids[0] ?? "").replaceAll("-", "").slice(0, 12), 16)).toBe(nowMs);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toEqual([...ids].sort());
    },
  );
});
