import { NOTHING_CARRIED } from "../../src/plan/carried.js";
import { describe, expect, it } from "vitest";
import type { CoreUser } from "../../src/core/user.js";
import type { Action, Existing, Rules, Seen } from "../../src/plan/action.js";
import { decide, NOTHING_SEEN } from "../../src/plan/decide.js";
import { createDigester } from "../../src/plan/digests.js";
import type { Entry, Previous } from "../../src/plan/entry.js";
import type { Plan } from "../../src/plan/plan.js";
import { DEFAULT_POLICY, type Policy } from "../../src/plan/policy.js";
import { MAPPED, MARK, STATE } from "../../src/plan/states.js";
import { contactKey, userKeys, NEW } from "../run/support/user-keys.js";
import { importPlan, passwordlessPlan } from "../run/support/records.js";
import { failure } from "../run/support/scripted-core.js";

const ADA = "ada@example.com";
const OTHER = "ada@example.org";
const HASHED = importPlan(ADA);
const BY_CODE = passwordlessPlan({ email: ADA });
const KEEPING = { ...HASHED, keepId: "u-1" };
const REJECT: Plan = { kind: "reject", code: "no_contact", hint: "" };
const LOSER: Plan = { kind: "reject", code: "duplicate", hint: "" };
const SKIP: Plan = { kind: "skip", code: "disabled", hint: "" };

/** An earlier run saw nobody, intended the same plan, and left no outcome. */
const UNKNOWN: Entry = {
  ...NEW,
  state: STATE.intent,
  samePlan: true,
  sawNobody: true,
  tried: true,
};
const IMPORTED: Entry = { ...NEW, state: STATE.imported, samePlan: true };
const EXISTED: Entry = { ...IMPORTED, state: STATE.existed };

function before(kind: Previous["kind"], email = ADA): Previous {
  const contacts = [{ ...contactKey("email", email), mark: MARK.held }];
  return { plan: "before", kind, contacts, isReplaced: false };
}

const CHANGED: Entry = { ...IMPORTED, samePlan: false, previous: before("import") };
const MOVED: Entry = { ...CHANGED, previous: before("import", OTHER) };
const TRIED: Entry = {
  ...MOVED,
  previous: {
    ...before("import", OTHER),
    contacts: [
      { ...contactKey("email", OTHER), mark: MARK.held },
      { ...contactKey("email", ADA), mark: MARK.tried },
    ],
  },
};
const REPLACED: Entry = { ...CHANGED, mapped: MAPPED.never };
const CREATED: Entry = {
  ...CHANGED,
  state: STATE.created,
  previous: before("passwordless"),
};
const BEGUN: Entry = { ...CREATED, previous: before("import") };

const PASSWORD: CoreUser = { userId: "core-1", email: ADA, recipe: "emailpassword" };
const CODE: CoreUser = {
  userId: "core-1",
  email: ADA,
  recipe: "passwordless",
  hasSignedIn: false,
};

function found(user: CoreUser | null, hasOtherWay = false): Existing {
  return { user, byFirst: user !== null, isSplit: false, hasOtherWay };
}

const NONE = found(null);
const BROKEN = { failure: failure("broken") };

interface Given {
  readonly seen?: Partial<Seen>;
  readonly policy?: Partial<Policy>;
  readonly rules?: Partial<Rules>;
}

function decided(plan: Plan, entry: Entry, { seen, policy, rules }: Given): Action {
  const kind = plan.kind === "import" || plan.kind === "passwordless" ? plan.kind : null;
  const keys = userKeys({ id: "1", emails: kind === null ? [] : [ADA], kind });
  const all: Rules = {
    policy: { ...DEFAULT_POLICY, ...policy },
    carried: NOTHING_CARRIED,
    cutOver: false,
    wasEmpty: false,
    looksUp: true,
    digester: createDigester("test"),
    ...rules,
  };
  return decide({ plan, keys, entry, coreId: "core-1" }, { ...NOTHING_SEEN, ...seen }, all);
}

/** An action in a word or three: what is done, and why or how. */
function said(action: Action): string {
  switch (action.kind) {
    case "look_up":
      return `look_up ${action.question}`;
    case "refuse":
      return `refuse ${action.refusal.code}`;
    case "keep":
      return action.outcome;
    case "stop":
      return `stop ${action.code}`;
    case "settle": {
      const { outcome } = action;
      if (outcome.kind === "done") return `settle ${outcome.outcome}`;
      return outcome.kind === "refused"
        ? `settle ${outcome.done.outcome} ${outcome.refusal.code}`
        : `settle ${outcome.code}`;
    }
    default:
      return action.kind;
  }
}

const UPDATE = { onExisting: "update" } as const;
const CHANGE = { changeKind: true } as const;
const CUT_OVER = { cutOver: true } as const;
const BOTH = { brought: CODE, own: NONE } as const;

/** Who, the plan, what the checkpoint has, what else is given, and what is decided. */
const TABLE: readonly (readonly [string, Plan, Entry, Given, string])[] = [
  ["whose row is refused", REJECT, NEW, {}, "refuse no_contact"],
  ["whose row is refused, and who is there", REJECT, IMPORTED, {}, "unchanged"],
  ["whose row is refused, and who was there before", REJECT, EXISTED, {}, "unchanged"],
  ["whose row loses its contact, and who is there", LOSER, IMPORTED, {}, "refuse duplicate"],
  ["whose row is left out, and who is there", SKIP, IMPORTED, {}, "refuse disabled"],

  ["new, at a core without users", HASHED, NEW, { rules: { wasEmpty: true } }, "import"],
  ["new, by a code, at such a core", BY_CODE, NEW, { rules: { wasEmpty: true } }, "create"],
  ["new, at a core without lookups", HASHED, NEW, { rules: { looksUp: false } }, "import"],
  [
    "new and unverified, at such a core",
    { ...HASHED, unverified: true },
    NEW,
    { rules: { looksUp: false } },
    "settle email_unverified",
  ],
  ["new", HASHED, NEW, {}, "look_up own"],
  ["new, of whom the core can't be asked", HASHED, NEW, { seen: BROKEN }, "settle core_broken"],
  ["new, whom no user stands in the way of", HASHED, NEW, { seen: { own: NONE } }, "import"],
  ["new, and there", HASHED, NEW, { seen: { own: found(PASSWORD) } }, "settle existed"],
  [
    "new, and there, where that ends the run",
    HASHED,
    NEW,
    { seen: { own: found(PASSWORD) }, policy: { onExisting: "fail" } },
    "stop user_exists",
  ],
  [
    "new, and there, and to be replaced",
    HASHED,
    NEW,
    { seen: { own: found(PASSWORD) }, policy: UPDATE },
    "import",
  ],
  [
    "new, by a code, and there, and to be updated",
    BY_CODE,
    NEW,
    { seen: { own: found(CODE) }, policy: UPDATE },
    "adopt",
  ],

  [
    "perhaps sent, and there",
    HASHED,
    UNKNOWN,
    { seen: { own: found(PASSWORD) } },
    "settle imported",
  ],
  ["perhaps sent, and not there", HASHED, UNKNOWN, { seen: { own: NONE } }, "import"],
  [
    "perhaps sent without a lookup, and there",
    HASHED,
    { ...UNKNOWN, sawNobody: false },
    { seen: { own: found(PASSWORD) } },
    "settle existed",
  ],
  [
    "perhaps sent, and there without the id",
    KEEPING,
    UNKNOWN,
    { seen: { own: found(PASSWORD) } },
    "adopt",
  ],
  ["perhaps sent by a code, and there", BY_CODE, UNKNOWN, { seen: { own: found(CODE) } }, "adopt"],
  [
    "perhaps sent by the other kind of plan",
    BY_CODE,
    { ...UNKNOWN, samePlan: false, previous: before("import") },
    {},
    "look_up other",
  ],
  [
    "perhaps sent by the other kind of plan, and there",
    BY_CODE,
    { ...UNKNOWN, samePlan: false, previous: before("import") },
    { seen: { other: found(PASSWORD) } },
    "settle imported plan_kind_changed",
  ],
  [
    "of whom a newer hash may be there",
    HASHED,
    { ...UNKNOWN, samePlan: false, previous: { ...before("import"), isReplaced: true } },
    {},
    "refuse older_export",
  ],

  ["finished", HASHED, IMPORTED, {}, "unchanged"],
  ["finished, without the id", KEEPING, IMPORTED, {}, "map_id"],
  ["finished, and there before", KEEPING, EXISTED, {}, "unchanged"],
  ["with a new hash", HASHED, CHANGED, {}, "look_up brought"],
  [
    "with a new hash, and as brought",
    HASHED,
    CHANGED,
    { seen: { brought: PASSWORD } },
    "change_hash",
  ],
  [
    "with a new hash, and removed",
    HASHED,
    CHANGED,
    { seen: { brought: null } },
    "settle removed_at_core",
  ],
  [
    "with a new hash, and another email there",
    HASHED,
    CHANGED,
    { seen: { brought: { ...PASSWORD, email: OTHER } } },
    "settle changed_at_core",
  ],
  [
    "with a new hash, since the cut-over",
    HASHED,
    CHANGED,
    { rules: CUT_OVER },
    "refuse changed_after_cutover",
  ],
  ["with a new email", HASHED, MOVED, {}, "refuse email_changed"],
  ["with an email that was only tried", HASHED, TRIED, {}, "refuse email_changed"],
  [
    "with a new hash in place of their own",
    HASHED,
    REPLACED,
    { policy: UPDATE },
    "look_up brought",
  ],
  [
    "with a new hash of an unverified email in place of their own",
    { ...HASHED, unverified: true },
    REPLACED,
    { policy: UPDATE },
    "existed",
  ],
  [
    "with new contacts",
    BY_CODE,
    { ...CREATED, previous: before("passwordless", OTHER) },
    { seen: { brought: CODE } },
    "change_contacts",
  ],
  ["with a password since", HASHED, CREATED, {}, "refuse plan_kind_changed"],
  [
    "with a password since, where it's asked for",
    HASHED,
    CREATED,
    { policy: CHANGE },
    "look_up brought",
  ],
  [
    "with a password since, as brought",
    HASHED,
    CREATED,
    { policy: CHANGE, seen: BOTH },
    "look_up removes",
  ],
  [
    "with a password since, at a core that removes users",
    HASHED,
    CREATED,
    { policy: CHANGE, seen: { ...BOTH, removes: true } },
    "change_kind",
  ],
  [
    "with a password since, at one that doesn't",
    HASHED,
    CREATED,
    { policy: CHANGE, seen: { ...BOTH, removes: false } },
    "settle plan_kind_changed",
  ],
  [
    "whose password has begun to come, since the cut-over",
    HASHED,
    BEGUN,
    { rules: CUT_OVER, seen: { brought: CODE, own: found(PASSWORD) } },
    "change_kind",
  ],
  ["without a password since", BY_CODE, CHANGED, {}, "refuse plan_kind_changed"],
];

describe("what is decided for a user", () => {
  it.each(TABLE)("%s", (_who, plan, entry, given, expected) => {
    expect(said(decided(plan, entry, given))).toBe(expected);
  });

  it("says that the user is there by another way in, whatever is done", () => {
    for (const own of [found(null, true), found(PASSWORD, true)]) {
      expect(decided(HASHED, NEW, { seen: { own } })).toMatchObject({ notices: ["other_way_in"] });
    }
  });

  it("says of a user who was there before that the vendor's id isn't kept", () => {
    expect(decided(KEEPING, EXISTED, {})).toMatchObject({ notices: ["id_not_kept"] });
  });

  it("holds an answer for fresh by the time at which it came, unless any user may be replaced", () => {
    const seen = { own: NONE, at: 42 };
    expect(decided(HASHED, NEW, { seen })).toMatchObject({ lookedAt: 42 });
    expect(decided(HASHED, NEW, { seen, policy: UPDATE })).toMatchObject({ lookedAt: null });
  });
});
