import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  readLine,
  USUAL_WIDTH,
  widthOf,
} from "../../../../src/source/vendors/firebase/firebase-csv.js";
import { writeRow as write } from "./firebase-rows.js";
import { runs } from "../../../support/repeated.js";

function user(more: readonly (readonly [number, string])[] = []): Map<number, string> {
  return new Map([
    [0, "a1"],
    [1, "ann@example.com"],
    [2, "true"],
    [23, "1693562400000"],
    [24, "1704164645000"],
    [26, "false"],
    ...more,
  ]);
}

function parse(line: string, width = USUAL_WIDTH): object | null {
  return readLine(line, width).user;
}

const OWN = { phoneNumber: "+15550100001", disabled: false };
/** The identities of a row in which no provider's columns can be told from others. */
const SOME_SOCIAL = [{ providerId: "google.com" }];

describe("a line of Firebase's CSV", () => {
  test.each([52, 28])("is read in its %i columns", (width) => {
    const line = write(user([[25, "+15550100001"]]), width);
    expect(widthOf([line])).toBe(width + 1);
    expect(parse(line, width + 1)).toMatchObject({ localId: "a1", ...OWN, providerUserInfo: [] });
  });

  test("may end in CRLF, or lack the comma at its end", () => {
    const line = write(user([[26, "true"]]));
    expect(parse(line.replace("\n", "\r\n"))).toMatchObject({ disabled: true });
    const bare = line.replace(/,\n$/, "\n");
    expect(parse(bare, widthOf([bare]) ?? 0)).toMatchObject({ disabled: true });
  });

  test.each([
    ["Lee, Ann", ""],
    ['Ann "Bee" Lee', ""],
    ['"Bee", Ann', ""],
    ['Lee "Bee", Ann', '{"admin":true,"team":"blue"}'],
    ["", '{"motto":"say \\"hi\\", then go","level":3}'],
    ["", '{"quote":"\\"","next":"a,b"}'],
    ['"', '{"a":"1","b":"2","c":"3","d":"4"}'],
    ["Lee, Ann, PhD", '{"a":["x","y","z"],"b":{"c":"d,e"}}'],
    ["Lee, Ann", '{"brace":"}","next":"}, x"}'],
    ["Lee, Ann", '{"counts":[1,2,3,4,5,6],"is":[true,false]}'],
  ])("is read rightly whatever quotes and commas name and claims hold (%#)", (name, claims) => {
    const row = parse(
      write(
        user([
          [5, name],
          [7, "108400000000000000001"],
          [13, "Doe, Jo"],
          [25, "+15550100001"],
          [27, claims],
        ]),
      ),
    );
    expect(row).toMatchObject({ email: "ann@example.com", ...OWN, providerUserInfo: SOME_SOCIAL });
    expect(row !== null && "customAttributes" in row).toBe(claims !== "");
  });

  test.each([
    ["https://photos.example.com/a,b.png", "https://photos.example.com/s96,c.png"],
    ["x,y", ""],
    [",,,", ""],
  ])("is read rightly with commas in photo URLs, which are never quoted (%#)", (own, theirs) => {
    const row = parse(
      write(
        user([
          [6, own],
          [10, theirs],
          [25, "+15550100001"],
          [26, "true"],
        ]),
      ),
    );
    expect(row).toMatchObject({ ...OWN, disabled: true });
  });

  test("says nothing of social identities that aren't there", () => {
    const photo = "https://photos.example.com/a,b.png";
    const claims = '{"admin":true,"team":"blue"}';
    const rows = [[[6, photo]], [[5, "Lee, Ann"]], [[27, claims]]] as const;
    for (const row of rows) expect(parse(write(user(row)))).toMatchObject({ providerUserInfo: [] });
    expect(parse(write(user([[5, "Lee, Ann"]]), 28), 29)).toMatchObject({ providerUserInfo: [] });
  });

  test("has no other's social identity, whatever somebody chose as a name", () => {
    const name = '","x",,108400000000000000001,victim@example.com,"';
    expect(JSON.stringify(parse(write(user([[5, name]]))))).not.toContain("1084");
  });

  test("is either read rightly or refused, whatever somebody chose as name and photo", () => {
    const hostile = fc.array(
      fc.constantFrom(
        ...[",", ",,,", ",,,,,", '"', '",', ',"', "1", "1,2,+1555,false", ",1,2,,false,"],
        ...["true", "false", "+1555", '"{', '}"', "x"],
      ),
      { maxLength: 40 },
    );
    const claims = fc.constantFrom("", '{"a":1,"b":"c,d"}');
    const joined = fc.constantFrom("", "1693562400000");
    const flag = fc.constantFrom("", "true");
    fc.assert(
      fc.property(
        fc.tuple(hostile, hostile, hostile),
        claims,
        joined,
        flag,
        ([name, photo, social], claim, created, disabled) => {
          const truth = user([
            [5, name.join("")],
            [6, photo.join("")],
            [9, social.join("")],
            [23, created],
            [26, disabled],
            [27, claim],
          ]);
          const row = parse(write(truth));
          const own = { email: "ann@example.com", phoneNumber: "", disabled: disabled === "true" };
          if (row !== null) expect(row).toMatchObject(own);
        },
      ),
      { numRuns: runs(1000) },
    );
  });

  test.each([
    ["a name", 5],
    ["a photo", 6],
  ])("that can be read in two ways because of %s is refused", (_what, column) => {
    const rest = [...Array.from({ length: 17 }, () => ""), "1", "2", "+15550100099", "false", ""];
    const spoof = user([
      [column, `x${rest.join(",")}`],
      [26, "true"],
    ]);
    expect(parse(write(spoof))).toBeNull();
  });

  test("shows a file's width where no name has made it wider", () => {
    const odd = write(user([[5, `x${",".repeat(24)}`]]), 28);
    expect(widthOf([odd, write(user(), 28)])).toBe(29);
    expect(widthOf([write(user([[5, "Lee, Ann"]]))])).toBeNull();
  });

  test("with too few columns is refused, and one that lacks its end where commas may be missing", () => {
    expect(parse(write(user(), 28))).toBeNull();
    expect(parse("a,b,c\n")).toBeNull();
    const wide = write(user([[5, "a,b,c,d,e,f,g"]])).trimEnd();
    for (let commas = 1; commas < 8; commas++) expect(parse(wide.slice(0, -commas))).toBeNull();
  });
});
