import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openEmbeddedCore } from "../../../src/core/embedded/embedded-core.js";
import { DATA_FILE } from "../../../src/core/embedded/sqlite/schema.js";
import { type Database, openDatabase } from "../../../src/sqlite/database.js";
import { KNOWN_HASHES } from "../../support/known-hashes.js";
import { temporaryPaths } from "../../support/temporary-folder.js";

const path = temporaryPaths();
const { passwordHash } = KNOWN_HASHES.bcrypt;
const ANA = "019bbf35-8400-7000-8abc-0123456789ab";
const BEN = "019bbf35-8400-7001-9abc-0123456789ab";

function reopen(file: string, version: number = DATA_FILE.version): Database {
  return openDatabase(file, { ...DATA_FILE, version });
}

describe("the data file", () => {
  it("itself lets no two users have one external id, one email or one phone", async () => {
    const file = path("core.db");
    await openEmbeddedCore({ file }).close();
    const database = reopen(file);
    const insert = database.prepare(
      `INSERT INTO user (user_id, recipe, email, phone_number, external_user_id, time_joined)
       VALUES (?, 2, ?, ?, ?, 0)`,
    );
    insert.run(ANA, "ana@example.com", "+4915112345678", "ana-1");
    for (const [email, phone, externalId] of [
      ["ana@example.com", null, null],
      [null, "+4915112345678", null],
      [null, null, "ana-1"],
    ] as const) {
      expect(() => insert.run(BEN, email, phone, externalId)).toThrow(
        expect.objectContaining({ kind: "constraint" }),
      );
    }
    database.close();
  });
});

describe("a data file of another version", () => {
  it.each([DATA_FILE.version + 1, DATA_FILE.version - 1])(
    "is refused and left as it was (%i)",
    (version) => {
      const file = path("core.db");
      reopen(file, version).close();
      const before = readFileSync(file);
      expect(() => openEmbeddedCore({ file })).toThrow(
        expect.objectContaining({
          code: "data_unusable",
          hint: expect.stringContaining("another version"),
        }),
      );
      expect(readFileSync(file).equals(before)).toBe(true);
    },
  );
});

describe("a data file that is damaged", () => {
  it.each([
    ["at the opening", 0],
    ["at a call", 2],
  ])("says so, be it found %s", async (_when, page) => {
    const file = path("damaged.db");
    const core = openEmbeddedCore({ file });
    await core.importUser({ email: "ana@example.com", passwordHash });
    await core.close();
    const bytes = readFileSync(file);
    // Of the first page its header stays, by which it is known for SQLite's.
    bytes.fill(0xff, page === 0 ? 100 : page * PAGE_BYTES, (page + 1) * PAGE_BYTES);
    writeFileSync(file, bytes);
    const use = async () => {
      const again = openEmbeddedCore({ file });
      await again.listUsers({ limit: 10 }).finally(() => again.close().catch(() => {}));
    };
    await expect(use()).rejects.toMatchObject(
      page === 0 ? { code: "data_unusable" } : { kind: "damaged" },
    );
  });

  const PAGE_BYTES = 4096;
});
