import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type FirebaseCsvRow,
  formOf,
  readRow,
} from "../../../../src/source/vendors/firebase/firebase-csv.js";
import { USUAL_FORM } from "../../../../src/source/vendors/firebase/firebase-csv-form.js";
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

function parse(line: string): FirebaseCsvRow | null {
  return readRow(line, formOf([line]) ?? USUAL_FORM);
}

describe("a line of Firebase's CSV", () => {
  test.each([52, 28])("is read in its %i columns", (width) => {
    const line = write(user([[25, "+15550100001"]]), width);
    expect(formOf([line])).toHaveLength(width + 1);
    expect(parse(line)).toMatchObject({ localId: "a1", phone: "+15550100001", hasSocial: false });
  });

  test("may end in CRLF, or lack the comma at its end", () => {
    const line = write(user([[26, "true"]]));
    expect(parse(line.replace("\n", "\r\n"))).toMatchObject({ disabled: true });
    expect(parse(line.replace(/,\n$/, "\n"))).toMatchObject({ disabled: true });
  });

  test.each([
    ["Lee, Ann", ""],
    ['Ann "Bee" Lee', ""],
    ['"Bee", Ann', ""],
    ['Lee "Bee", Ann', '{"admin":true,"team":"blue"}'],
    ["", '{"motto":"say \\"hi\\", then go","level":3}'],
    ["", '{"quote":"\\"","next":"a,b"}'],
    ['"', '{"a":"1","b":"2","c":"3","d":"4"}'],
    ["Lee, Ann,,, PhD", '{"a":["x","y","z"],"b":{"c":"d,e"}}'],
    ["Lee, Ann", '{"brace":"}","next":"}, x"}'],
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
    expect(row).toMatchObject({
      email: "ann@example.com",
      phone: "+15550100001",
      disabled: false,
      hasSocial: true,
      hasClaims: claims !== "",
    });
  });

  test.each([
    ["https://photos.example.com/a,b,c.png", ""],
    ["x,y", "https://photos.example.com/s96,c.png"],
    [",,,", ""],
  ])("is read rightly with commas in photo URLs, which are never quoted (%#)", (own, theirs) => {
    const row = parse(
      write(
        user([
          [5, "Lee, Ann"],
          [6, own],
          [10, theirs],
          [25, "+15550100001"],
          [26, "true"],
        ]),
      ),
    );
    expect(row).toMatchObject({ phone: "+15550100001", disabled: true });
  });

  test("says nothing of social identities that aren't there", () => {
    const photo = "https://photos.example.com/a,b.png";
    expect(parse(write(user([[6, photo]])))).toMatchObject({ hasSocial: false, hasProfile: true });
    expect(parse(write(user([[5, "Lee, Ann"]])))).toMatchObject({ hasSocial: false });
  });

  test("is either read rightly or refused, whatever somebody chose as name and photo", () => {
    const hostile = fc.array(
      fc.constantFrom(",", ",,,", '"', '",', ',"', "1", "true", "false", "+1555", '"{', '}"', "x"),
      { maxLength: 40 },
    );
    const claims = fc.constantFrom("", '{"a":1,"b":"c,d"}');
    fc.assert(
      fc.property(hostile, hostile, hostile, claims, (name, photo, social, claim) => {
        const truth = user([
          [5, name.join("")],
          [6, photo.join("")],
          [9, social.join("")],
          [26, "true"],
          [27, claim],
        ]);
        const row = parse(write(truth));
        if (row !== null) expect([row.phone, row.disabled]).toEqual(["", true]);
      }),
      { numRuns: runs(1000) },
    );
  });

  test("that can be read in two ways is refused", () => {
    const others = [...Array.from({ length: 17 }, () => ""), "1", "2", "", "false"];
    const name = ['Ann"', ...others, '"{x'].join(",");
    const spoof = user([
      [5, name],
      [26, "true"],
      [27, '{"role":"none"}'],
    ]);
    expect(parse(write(spoof))).toBeNull();
  });

  test("is no other phone's or flag's where a photo looks like the rest of a row", () => {
    const rest = [...Array.from({ length: 16 }, () => ""), "1", "2", "+15550100099", "false"];
    const spoof = user([
      [6, `https://x${rest.join(",")}`],
      [25, "+15550100001"],
      [26, "true"],
    ]);
    expect(parse(write(spoof))).toMatchObject({ phone: "+15550100001", disabled: true });
  });

  test("that could be of two forms settles none for its file", () => {
    const odd = write(user([[5, `x${",".repeat(24)}`]]), 28);
    expect(formOf([odd])).toBeNull();
    expect(formOf([odd, write(user(), 28)])).toHaveLength(29);
  });

  test("with too few or too many columns is refused", () => {
    expect(readRow(write(user(), 28), USUAL_FORM)).toBeNull();
    expect(readRow("a,b,c\n", USUAL_FORM)).toBeNull();
    expect(parse(write(user([[5, "x,".repeat(5000)]])))).toBeNull();
  });

  test("is open where a name begins with a quotation mark that nothing closes", () => {
    expect(parse(write(user([[5, '"Bee" Lee']])))).toMatchObject({ isOpen: true });
    expect(parse(write(user([[5, '"Bee"']])))).toMatchObject({ isOpen: false });
    expect(parse(write(user([[5, "Lee, Ann"]])))).toMatchObject({ isOpen: false });
  });
});
