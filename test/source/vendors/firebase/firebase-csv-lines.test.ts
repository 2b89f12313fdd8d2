import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { RowDamage } from "../../../../src/source/row-damage.js";
import { firebase } from "../../../../src/source/vendors/firebase/firebase.js";
import { readRows } from "../../../../src/source/vendors/firebase/firebase-csv-lines.js";
import { readUsers } from "../../read-users.js";
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
  return rows.map(toldOf);
}

const userSchema = z.object({ localId: z.string() });

function toldOf(row: object): string {
  return row instanceof RowDamage ? row.code : userSchema.parse(row).localId;
}

const BAD = "row_malformed";
/** The last of them stands farther behind a row than any doubt about it reaches. */
const MANY = ["a", "b", "c", "d", "e", "f", "g"];
const MANY_ROWS = MANY.map((id) => writeUser(id)).join("");

describe("a name with a line break", () => {
  test.each([
    ["unquoted", "Ann\nLee", 2],
    ["unquoted, of three lines", "Ann\nB.\nLee", 3],
    ["quoted for its comma", "Lee,\nAnn", 2],
    ["quoted, with quotes of its own", 'Lee, "Bee"\nAnn', 2],
  ])(
    "is refused line by line, and so is what it puts in doubt (%s)",
    async (_kind, name, lines) => {
      const row = writeUser("ann", [
        [NAME, name],
        [PHONE, "+15550100001"],
      ]);
      const bad = Array.from({ length: lines }, () => BAD);
      const told = await read(BEFORE + row + MANY_ROWS);
      expect(told.slice(0, 1 + lines)).toEqual(["before", ...bad]);
      const sure = name.includes(",") ? MANY.slice(-1) : MANY;
      expect(told.slice(1 + lines).filter((one) => one !== BAD)).toEqual(
        expect.arrayContaining(sure),
      );
    },
  );

  test("may be a provider's, and so may one of claims", async () => {
    const rows = [
      writeUser("ann", [[9, "Lee,\nAnn"]]),
      writeUser("ben", [[CLAIMS, '{\n  "a": "b, c"\n}']]),
    ];
    for (const row of rows) {
      const told = await read(BEFORE + row + MANY_ROWS);
      expect(told.slice(0, 3)).toEqual(["before", BAD, BAD]);
      expect(told.at(-1)).toBe("g");
    }
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
    [
      "between names that look whole, with quotation marks of its own",
      `x, y",,,,,,,,,,,,,,,,,,1,2,+15550100099,false,${",".repeat(25)}\n${FORGED.slice(0, 34)}"z, w`,
      2,
    ],
  ])("is no user, and nor is its owner (%s)", async (_kind, name, rejects) => {
    const row = writeUser("mallory", [[NAME, name]]);
    const bad = Array.from({ length: rejects }, () => BAD);
    const told = await read(BEFORE + row + MANY_ROWS);
    expect(told.slice(0, rejects + 1)).toEqual(["before", ...bad]);
    expect(told).not.toContain("victim");
    expect(told.at(-1)).toBe("g");
  });

  test("is no user in a photo URL either, where its halves show", async () => {
    const row = writeUser("mallory", [[PHOTO, `https://x\n${FORGED}y`]]);
    expect(await read(BEFORE + row + MANY_ROWS)).not.toContain("victim");
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
      '"',
      `x",,,,,,,,,,,,,,,,,,1,2,,false,${",".repeat(25)}\n`,
      '\nvictim,v@example.com,true,,,"',
    );
    // The vendor's own bound on names.
    const name = fc
      .array(part, { minLength: 1, maxLength: 6 })
      .map((parts) => parts.join("").slice(0, 255));
    await fc.assert(
      fc.asyncProperty(name, name, async (one, other) => {
        const hostile = writeUser("m1", [[NAME, `${one}\n`]]) + writeUser("m2", [[NAME, other]]);
        const ids = await read(BEFORE + hostile + AFTER);
        expect(ids).not.toContain("victim");
      }),
      { numRuns: runs(300) },
    );
  });
});

describe("a half line", () => {
  test("puts rows in doubt no farther behind it than a name reaches", async () => {
    const half = writeUser("half", [[PHOTO, "https://photos.example.com/h"]]).slice(0, 60);
    const told = await read(`${BEFORE}${half}\n${MANY_ROWS}`);
    expect(told.slice(0, 3)).toEqual(["before", BAD, BAD]);
    expect(told.at(-1)).toBe("g");
  });

  test("at the file's end is cut off", async () => {
    for (let length = 1; length < AFTER.length - 1; length++) {
      expect(await read(BEFORE + AFTER.slice(0, length))).toEqual(["before", "truncated"]);
    }
    expect(await read(BEFORE + AFTER.slice(0, -1))).toEqual(["before", "after"]);
  });
});

test("a name that only begins with a quotation mark makes no row doubtful", async () => {
  const row = writeUser("ann", [[NAME, '"Bee" Lee']]);
  expect(await read(BEFORE + row + MANY_ROWS)).toEqual(["before", "ann", ...MANY]);
});

test("a name that begins with a quotation mark at the file's end is refused: the file may be cut off", async () => {
  const forgedEnd = `"x,,,,,,,,,,,,,,,,,,1,2,+15550100099,false,${",".repeat(26)}\n`;
  const hostile = `mallory,m@example.com,true,,,${forgedEnd}`;
  expect(await read(BEFORE + hostile)).toEqual(["before", BAD]);
  expect(await read(BEFORE + hostile + AFTER)).toEqual(["before", BAD, BAD]);
});

test("quoted names in row after row are read where they are too far apart to be one name", async () => {
  const hash: [number, string] = [3, "x".repeat(88)];
  const id = (short: string): string => short.padEnd(28, "0");
  const rows = MANY.map((one) => writeUser(id(one), [hash, [NAME, `Lee, ${one}`]]));
  expect(await read(rows.join(""))).toEqual(MANY.map(id));
  const short = MANY.map((one) => writeUser(one, [[NAME, `Lee, ${one}`]]));
  expect(await read(short.join(""))).toEqual(MANY.map(() => BAD));
});

describe("a file of rejects", () => {
  const REASON = { code: "no_contact", hint: "Mend it, please.", row: "row 1 of users.csv" };

  async function rejectsOf(text: string): Promise<string> {
    const lines: string[] = [];
    const head = { path: "users.csv", text, complete: true };
    for await (const { raw, length } of readRows(head, pieces(Buffer.from(text), 50))) {
      for (let index = 0; index < length; index++) {
        lines.push(raw?.form.write(raw.at(index), REASON) ?? "");
      }
    }
    return lines.reverse().join("");
  }

  test("has each row as JSON, and gives the same user", async () => {
    const text =
      writeUser("ann", [
        [NAME, "Lee, Ann"],
        [PHONE, "+15550100001"],
      ]) +
      writeUser("ben", [
        [CLAIMS, '{"admin":true}'],
        [7, "1084"],
      ]);
    const users = await readUsers(firebase, text);
    expect(await readUsers(firebase, await rejectsOf(text))).toEqual(users.reverse());
  });

  test("lets in no row that somebody has hidden in a name, wherever its lines come to stand", async () => {
    const text = writeUser("mallory", [[NAME, `x\n${FORGED}y`]]) + MANY_ROWS;
    const told = await readUsers(firebase, await rejectsOf(text));
    expect(told).toHaveLength(MANY.length + 3);
    expect(JSON.stringify(told)).not.toContain("victim");
    expect(
      told.filter((one) => typeof one === "string" && /^row_not_mended/.test(one)),
    ).toHaveLength((await read(text)).filter((one) => one === BAD).length);
  });
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
