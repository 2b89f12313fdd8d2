import { describe, expect, it } from "vitest";
import {
  type ContactKey,
  NO_NOTICES_YET,
  type OwnContact,
  type Previous,
} from "../../src/plan/entry.js";
import { MAPPED, MARK, type Mark, STATE } from "../../src/plan/states.js";
import { judgeChange } from "../../src/plan/change.js";
import { contactKey } from "../run/support/user-keys.js";

const EMAIL = contactKey("email", "ada@example.com");
const NEW_EMAIL = contactKey("email", "ada@example.org");
const PHONE = contactKey("phone", "+15550100001");
const NEW_PHONE = contactKey("phone", "+15550100009");

const CREATED = { state: STATE.created, mapped: MAPPED.no, notices: NO_NOTICES_YET };
const RULES = { policy: { onExisting: "skip", changeKind: false }, cutOver: false } as const;

function own(contact: ContactKey, mark: Mark = MARK.held): OwnContact {
  return { ...contact, mark };
}

function earlier(kind: Previous["kind"], ...contacts: OwnContact[]): Previous {
  return { plan: "before", kind, contacts, isReplaced: false };
}

function byPassword(contact: ContactKey) {
  return { kind: "import", contacts: [contact], isUnverified: false } as const;
}

function byCode(...contacts: ContactKey[]) {
  return { kind: "passwordless", contacts, isUnverified: false } as const;
}

describe("a changed row of a passwordless user", () => {
  const verdictOf = (row: ReturnType<typeof byCode>, ...contacts: OwnContact[]): unknown =>
    judgeChange(row, CREATED, earlier("passwordless", ...contacts), RULES);

  it.each([
    ["a new email", byCode(NEW_EMAIL), [own(EMAIL)], null, false, [EMAIL]],
    ["a phone beside it", byCode(EMAIL, PHONE), [own(EMAIL)], null, false, []],
    ["a phone less", byCode(EMAIL), [own(EMAIL), own(PHONE)], "phone", false, [PHONE]],
    ["an email less", byCode(PHONE), [own(EMAIL), own(PHONE)], "email", false, [EMAIL]],
    [
      "both new",
      byCode(NEW_EMAIL, NEW_PHONE),
      [own(EMAIL), own(PHONE)],
      null,
      false,
      [EMAIL, PHONE],
    ],
    ["one new, the other gone", byCode(NEW_EMAIL), [own(EMAIL), own(PHONE)], null, true, [EMAIL]],
    ["a phone in place of an email", byCode(PHONE), [own(EMAIL)], null, true, []],
    [
      "a phone that was about to come, and doesn't",
      byCode(EMAIL),
      [own(EMAIL), own(PHONE, MARK.coming)],
      "phone",
      false,
      [PHONE],
    ],
    [
      "an email that was about to come, and another one comes",
      byCode(contactKey("email", "third@example.com")),
      [own(EMAIL), own(NEW_EMAIL, MARK.coming)],
      null,
      false,
      [EMAIL, NEW_EMAIL],
    ],
    [
      "an address that was only tried is nobody's to clear",
      byCode(NEW_EMAIL),
      [own(EMAIL), own(PHONE, MARK.tried)],
      null,
      false,
      [EMAIL],
    ],
  ] as const)("%s", (_what, row, contacts, clears, keeps, left) => {
    expect(verdictOf(row, ...contacts)).toEqual({
      kind: "change_contacts",
      clears,
      keeps,
      updated: {
        came: row.contacts.map(({ key }) => key),
        left: left.map(({ key }) => key),
      },
    });
  });

  it.each([
    ["a password has come", byPassword(EMAIL), CREATED, RULES, "plan_kind_changed"],
    [
      "since the cut-over",
      byCode(NEW_EMAIL),
      CREATED,
      { ...RULES, cutOver: true },
      "changed_after_cutover",
    ],
    [
      "they were there before",
      byCode(NEW_EMAIL),
      { ...CREATED, state: STATE.existed },
      RULES,
      "existed",
    ],
  ] as const)("%s", (_what, row, entry, rules, expected) => {
    const verdict = judgeChange(row, entry, earlier("passwordless", own(EMAIL)), rules);
    expect("code" in verdict ? verdict.code : verdict.kind).toBe(expected);
  });
});

describe("a password that has come for a passwordless user", () => {
  const had = earlier("passwordless", own(EMAIL), own(PHONE));
  const ASKED = { ...RULES, policy: { ...RULES.policy, changeKind: true } };
  /** What a run that didn't end has left: the plan is an import since. */
  const begun = earlier("import", own(EMAIL), own(PHONE));

  it.each([
    ["where it is asked for", had, CREATED, ASKED, "change_kind"],
    ["where it isn't", had, CREATED, RULES, "plan_kind_changed"],
    ["since the cut-over", had, CREATED, { ...ASKED, cutOver: true }, "plan_kind_changed"],
    [
      "of somebody who was there before",
      had,
      { ...CREATED, state: STATE.existed },
      ASKED,
      "plan_kind_changed",
    ],
    [
      "of somebody whose own id is kept",
      had,
      { ...CREATED, mapped: MAPPED.never },
      ASKED,
      "plan_kind_changed",
    ],
    ["and was begun", begun, CREATED, RULES, "change_kind"],
    [
      "and was begun before the cut-over",
      begun,
      CREATED,
      { ...RULES, cutOver: true },
      "change_kind",
    ],
    [
      "and was begun with a newer hash",
      { ...begun, isReplaced: true },
      CREATED,
      RULES,
      "older_export",
    ],
    [
      "and was begun under another email",
      earlier("import", own(PHONE), own(NEW_EMAIL, MARK.coming)),
      CREATED,
      RULES,
      "email_changed",
    ],
  ] as const)("%s", (_what, known, entry, rules, expected) => {
    const verdict = judgeChange(byPassword(EMAIL), entry, known, rules);
    expect("code" in verdict ? verdict.code : verdict.kind).toBe(expected);
  });

  it("takes the email and leaves the phone", () => {
    expect(judgeChange(byPassword(NEW_EMAIL), CREATED, had, ASKED)).toEqual({
      kind: "change_kind",
      updated: { came: [NEW_EMAIL.key], left: [EMAIL.key, PHONE.key] },
    });
  });

  it.each([
    ["is undone where it is gone again", byCode(EMAIL), RULES, "change_contacts"],
    [
      "isn't undone since the cut-over",
      byCode(EMAIL),
      { ...RULES, cutOver: true },
      "plan_kind_changed",
    ],
    ["isn't undone where its email would be lost", byCode(PHONE), RULES, "plan_kind_changed"],
  ] as const)("%s", (_what, row, rules, expected) => {
    const verdict = judgeChange(row, CREATED, begun, rules);
    expect("code" in verdict ? verdict.code : verdict.kind).toBe(expected);
  });
});
