import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { definedCodes, refusalsOf } from "../../src/hash/flaw.js";
import { optionName } from "../../src/errors/option-name.js";
import { isRefusal, planUser } from "../../src/plan/plan.js";
import { DEFAULT_POLICY, type Policy } from "../../src/plan/policy.js";
import type { Exclusion, UserRecord } from "../../src/account/user-record.js";
import { BCRYPT, email, NO_HASH, phone, REFUSED, record, USABLE } from "../run/support/records.js";

const ADA = "ada@example.com";
const PHONE = "+15550100001";

function policy(changes: Partial<Policy>): Policy {
  return { ...DEFAULT_POLICY, ...changes };
}

describe("a user with a usable hash", () => {
  it("is imported under the email", () => {
    const plan = planUser(record({ email: email(ADA) }), USABLE, DEFAULT_POLICY);
    expect(plan).toEqual({
      kind: "import",
      email: ADA,
      passwordHash: BCRYPT,
      algorithm: "bcrypt",
      unverified: false,
      keepId: null,
      account: null,
      notices: [],
    });
  });

  it("keeps the email as the way in even where the vendor never verified it: the password proves the owner", () => {
    const plan = planUser(record({ email: email(ADA, false) }), USABLE, DEFAULT_POLICY);
    const notices = ["unverified_email_with_password"];
    expect(plan).toMatchObject({ kind: "import", email: ADA, unverified: true, notices });
  });

  it("leaves the phone behind with a notice", () => {
    const both = record({ email: email(ADA), phone: phone(PHONE, true), notices: ["mfa"] });
    const plan = planUser(both, USABLE, DEFAULT_POLICY);
    expect(plan).toMatchObject({ kind: "import", notices: ["mfa", "phone_not_migrated"] });
    expect(plan).not.toHaveProperty("phone");
  });

  it("loses the mark that the vendor has verified the email, and the operator is told", () => {
    const lost = (fields: Partial<UserRecord>): unknown =>
      planUser(record(fields), USABLE, DEFAULT_POLICY);
    const told = "verification_not_migrated";
    expect(lost({ email: email(ADA, true) })).toMatchObject({ notices: [told] });
    expect(lost({ email: email(ADA, false) })).toMatchObject({
      notices: ["unverified_email_with_password"],
    });
    expect(lost({ email: email(ADA), phone: phone(PHONE, true) })).toMatchObject({
      notices: ["phone_not_migrated"],
    });
    expect(lost({ email: email(ADA, true), phone: phone(PHONE) })).toMatchObject({
      notices: ["phone_not_migrated", told],
    });
  });

  it("is rejected without an email, unless the operator takes them without the password", () => {
    const onlyPhone = record({ phone: phone(PHONE, true) });
    expect(planUser(onlyPhone, USABLE, DEFAULT_POLICY)).toMatchObject({
      kind: "reject",
      code: "hash_without_email",
    });
    expect(planUser(onlyPhone, USABLE, policy({ onUnusableHash: "passwordless" }))).toEqual({
      kind: "passwordless",
      first: "phone",
      email: null,
      phone: PHONE,
      keepId: null,
      account: null,
      notices: ["password_not_migrated"],
    });
  });
});

describe("a user whose id is to be kept", () => {
  const keeping = policy({ keepIds: true });
  const ada = record({ sourceId: "u-1", email: email(ADA) });

  it("brings it along in the plan, with a password and without one", () => {
    expect(planUser(ada, USABLE, keeping)).toMatchObject({ kind: "import", keepId: "u-1" });
    expect(planUser(ada, NO_HASH, keeping)).toMatchObject({ kind: "passwordless", keepId: "u-1" });
  });

  it("keeps an id that looks like a contact: it is the application's key all the same", () => {
    const named = { ...ada, sourceId: ADA };
    expect(planUser(named, USABLE, keeping)).toMatchObject({ keepId: ADA });
  });

  it("is rejected without one, and the way out is named", () => {
    const nameless = { ...ada, sourceId: null };
    const plan = planUser(nameless, USABLE, keeping);
    expect(plan).toMatchObject({ kind: "reject", code: "id_missing" });
    expect(plan).toHaveProperty("hint", expect.stringMatching(/--map id=.*without --keep-ids/));
    expect(planUser(nameless, USABLE, DEFAULT_POLICY)).toMatchObject({ kind: "import" });
  });

  it.each([
    [128, "x", "import"],
    [129, "x", "reject"],
    [128, "𝄞", "import"],
    [129, "𝄞", "reject"],
  ])("may have %i characters of %s: %s", (count, character, kind) => {
    const plan = planUser({ ...ada, sourceId: character.repeat(count) }, USABLE, keeping);
    expect(plan.kind).toBe(kind);
    if (plan.kind === "reject") expect(plan.code).toBe("id_not_mappable");
  });

  it("is skipped or rejected for what keeps them out anyway, first of all", () => {
    const nameless = { ...ada, sourceId: null };
    const disabled = { ...nameless, exclusions: ["disabled"] as const };
    expect(planUser(disabled, USABLE, keeping)).toMatchObject({ kind: "skip", code: "disabled" });
    expect(planUser(nameless, REFUSED, keeping)).toMatchObject({ code: "bcrypt_truncated" });
  });
});

describe("a user whose hash was refused", () => {
  it("is told both options where no contact is verified, since the first alone rejects the user again", () => {
    const unverified = { email: email(ADA, false) };
    const without = `${optionName("--on-unusable-hash")} passwordless`;
    const both = `${without} and ${optionName("--include")} unverified`;
    for (const verdict of definedCodes().flatMap(refusalsOf)) {
      const hintOf = (fields: Partial<UserRecord>, include: Policy["include"] = []): unknown => {
        const plan = planUser(record(fields), verdict, policy({ include }));
        return isRefusal(plan) && plan.hint;
      };
      const [before, after] = verdict.hint.split(without);
      const told = after === undefined ? before : `${before}${both}${after}`;
      expect(hintOf(unverified)).toBe(told);
      expect(hintOf(unverified, ["unverified"])).toBe(verdict.hint);
      expect(hintOf({ ...unverified, phone: phone(PHONE, true) })).toBe(verdict.hint);
      expect(hintOf({ email: email(ADA) })).toBe(verdict.hint);
    }
  });

  it("is rejected with the refusal's own code and hint", () => {
    const plan = planUser(record({ email: email(ADA) }), REFUSED, DEFAULT_POLICY);
    expect(plan).toEqual({ kind: "reject", code: "bcrypt_truncated", hint: "It was cut off." });
  });

  it("becomes passwordless only where the operator says so, with a notice", () => {
    const plan = planUser(
      record({ email: email(ADA) }),
      REFUSED,
      policy({ onUnusableHash: "passwordless" }),
    );
    expect(plan).toMatchObject({
      kind: "passwordless",
      email: ADA,
      notices: ["password_not_migrated"],
    });
  });

  it("doesn't become passwordless through an address that was never verified", () => {
    const plan = planUser(
      record({ email: email(ADA, false) }),
      REFUSED,
      policy({ onUnusableHash: "passwordless" }),
    );
    expect(plan).toMatchObject({ kind: "reject", code: "contact_unverified" });
  });
});

describe("a user without a hash", () => {
  it.each([
    ["by email", { email: email(ADA, true) }, { first: "email", email: ADA, phone: null }],
    ["by phone", { phone: phone(PHONE, true) }, { first: "phone", email: null, phone: PHONE }],
    ["by an email of which nobody knows", { email: email(ADA) }, { first: "email", email: ADA }],
    [
      "by both, email first",
      { email: email(ADA, true), phone: phone(PHONE, true) },
      { first: "email", email: ADA, phone: PHONE },
    ],
    [
      "by both, the verified phone first",
      { email: email(ADA), phone: phone(PHONE, true) },
      { first: "phone", email: ADA, phone: PHONE },
    ],
    [
      "by both, email first where neither is known to be verified",
      { email: email(ADA), phone: phone(PHONE) },
      { first: "email", email: ADA, phone: PHONE },
    ],
  ] as const)(
    "becomes passwordless %s, and a verified email stays so",
    (_how, fields, expected) => {
      const plan = planUser(record(fields), NO_HASH, DEFAULT_POLICY);
      expect(plan).toMatchObject({ kind: "passwordless", notices: [], ...expected });
    },
  );

  it("never gets an unverified second contact, and the operator is told", () => {
    const both = record({ email: email(ADA, false), phone: phone(PHONE, true) });
    expect(planUser(both, NO_HASH, DEFAULT_POLICY)).toEqual({
      kind: "passwordless",
      first: "phone",
      email: null,
      phone: PHONE,
      keepId: null,
      account: null,
      notices: ["other_contacts_not_migrated"],
    });
    expect(planUser(both, NO_HASH, policy({ include: ["unverified"] }))).toEqual({
      kind: "passwordless",
      first: "phone",
      email: ADA,
      phone: PHONE,
      keepId: null,
      account: null,
      notices: [],
    });
  });

  it("is rejected where every contact is unverified, unless the operator takes them", () => {
    const unverified = record({ email: email(ADA, false), phone: phone(PHONE, false) });
    expect(planUser(unverified, NO_HASH, DEFAULT_POLICY)).toMatchObject({
      kind: "reject",
      code: "contact_unverified",
    });
    expect(planUser(unverified, NO_HASH, policy({ include: ["unverified"] }))).toMatchObject({
      kind: "passwordless",
      first: "email",
      email: ADA,
      phone: PHONE,
    });
  });

  it("is rejected without any contact", () => {
    const plan = planUser(record(), NO_HASH, DEFAULT_POLICY);
    expect(plan).toMatchObject({ kind: "reject", code: "no_contact" });
  });
});

describe("a user whom the vendor keeps out", () => {
  const exclusions: readonly Exclusion[] = [
    ...(["disabled", "deleted", "anonymous", "sso_only", "service_account"] as const),
  ];

  it.each(exclusions)("is skipped as %s, even with a perfect hash", (exclusion) => {
    const plan = planUser(
      record({ email: email(ADA, true), exclusions: [exclusion] }),
      USABLE,
      DEFAULT_POLICY,
    );
    expect(plan).toMatchObject({ kind: "skip", code: exclusion });
  });

  it.each(["disabled", "deleted", "anonymous"] as const)(
    "is taken as %s only where disabled users are included",
    (exclusion) => {
      const user = record({ email: email(ADA), exclusions: [exclusion] });
      expect(planUser(user, USABLE, policy({ include: ["sso"] })).kind).toBe("skip");
      expect(planUser(user, USABLE, policy({ include: ["disabled"] })).kind).toBe("import");
    },
  );

  it("is taken as sso_only only where such users are included", () => {
    const user = record({ email: email(ADA), exclusions: ["sso_only"] });
    expect(planUser(user, NO_HASH, policy({ include: ["disabled"] })).kind).toBe("skip");
    expect(planUser(user, NO_HASH, policy({ include: ["sso"] })).kind).toBe("passwordless");
  });

  it("is taken only where every reason is lifted", () => {
    const user = record({ email: email(ADA), exclusions: ["disabled", "sso_only"] });
    expect(planUser(user, USABLE, policy({ include: ["disabled"] }))).toMatchObject({
      code: "sso_only",
    });
    expect(planUser(user, USABLE, policy({ include: ["sso"] }))).toMatchObject({
      code: "disabled",
    });
    expect(planUser(user, USABLE, policy({}))).toMatchObject({
      code: "disabled",
      hint: expect.stringMatching(/--include disabled.*--include sso/),
    });
    const both = policy({ include: ["disabled", "sso"] });
    expect(planUser(user, USABLE, both).kind).toBe("import");
  });

  it("is never taken where it is an application's account", () => {
    const user = record({ email: email(ADA, true), exclusions: ["service_account"] });
    const all = policy({ include: ["disabled", "sso", "unverified"] });
    expect(planUser(user, USABLE, all)).toMatchObject({ kind: "skip", code: "service_account" });
  });

  it("is skipped rather than rejected for lack of a contact", () => {
    const plan = planUser(record({ exclusions: ["anonymous"] }), NO_HASH, DEFAULT_POLICY);
    expect(plan).toMatchObject({ kind: "skip", code: "anonymous" });
  });
});

describe("a user with a second factor or a passkey", () => {
  const factors = ["mfa_not_migrated", "passkey_not_migrated"];

  it.each(factors)("of whom a source says %s is rejected, with a password and without", (code) => {
    const user = record({ email: email(ADA, true), notices: ["profile_not_migrated", code] });
    for (const verdict of [USABLE, NO_HASH]) {
      expect(planUser(user, verdict, DEFAULT_POLICY)).toMatchObject({
        kind: "reject",
        code: "factor_lost",
        hint: expect.stringContaining("--on-lost-factor accept"),
      });
    }
  });

  it("is told by the column that says so, where the export has one", () => {
    const because = { factor: 'The column "totp" says that there is one.' };
    const user = { ...record({ email: email(ADA), notices: factors }), because };
    expect(planUser(user, USABLE, DEFAULT_POLICY)).toMatchObject({
      hint: expect.stringMatching(/^The column "totp" says that there is one\. The user has/),
    });
  });

  it.each(factors)("is migrated without it only where the operator accepts that: %s", (code) => {
    const user = record({ email: email(ADA), notices: [code] });
    const accepting = policy({ onLostFactor: "accept" });
    expect(planUser(user, USABLE, accepting)).toMatchObject({ kind: "import", notices: [code] });
    expect(planUser(user, NO_HASH, accepting)).toMatchObject({ kind: "passwordless" });
  });

  it("stays skipped where the vendor keeps the user out", () => {
    const user = record({ email: email(ADA), exclusions: ["disabled"], notices: factors });
    expect(planUser(user, USABLE, DEFAULT_POLICY)).toMatchObject({
      kind: "skip",
      code: "disabled",
    });
  });

  it("is rejected for what the operator can't accept away first", () => {
    const user = record({ email: email(ADA), notices: factors });
    expect(planUser(user, REFUSED, DEFAULT_POLICY)).toMatchObject({ code: "bcrypt_truncated" });
  });
});

describe("any plan", () => {
  const verified = fc.constantFrom(true, false, null);
  const users: fc.Arbitrary<UserRecord> = fc.record({
    sourceId: fc.option(fc.constant("u-1")),
    email: fc.option(verified.map((is) => email(ADA, is))),
    phone: fc.option(verified.map((is) => phone(PHONE, is))),
    hash: fc.constant(null),
    exclusions: fc.subarray<Exclusion>(["disabled", "deleted", "anonymous", "sso_only"]),
    notices: fc.constantFrom([], ["profile_not_migrated"]),
  });
  const verdicts = fc.constantFrom(USABLE, REFUSED, NO_HASH);

  it("makes no unverified contact a way in and takes nobody in whom the vendor keeps out", () => {
    fc.assert(
      fc.property(users, verdicts, (user, verdict) => {
        const plan = planUser(user, verdict, DEFAULT_POLICY);
        if (user.exclusions.length > 0) expect(plan.kind).toBe("skip");
        if (plan.kind !== "passwordless") return;
        if (plan.email !== null) expect(user.email?.verified).not.toBe(false);
        if (plan.phone !== null) expect(user.phone?.verified).not.toBe(false);
      }),
    );
  });

  it("sends a hash only where normalization accepted it, and loses no notice", () => {
    fc.assert(
      fc.property(users, verdicts, (user, verdict) => {
        const plan = planUser(user, verdict, DEFAULT_POLICY);
        if (plan.kind === "import") expect(verdict.verdict).toBe("accepted");
        if (!isRefusal(plan))
          expect(plan.notices).toEqual(expect.arrayContaining([...user.notices]));
        else expect(plan.hint).not.toBe("");
      }),
    );
  });

  it("has the contact that its code is made for", () => {
    fc.assert(
      fc.property(users, verdicts, (user, verdict) => {
        const plan = planUser(user, verdict, policy({ include: ["unverified"] }));
        if (plan.kind !== "passwordless") return;
        expect(plan.first === "email" ? plan.email : plan.phone).not.toBeNull();
      }),
    );
  });
});
