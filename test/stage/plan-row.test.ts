import { describe, expect, it } from "vitest";
import type { PlanningContext } from "../../src/stage/plan-row.js";
import { createDigester } from "../../src/plan/digests.js";
import { DEFAULT_POLICY } from "../../src/plan/policy.js";
import { RANK } from "../../src/plan/rank.js";
import type { UserRecord } from "../../src/account/user-record.js";
import { at } from "../run/support/user-keys.js";
import {
  BCRYPT,
  email,
  phone,
  planningContext,
  record,
  planAlone,
} from "../run/support/records.js";

const digester = createDigester("salt");
const context = planningContext(digester);
const ADA = "ada@example.com";
const PHONE = "+15550100001";

function keysOf(fields: Partial<UserRecord>, changes: Partial<PlanningContext> = {}) {
  return planAlone(record(fields), at(1), { ...context, ...changes }).keys;
}

describe("a user's identity", () => {
  it("is the vendor's id within source and namespace", () => {
    const keys = [
      keysOf({ sourceId: "1" }),
      keysOf({ sourceId: "2" }),
      keysOf({ sourceId: "1" }, { namespace: "shop" }),
      keysOf({ sourceId: "1" }, { source: "firebase" }),
    ].map(({ identity, keyed }) => [keyed, identity].join());
    expect(new Set(keys).size).toBe(4);
    expect(keysOf({ sourceId: "1", email: email(ADA) }).identity).toBe(
      keysOf({ sourceId: "1" }).identity,
    );
  });

  it("is a contact where there is no id, the email first, and the row where there is neither", () => {
    const without = { sourceId: null };
    expect(keysOf({ ...without, email: email(ADA), phone: phone(PHONE) })).toMatchObject({
      identity: digester.contact("email", ADA),
      keyed: false,
    });
    expect(keysOf({ ...without, phone: phone(PHONE) }).identity).toBe(
      digester.contact("phone", PHONE),
    );
    expect(keysOf(without).identity).toBe(digester.row("users.csv", 1));
  });
});

describe("the id that is told and kept", () => {
  it("is the vendor's", () => {
    for (const sourceId of ["7", "auth0|5f7c8e", "15550100002", "a+b/c1234567="]) {
      expect(keysOf({ sourceId, phone: phone(PHONE) }).sourceId).toBe(sourceId);
    }
  });

  it.each([
    ADA,
    `mailto:${ADA}`,
    encodeURIComponent(ADA),
    PHONE,
    "+1 (555) 010-0001",
    `sms|${PHONE}`,
    PHONE.slice(1),
  ])("is none where it is a contact: %j", (sourceId) => {
    expect(keysOf({ sourceId, phone: phone(PHONE) }).sourceId).toBeNull();
  });
});

describe("a user's contacts", () => {
  const byEmail = { kind: "email", key: digester.contact("email", ADA), rank: RANK.notSaid };
  const byPhone = { kind: "phone", key: digester.contact("phone", PHONE), rank: RANK.notSaid };
  const both = { email: email(ADA), phone: phone(PHONE) };

  it("are those that the user gets at the core", () => {
    expect(keysOf(both).contacts).toEqual([byEmail, byPhone]);
    const withHash = { ...both, hash: { kind: "text", text: BCRYPT } as const };
    expect(keysOf(withHash).contacts).toEqual([byEmail]);
    const unverified = { email: email(ADA, false), phone: phone(PHONE) };
    expect(keysOf(unverified).contacts).toEqual([byPhone]);
  });

  it("are in the order in which the user gets them", () => {
    const phoneFirst = { email: email(ADA), phone: phone(PHONE, true) };
    expect(keysOf(phoneFirst).contacts).toEqual([{ ...byPhone, rank: RANK.verified }, byEmail]);
  });

  it("are none where the user is skipped or rejected", () => {
    expect(keysOf({ ...both, exclusions: ["disabled"] }).contacts).toEqual([]);
    const damaged = { ...both, hash: { kind: "text", text: "oops" } as const };
    expect(keysOf(damaged).contacts).toEqual([]);
  });
});

describe("the vendor's id in the checkpoint", () => {
  it.each(["ada@example.com", "auth0|ada@example.com", "+15550100001", "+1 (555) 010-0001"])(
    "is left out where it looks like a contact",
    (sourceId) => expect(keysOf({ sourceId }).sourceId).toBeNull(),
  );

  it.each(["r-1001", "018f2d2e-7b6a-7c3d-8e4f-5a6b7c8d9e0f", "15550100001"])(
    "is kept where it doesn't: %s",
    (sourceId) => expect(keysOf({ sourceId }).sourceId).toBe(sourceId),
  );
});

describe("a scrypt hash without the account's parameters", () => {
  const scrypt = record({
    email: email(ADA),
    hash: { kind: "vendor_scrypt", hash: "aGFzaA==", salt: "c2FsdA==" },
  });

  it("stops the run, naming the row: every user of the export would be refused", () => {
    expect(() => planAlone(scrypt, at(4), context)).toThrow(
      expect.objectContaining({
        code: "hash_config_missing",
        message: expect.stringContaining("users.csv, row 4"),
        hint: expect.stringContaining("--hash-config"),
      }),
    );
  });

  it.each([
    ["withheld from whoever exported it", "UkVEQUNURUQ=", "firebase_redacted"],
    ["the emulator's, which has the password", "fakeHash:salt=sea:password=x", "firebase_emulator"],
  ])("is judged first: one %s asks for no parameters", (_what, hash, code) => {
    const withheld = record({
      email: email(ADA),
      hash: { kind: "vendor_scrypt", hash, salt: "c2FsdA==" },
    });
    expect(planAlone(withheld, at(4), context)).toMatchObject({ plan: { kind: "reject", code } });
  });

  it("goes on where the operator takes such users without a password", () => {
    const policy = { ...DEFAULT_POLICY, onUnusableHash: "passwordless" } as const;
    const { plan } = planAlone(scrypt, at(4), { ...context, policy });
    expect(plan).toMatchObject({ kind: "passwordless", notices: ["password_not_migrated"] });
  });
});
