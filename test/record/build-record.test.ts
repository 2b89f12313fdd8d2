import { describe, expect, test } from "vitest";
import { buildRecord } from "../../src/record/build-record.js";
import { parseFlag } from "../../src/record/parse-flag.js";
import type { UserDraft } from "../../src/record/user-draft.js";

const EMPTY: UserDraft = {
  sourceId: "",
  email: "",
  emailVerified: null,
  phone: "",
  phoneVerified: null,
  hash: null,
  exclusion: null,
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
      exclusion: "disabled",
      notices: ["profile_not_migrated"],
    };
    expect(buildRecord(draft)).toEqual({
      sourceId: "user-1",
      email: { value: "ann@example.com", verified: true },
      phone: { value: "+15550100001", verified: false },
      hash: { kind: "text", text: " as it is " },
      exclusion: "disabled",
      notices: ["profile_not_migrated"],
    });
  });

  test("takes empty text for nothing, and leaves a user without contacts to the plan", () => {
    expect(buildRecord({ ...EMPTY, sourceId: " ", email: " ", phone: "\t" })).toEqual({
      ...{ sourceId: null, email: null, phone: null, hash: null, exclusion: null, notices: [] },
    });
  });

  test("drops an unusable contact beside a usable one, with a notice", () => {
    const badEmail = { ...EMPTY, email: "ann@localhost", phone: "+15550100001" };
    expect(buildRecord({ ...badEmail, hash: { kind: "text", text: "x" } })).toMatchObject({
      email: null,
      phone: { value: "+15550100001" },
      hash: { text: "x" },
      notices: ["email_invalid"],
    });
    expect(
      buildRecord({ ...EMPTY, email: "ann@example.com", phone: "5550100", notices: ["first"] }),
    ).toMatchObject({ phone: null, notices: ["first", "phone_invalid"] });
  });

  test.each([
    ["email_invalid", { email: "ann" }],
    ["phone_invalid", { phone: "5550100001" }],
    ["email_invalid", { email: "ann", phone: "5550100001" }],
  ])("rejects a row whose contacts are all unusable as %s (%#)", (code, contacts) => {
    const reject = buildRecord({ ...EMPTY, ...contacts });
    expect(reject).toMatchObject({ code });
    expect(JSON.stringify(reject)).not.toMatch(/"ann"|5550100001"/);
  });

  test("doesn't ask for usable contacts of a user whom the vendor keeps out", () => {
    expect(buildRecord({ ...EMPTY, email: "ann", exclusion: "disabled" })).toMatchObject({
      exclusion: "disabled",
      email: null,
      notices: ["email_invalid"],
    });
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

describe("parseFlag", () => {
  test.each(["true", "TRUE", " t ", "yes", "Y", "1"])("reads yes (%#)", (text) => {
    expect(parseFlag(text)).toBe(true);
  });

  test.each(["false", "F", "no", "n", "0"])("reads no (%#)", (text) => {
    expect(parseFlag(text)).toBe(false);
  });

  test.each(["", "maybe", "2", "null"])("says nothing for other text (%#)", (text) => {
    expect(parseFlag(text)).toBeNull();
  });
});
