import { describe, expect, test } from "vitest";
import { buildRecord } from "../../src/account/build-record.js";
import { parseFlag } from "../../src/account/parse-flag.js";
import type { UserDraft } from "../../src/account/user-draft.js";

const EMPTY: UserDraft = {
  sourceId: "",
  email: "",
  emailVerified: null,
  phone: "",
  phoneVerified: null,
  hash: null,
  exclusions: [],
  notices: [],
};

describe("buildRecord", () => {
  test("normalizes contacts and keeps the rest as exported", () => {
    const draft: UserDraft = {
      sourceId: " user-1 ",
      email: " Ann@Example.COM",
      emailVerified: true,
      phone: "+1 (555) 010-0001",
      phoneVerified: false,
      hash: { kind: "text", text: " as it is " },
      exclusions: ["disabled"],
      notices: ["profile_not_migrated"],
    };
    expect(buildRecord(draft)).toEqual({
      sourceId: "user-1",
      email: { value: "ann@example.com", verified: true },
      phone: { value: "+15550100001", verified: false },
      hash: { kind: "text", text: " as it is " },
      exclusions: ["disabled"],
      notices: ["profile_not_migrated"],
      emailAsWritten: "Ann@Example.COM",
    });
  });

  test("hands on the names under which a password export may know the user", () => {
    const passwordKeys = ["auth0|1", "1"];
    expect(buildRecord({ ...EMPTY, email: "ann@example.com", passwordKeys })).toEqual({
      ...{ sourceId: null, phone: null, hash: null, exclusions: [], notices: [] },
      email: { value: "ann@example.com", verified: null },
      passwordKeys,
    });
  });

  test("takes empty text for nothing, and leaves a user without contacts to the plan", () => {
    expect(buildRecord({ ...EMPTY, sourceId: " ", email: " ", phone: "\t" })).toEqual({
      ...{ sourceId: null, email: null, phone: null, hash: null, exclusions: [], notices: [] },
    });
  });

  test("drops an unusable contact beside a usable one, with a notice", () => {
    const badEmail = { ...EMPTY, email: "ann@localhost", phone: "+15550100001" };
    expect(buildRecord({ ...badEmail, hash: { kind: "text", text: "x" } })).toMatchObject({
      email: null,
      phone: { value: "+15550100001" },
      hash: { text: "x" },
      notices: ["contact_unusable"],
    });
    expect(
      buildRecord({ ...EMPTY, email: "ann@example.com", phone: "5550100", notices: ["first"] }),
    ).toMatchObject({ phone: null, notices: ["first", "phone_country_missing"] });
  });

  test.each([
    ["email_invalid", { email: "ann" }],
    ["email_several", { email: "ann@example.com, ben@example.com" }],
    ["email_holds_phone", { email: "+15550100001" }],
    ["email_holds_phone", { email: "5550100001", phone: "ann@example.com" }],
    ["email_escaped", { email: "'ann@example.com" }],
    ["email_invisible_characters", { email: "ann\u200b@example.com" }],
    ["phone_invalid", { phone: "555" }],
    ["phone_country_missing", { phone: "5550100001" }],
    ["phone_scientific_notation", { phone: "1.55501E+10" }],
    ["phone_several", { phone: "+15550100001, +15550100002" }],
    ["phone_holds_email", { phone: "ann@example.com" }],
    ["email_invalid", { email: "ann", phone: "5550100001" }],
  ])("rejects a row whose contacts are all unusable as %s (%#)", (code, contacts) => {
    const reject = buildRecord({ ...EMPTY, ...contacts });
    expect(reject).toMatchObject({ code, hint: expect.stringMatching(/\. The row has no other/) });
    const told = JSON.stringify(reject).replace("write it like +15550100001", "");
    expect(told).not.toMatch(/"ann|@|55501000/);
  });

  test.each([
    ["contact_unusable", { email: "ann@example.com, ben@example.com", phone: "+15550100001" }],
    ["contact_unusable", { email: "ann@example.com", phone: "1.55501E+10" }],
    ["contact_unusable", { email: "ann@example.com", phone: "ann@example.com" }],
    ["phone_country_missing", { email: "ann@example.com", phone: "5550100001" }],
  ])("notices %s where the other contact is usable (%#)", (code, contacts) => {
    expect(buildRecord({ ...EMPTY, ...contacts })).toMatchObject({ notices: [code] });
  });

  test("reads a number without its + in the country that the operator names", () => {
    const draft = { ...EMPTY, phone: "0151 12345678", phoneVerified: true };
    expect(buildRecord(draft, { defaultCountry: "DE" })).toMatchObject({
      phone: { value: "+4915112345678", verified: true },
      notices: ["contact_mended"],
    });
    const unclear = buildRecord({ ...EMPTY, phone: "15123456789" }, { defaultCountry: "DE" });
    expect(unclear).toMatchObject({
      code: "phone_country_unclear",
      hint: expect.stringContaining("--default-country"),
    });
  });

  test("notices what was mended", () => {
    const spoiled = { email: "Ann <ann@example.com>", phone: "'+15550100001.0" };
    expect(buildRecord({ ...EMPTY, ...spoiled, notices: ["first"] })).toMatchObject({
      email: { value: "ann@example.com" },
      phone: { value: "+15550100001" },
      notices: ["first", "contact_mended"],
    });
  });

  test.each([
    ...["NULL", "null", "\\N", "(null)", "<null>", "nil", "None", "undefined", "NaN"],
    ...["N/A", "n/a", "#N/A", "-", " null ", "\t"],
  ])("takes what stands for nothing for nothing (%#)", (text) => {
    expect(buildRecord({ ...EMPTY, sourceId: text, email: text, phone: text })).toEqual({
      ...{ sourceId: null, email: null, phone: null, hash: null, exclusions: [], notices: [] },
    });
  });

  test.each(["0", "none@example.com", "nobody", "--"])("takes other text for text (%#)", (text) => {
    expect(buildRecord({ ...EMPTY, sourceId: text, exclusions: ["disabled"] })).toMatchObject({
      sourceId: text,
    });
  });

  test("doesn't ask for usable contacts of a user whom the vendor keeps out", () => {
    expect(buildRecord({ ...EMPTY, email: "ann", exclusions: ["disabled"] })).toMatchObject({
      exclusions: ["disabled"],
      email: null,
      notices: ["contact_unusable"],
    });
  });

  test("keeps an id with white space or letters of any script inside", () => {
    for (const sourceId of ["Ann Lee", "用户-1", "a".repeat(1024), "CORP\\ann"]) {
      expect(buildRecord({ ...EMPTY, sourceId })).toMatchObject({ sourceId });
    }
  });

  test.each(["a\u0000b", "a\nb", "a\u0085b", "a\ud800b", "x".repeat(1025)])(
    "rejects an id that can't be a key (%#)",
    (sourceId) => {
      expect(buildRecord({ ...EMPTY, sourceId, email: "ann@example.com" })).toMatchObject({
        code: "id_invalid",
      });
    },
  );
});

test.each(["1.05463E+20", "1,05463e+20", "1e+21"])(
  "buildRecord takes what a spreadsheet made of a long number for no id: %s",
  (sourceId) => {
    expect(buildRecord({ ...EMPTY, sourceId, email: "ann@example.com" })).toMatchObject({
      code: "id_imprecise",
      sourceId: null,
    });
  },
);

describe("parseFlag", () => {
  test.each(["true", "TRUE", " t ", "yes", "Y", "1"])("reads yes (%#)", (text) => {
    expect(parseFlag(text)).toBe(true);
  });

  test.each(["false", "F", "no", "n", "0"])("reads no (%#)", (text) => {
    expect(parseFlag(text)).toBe(false);
  });

  test.each([
    ...[" ja ", "J", "WAHR", "VRAI", "VERDADERO", "VERDADEIRO", "PRAWDA", "ИСТИНА", "DOĞRU"],
    ...["1.0", "\u0001", "b'1'", "0x01"],
  ])("reads yes of other languages, spreadsheets and databases (%#)", (text) => {
    expect(parseFlag(text)).toBe(true);
  });

  test.each([
    ...["nein", "FALSCH", "FAUX", "FALSO", "ONWAAR", "FAŁSZ", "ЛОЖЬ", "YANLIŞ"],
    ...["0.0", "\0", "\\0", "b'0'", "0x00"],
  ])("reads no of them (%#)", (text) => {
    expect(parseFlag(text)).toBe(false);
  });

  test.each(["", "maybe", "2", "null"])("says nothing for other text (%#)", (text) => {
    expect(parseFlag(text)).toBeNull();
  });
});
