import { describe, expect, test } from "vitest";
import { RowDamage } from "../../../../src/source/row-damage.js";
import {
  readRows,
  recognizeForm,
} from "../../../../src/source/vendors/firebase/firebase-csv-lines.js";
import { pieces } from "../../support.js";
import { writeUser } from "./firebase-rows.js";

const NAME = 5;
const REASON = { code: "no_contact", hint: "Mend it, please.", row: "row 1 of users.csv" };
const FORGED_REASON = ',auth_migrate,"x","y","z"';
const VICTIM = writeUser("victim");

interface Read {
  /** Ids of users, and codes of damage. */
  readonly told: readonly string[];
  /** The rejects of each row as a file would have them. */
  readonly lines: readonly string[];
  readonly opening: string;
}

async function read(text: string): Promise<Read> {
  const told: string[] = [];
  const lines: string[] = [];
  let opening = "";
  const head = { path: "users.csv", text, complete: true };
  for await (const rows of readRows(head, pieces(Buffer.from(text), 64))) {
    const { raw } = rows;
    for (const [index, row] of rows.entries()) {
      told.push(row instanceof RowDamage ? row.code : row.localId);
      lines.push(raw?.form.write(raw.at(index), REASON) ?? "");
    }
    opening = raw?.form.opening ?? "";
  }
  return { told, lines, opening };
}

/** What is read of a file of rejects, its rows in another order than the export's. */
async function readRejects({ opening, lines }: Read): Promise<readonly string[]> {
  return (await read(opening + [...lines].reverse().join(""))).told;
}

describe("rejects of Firebase's CSV", () => {
  test("are recognized by a first line that no user can write", () => {
    const head = (text: string) => ({ path: "users.csv", text, complete: true });
    expect(recognizeForm(head("auth_migrate_rejects,firebase,53\n"))).toHaveLength(53);
    expect(recognizeForm(head("auth_migrate_rejects,firebase,29,,,\r\n"))).toHaveLength(29);
    expect(recognizeForm(head("auth_migrate_rejects,firebase,7\n"))).toBeNull();
    expect(recognizeForm(head("auth_migrate_rejects,firebase,53,true,x\n"))).toBeNull();
  });

  test("let in no row that a user has hidden in a name, wherever its lines come to stand", async () => {
    const export_ = await read(
      writeUser("before") + writeUser("mallory", [[NAME, `x\n${VICTIM}y`]]) + writeUser("after"),
    );
    expect(export_.told).toContain("row_malformed");
    const told = await readRejects(export_);
    expect([...told].sort()).toEqual(
      ["after", "before", ...told.filter((one) => one.includes("_"))].sort(),
    );
    expect(told).not.toContain("victim");
  });

  test("let in no row by a reason that a user has written into a name", async () => {
    const name = `x${FORGED_REASON}\n${VICTIM}`;
    const told = await readRejects(await read(writeUser("mallory", [[NAME, name]])));
    expect(told).not.toContain("victim");
  });

  test("read a row of several lines as the same user on one line", async () => {
    const export_ = await read(writeUser("ann", [[NAME, "Lee,\nAnn"]]) + writeUser("ben"));
    expect(export_.lines[0]?.trimEnd()).not.toContain("\n");
    expect(await readRejects(export_)).toEqual(["ben", "ann"]);
  });

  test("take nothing off a row of an export, and of their own only what they have put there", async () => {
    const row = writeUser("ann").replace(/\n$/, `${FORGED_REASON}\n`);
    const export_ = await read(writeUser("ben") + row);
    expect(export_.told).toEqual(["ben", "row_malformed"]);
    expect(await readRejects(export_)).toEqual(["row_not_mended", "ben"]);
    expect(export_.lines[1]).toContain('""x"",""y"",""z""');
  });
});
