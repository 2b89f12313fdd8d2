import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { genericCsv, genericJson } from "../../src/source/mapping/generic-files.js";
import type { Source } from "../../src/source/source.js";
import { firebase } from "../../src/source/vendors/firebase/firebase.js";
import { collect, PLAIN, pieces } from "./support.js";
import { writeUser } from "./vendors/firebase/firebase-rows.js";

/** A user a line, but for those whose name goes on; a blank line, and one that is no row of this table. */
const ROWS = [
  '1,ann@example.com,"Ann\nLee"',
  "2,ben@example.com,Ben",
  "",
  '3,cem@example.com,"Cem\r\nde\r\nla Cruz"',
  "4,dora@example.com",
  '5,eve@example.com,"Eve ""E"" Ek"',
];

/** Where each row begins, as `grep -n` counts. */
function linesOf(text: string, starts: readonly string[]): number[] {
  return starts.map((start) => text.slice(0, text.indexOf(start)).split("\n").length);
}

async function read(source: Source, text: string | Buffer, size: number): Promise<unknown[]> {
  const items = await collect(source.read("users", pieces(Buffer.from(text), size), PLAIN));
  return items.map(({ line }) => line);
}

describe.each([1, 7, 1000])("the line at which a row begins, in pieces of %i bytes", (size) => {
  test.each(["\n", "\r\n"])("is counted in a CSV whose rows end in %j", async (end) => {
    const text = ["id,email,name", ...ROWS, ""].join(end);
    const lines = linesOf(text, ["1,a", "2,b", "3,c", "4,d", "5,e"]);
    expect(lines).toEqual([2, 4, 6, 9, 10]);
    expect(await read(genericCsv, text, size)).toEqual(lines);
    expect(await read(genericCsv, gzipSync(text), size)).toEqual(lines);
  });

  test("is counted below a header that has a line break itself, and behind a row that is too large", async () => {
    const large = `2,ben@example.com,"${"ben\n".repeat(300_000)}"`;
    const text = `\n\nid,email,"the\nname"\n1,ann@example.com,Ann\n${large}\n3,cem@example.com,Cem\n`;
    expect(await read(genericCsv, text, size * 5000)).toEqual([5, 6, 300_007]);
  });

  test("is counted in a vendor's CSV, whose names may hold line breaks", async () => {
    const odd = writeUser("ann", [[5, "Ann\nLee"]]);
    const text = `${writeUser("before")}\n${odd}${writeUser("after")}`;
    expect(await read(firebase, text, size)).toEqual([1, 3, 4, 5]);
  });

  test("is the number of the line where an object stands on one, and none in a document", async () => {
    const users = ["ann", "ben"].map((name) => JSON.stringify({ email: `${name}@example.com` }));
    expect(await read(genericJson, `\n${users.join("\n\n")}\n`, size)).toEqual([2, 4]);
    expect(await read(genericJson, `[\n${users.join(",\n")}\n]\n`, size)).toEqual([
      undefined,
      undefined,
    ]);
  });
});
