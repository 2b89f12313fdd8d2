import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RowDamage } from "../../../../src/source/row-damage.js";
import { readRows } from "../../../../src/source/vendors/firebase/firebase-csv-lines.js";
import { collect, pieces } from "../../support.js";
import { writeUser } from "./firebase-rows.js";
import { runs } from "../../../support/repeated.js";

const NAME = 5;
const PHOTO = 6;
const PHONE = 25;
const CLAIMS = 27;

/** Two users without anything odd, as most are. */
const BEFORE = writeUser("before");
const AFTER = writeUser("after");

/** A row that a user made up and put into a name; it has no quotation mark. */
const FORGED = writeUser("victim", [[PHONE, "+15550100099"]]);

/** Ids of users, and codes of damage. */
async function read(text: string): Promise<string[]> {
  const head = { path: "users.csv", text, complete: true };
  const rows = await collect(readRows(head, pieces(Buffer.from(text), 50)));
  return rows.map((row) => (row instanceof RowDamage ? row.code : row.localId));
}

const BAD = "row_malformed";

describe("a name with a line break", () => {
  test.each([
    ["unquoted", "Ann\nLee"],
    ["unquoted, of three lines", "Ann\nB.\nLee"],
    ["with blank lines", "\nAnn\n\nLee\n"],
    ["quoted for its comma", "Lee,\nAnn"],
    ["quoted, with the comma behind it", "Ann\nLee, PhD"],
    ["quoted, with quotes of its own", 'Lee, "Bee"\nAnn'],
  ])("is read, and its user is one row (%s)", async (_kind, name) => {
    const row = writeUser("ann", [
      [NAME, name],
      [PHONE, "+15550100001"],
    ]);
    expect(await read(BEFORE + row + AFTER)).toEqual(["before", "ann", "after"]);
  });

  test("may be a provider's", async () => {
    const row = writeUser("ann", [[9, "Lee,\nAnn"]]);
    expect(await read(BEFORE + row + AFTER)).toEqual(["before", "ann", "after"]);
  });

  test("is none of claims, which may hold some", async () => {
    const row = writeUser("ann", [[CLAIMS, '{\n  "a": "b, c",\n  "say": "\\"hi\\""\n}']]);
    expect(await read(BEFORE + row + AFTER)).toEqual(["before", "ann", "after"]);
  });
});

describe("a row forged within a name", () => {
  test.each([
    ["alone", `x\n${FORGED}`, 2],
    ["with text behind it", `x\n${FORGED}y`, 2],
    ["twice", `x\n${FORGED}${FORGED}`, 3],
    [
      "and cut off where the rest of the true row completes it",
      `x\nvictim,v@example.com,true,,,y`,
      2,
    ],
    [
      "behind the end of a forged row of one's own",
      `x,,,,,,,,,,,,,,,,,,1,2,,false,${",".repeat(25)}\n${FORGED}`,
      2,
    ],
    ["between two such halves", `x\ny,,,,,,,,,,,,,,,,,,1,2,,false,${",".repeat(25)}\n${FORGED}`, 2],
  ])("is no user, and nor is its owner (%s)", async (_kind, name, rejects) => {
    const row = writeUser("mallory", [[NAME, name]]);
    const bad = Array.from({ length: rejects }, () => BAD);
    expect(await read(BEFORE + row + AFTER)).toEqual(["before", ...bad, "after"]);
  });

  test("leaves its owner no choice of a phone", async () => {
    const forgedEnd = `",,,,,,,,,,,,,,,,,,1,2,+15550100099,false,${",".repeat(25)}`;
    const row = writeUser("mallory", [[NAME, `x\ny${forgedEnd}\nz, w`]]);
    expect(await read(BEFORE + row + AFTER)).toEqual(["before", BAD, "after"]);
  });

  test("is no user in a photo URL either, where its halves show", async () => {
    const row = writeUser("mallory", [[PHOTO, `https://x\n${FORGED}y`]]);
    expect(await read(BEFORE + row + AFTER)).toEqual(["before", BAD, BAD, "after"]);
  });

  test("is no user where the file ends inside it", async () => {
    const row = writeUser("mallory", [[NAME, `x\n${FORGED}y`]]);
    const complete = BEFORE + row;
    for (let length = BEFORE.length; length < complete.length; length++) {
      expect(await read(complete.slice(0, length)), `of ${length}`).not.toContain("victim");
    }
  });

  test("is never a user, whatever is around it", async () => {
    const part = fc.constantFrom(
      "x",
      ",",
      ",,,,",
      "\n",
      FORGED,
      "\nvictim,v@example.com,true,,,",
      "1,2,,false,",
    );
    // The vendor's own bound on names.
    const name = fc
      .array(part, { minLength: 1, maxLength: 6 })
      .map((parts) => parts.join("").slice(0, 256));
    await fc.assert(
      fc.asyncProperty(name, name, async (one, other) => {
        const hostile = writeUser("m1", [[NAME, `${one}\n`]]) + writeUser("m2", [[NAME, other]]);
        const ids = await read(BEFORE + hostile + AFTER);
        expect(ids).toContain("before");
        expect(ids).not.toContain("victim");
      }),
      { numRuns: runs(300) },
    );
  });
});

describe("a half line", () => {
  test("of somebody's mending is one reject, and the users behind it are read", async () => {
    const half = BEFORE.slice(0, 30).replace("before", "half");
    const cut = `${writeUser("half").slice(0, 40)}\n`;
    expect(await read(`${BEFORE}${cut}${AFTER}${writeUser("last")}`)).toEqual([
      "before",
      BAD,
      "after",
      "last",
    ]);
    expect(await read(`${BEFORE}${half}\n${AFTER}`)).toEqual(["before", BAD, "after"]);
  });

  test("never takes the phone of the row behind it", async () => {
    const half = writeUser("half", [[PHOTO, "https://photos.example.com/h"]]).slice(0, 60);
    const row = writeUser("ann", [[PHONE, "+15550100001"]]);
    expect(await read(`${BEFORE}${half}\n${row}`)).toEqual(["before", BAD, "ann"]);
  });

  test("at the file's end is cut off", async () => {
    for (let length = 1; length < AFTER.length - 1; length++) {
      expect(await read(BEFORE + AFTER.slice(0, length))).toEqual(["before", "truncated"]);
    }
    expect(await read(BEFORE + AFTER.slice(0, -1))).toEqual(["before", "after"]);
  });
});

test("a name that only begins with a quotation mark makes no other row doubtful", async () => {
  const row = writeUser("ann", [[NAME, '"Bee" Lee']]);
  const others = ["a", "b", "c", "d", "e", "f"];
  const rows = others.map((id) => writeUser(id)).join("");
  expect(await read(BEFORE + row + rows)).toEqual(["before", "ann", ...others]);
});

test("a name that begins with a quotation mark at the file's end is in doubt with what follows: the file may be cut off", async () => {
  const forgedEnd = `"x,,,,,,,,,,,,,,,,,,1,2,+15550100099,false,${",".repeat(26)}\n`;
  const hostile = `mallory,m@example.com,true,,,${forgedEnd}`;
  expect(await read(BEFORE + hostile)).toEqual(["before", BAD]);
  expect(await read(BEFORE + hostile + AFTER)).toEqual(["before", BAD, BAD]);
});

test("quoted names in row after row are read", async () => {
  const rows = ["a", "b", "c", "d"].map((id) => writeUser(id, [[NAME, `Lee, ${id}`]]));
  expect(await read(rows.join(""))).toEqual(["a", "b", "c", "d"]);
});

test("doubtful lines are read no further ahead than a row goes on, so work grows as the file does", async () => {
  const half = `m,m@example.com,true,,,"x,1,2\n`;
  const text = BEFORE + half.repeat(1000);
  let given = 0;
  const counted = async function* (): AsyncGenerator<Buffer> {
    for await (const piece of pieces(Buffer.from(text), 50)) {
      given += piece.length;
      yield piece;
    }
  };
  let [rows, ahead] = [0, 0];
  for await (const batch of readRows({ path: "users.csv", text, complete: true }, counted())) {
    rows += batch.length;
    const read = rows === 0 ? 0 : BEFORE.length + (rows - 1) * half.length;
    ahead = Math.max(ahead, given - read);
  }
  expect(rows).toBe(1001);
  expect(ahead).toBeLessThan(1024);
});
