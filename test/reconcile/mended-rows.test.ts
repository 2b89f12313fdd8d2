import { describe, expect, it } from "vitest";
import type { Core } from "../../src/core/core.js";
import { openInputs } from "../../src/source/inputs.js";
import { type Migration, newMigration } from "../run/support/run.js";
import { failure } from "../run/support/scripted-core.js";
import { virtualTiming } from "../run/support/virtual-timing.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { reconcile } from "./support.js";

const newPath = temporaryPaths();

const IDS = "id,email,email_verified";
const NO_IDS = "email,email_verified";

/** Each kind: the header, the export's second row, and how a person has mended it. */
const KINDS = [
  [
    "a contact that another user has",
    IDS,
    "cleo,ada@example.com,true",
    "cleo,cleo@example.com,true",
  ],
  ["such a row under another id", IDS, "cleo,ada@example.com,true", "cleo.2,cleo@example.com,true"],
  [
    "a row that can't be read",
    IDS,
    "cleo,cleo@example.com,true,one too many",
    "cleo,cleo@example.com,true",
  ],
  ["no valid contact and no id", NO_IDS, "cleo@@example,true", "cleo@example.com,true"],
] as const;

/** Writes an export whose second row is given. */
function exportOf({ write }: Pick<Migration, "write">, header: string, row: string): string {
  const first = header === IDS ? "ada,ada@example.com,true" : "ada@example.com,true";
  return write("users.csv", `${header}\n${first}\n${row}\n`);
}

function begin(header: string, row: string, mendedRow: string) {
  const migration = newMigration(newPath);
  const file = exportOf(migration, header, row);
  const rejects = `${header},auth_migrate_code,auth_migrate_hint,auth_migrate_row,auth_migrate_text`;
  const mended = migration.write("rejects.csv", `${rejects}\n${mendedRow},,,"row 2 of ${file}",\n`);
  const rowsOf = async (...files: string[]) =>
    (await reconcile(migration, { inputs: await openInputs(files) })).result.rows;
  return { migration, file, mended, rowsOf };
}

describe.each(KINDS)("%s", (_kind, header, row, mendedRow) => {
  it("is brought where a file of rejects has mended it, whichever file is read", async () => {
    const { migration, file, mended, rowsOf } = begin(header, row, mendedRow);
    await migration.run([file]);
    expect(await rowsOf(file)).toEqual({ read: 2, notBrought: 1 });
    await migration.run([mended]);
    expect(await rowsOf(file)).toEqual({ read: 2, notBrought: 0 });
    expect(await rowsOf(mended)).toEqual({ read: 1, notBrought: 0 });
    expect(await rowsOf(file, mended)).toEqual({ read: 3, notBrought: 0 });
  });

  it("isn't where the core has not got the user", async () => {
    const { migration, file, mended, rowsOf } = begin(header, row, mendedRow);
    await migration.run([file]);
    const createCode: Core["createCode"] = async () => Promise.reject(failure("refused"));
    const core = { ...migration.core, createCode };
    await migration.run([mended], { core, timing: virtualTiming() });
    expect(await rowsOf(file)).toEqual({ read: 2, notBrought: 1 });
  });
});

it.each([
  ["as it was, and can't be read", KINDS[2], KINDS[2][2]],
  ["in whose place another user's stands by now", KINDS[1], "eve,ada@example.com,true"],
])("a row that is refused again %s isn't brought", async (_what, kind, newer) => {
  const [, header, row, mendedRow] = kind;
  const { migration, file, mended, rowsOf } = begin(header, row, mendedRow);
  await migration.run([file]);
  await migration.run([mended]);
  exportOf(migration, header, newer);
  await migration.run([file]);
  expect(await rowsOf(file)).toEqual({ read: 2, notBrought: 1 });
});
