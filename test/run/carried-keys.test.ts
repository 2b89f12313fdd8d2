import { describe, expect, it, onTestFinished } from "vitest";
import { openEmbeddedCore } from "../../src/core/embedded/embedded-core.js";
import type { MigrationEvent } from "../../src/events/events.js";
import { openInputs } from "../../src/source/inputs.js";
import { validateUsers } from "../../src/run/validate-users.js";
import { SIGNER_KEY } from "../support/known-hashes.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { scryptOf } from "./support/hashes.js";
import { csvOf, type Migration, newMigration, outcomes } from "./support/run.js";

const newPath = temporaryPaths();
const OTHER_KEY = Buffer.alloc(64, 7).toString("base64");

/** An export of Ory Kratos: three users of one project, then two of another. */
const KEYS = [SIGNER_KEY, SIGNER_KEY, SIGNER_KEY, OTHER_KEY, OTHER_KEY];

function kratosExport(migration: Migration): string {
  const rows = KEYS.map((key, index) => {
    const { hash, salt } = scryptOf(index);
    return {
      id: `r-${index + 1}`,
      email: `reader.${index + 1}@example.com`,
      hash: `"$firescrypt$ln=14,r=8,p=1$${salt}$${hash}$Bw==$${key}"`,
    };
  });
  return migration.write("identities.csv", csvOf(rows));
}

async function validate(file: string, given: { signerKey?: string; readOnce?: boolean } = {}) {
  const { readOnce = false, ...changes } = given;
  const events: MigrationEvent[] = [];
  const inputs = (await openInputs([file])).map((input) => ({ ...input, readOnce }));
  const summary = await validateUsers({
    inputs,
    onEvent: (event) => events.push(event),
    ...changes,
  });
  const { import: ready } = summary.ready;
  const finding = events.find(
    (event) => event.type === "finding" && event.code === "hash_config_doubtful",
  );
  return { ready, rejects: summary.rejects, finding };
}

const TWO_OTHERS = {
  ready: 3,
  rejects: { signer_key_mismatch: 2 },
  finding: { count: 2, rows: [{ number: 4 }, { number: 5 }] },
};

describe("signer keys that stand beside hashes", () => {
  it("are compared with each other where none is known, in a dry run and an import alike", async () => {
    const migration = newMigration(newPath);
    const file = kratosExport(migration);
    expect(await validate(file)).toMatchObject(TWO_OTHERS);
    const { summary, findings } = await migration.run([file]);
    expect(outcomes(summary)).toEqual({ imported: 3, rejected: 2 });
    expect(summary.rejects).toEqual({ signer_key_mismatch: 2 });
    expect(findings.find(({ code }) => code === "hash_config_doubtful")).toMatchObject({
      count: 2,
    });
  });

  it("are compared with the one that is known, wherever it is known from", async () => {
    const migration = newMigration(newPath);
    const file = kratosExport(migration);
    expect(await validate(file, { signerKey: OTHER_KEY })).toMatchObject({
      ready: 2,
      rejects: { signer_key_mismatch: 3 },
    });
    const { summary } = await migration.run([file], { signerKey: OTHER_KEY });
    expect(outcomes(summary)).toEqual({ imported: 2, rejected: 3 });
  });

  it("are compared in what can be read but once, too", async () => {
    const file = kratosExport(newMigration(newPath));
    expect(await validate(file, { readOnce: true })).toMatchObject(TWO_OTHERS);
  });

  it("don't let anybody in at a core without a key: the run stops", async () => {
    const migration = newMigration(newPath);
    const core = openEmbeddedCore({ file: newPath("keyless.db") });
    onTestFinished(() => core.close());
    const file = kratosExport(migration);
    const binding = { kind: "embedded", coreId: core.coreId } as const;
    await expect(migration.run([file], { core, binding })).rejects.toMatchObject({
      code: "signer_key_missing",
    });
    expect((await core.listUsers({ limit: 5 })).users).toEqual([]);
  });
});
