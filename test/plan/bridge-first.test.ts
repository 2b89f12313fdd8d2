import { expect, it } from "vitest";
import type { UserRecord } from "../../src/account/user-record.js";
import { normalizeHash as toldVerdict } from "../../src/hash/legacy/kept-hash.js";
import type { RawHash } from "../../src/hash/hash.js";
import { normalizeHash } from "../../src/hash/normalize.js";
import { planUser } from "../../src/plan/plan.js";
import { DEFAULT_POLICY, type Policy } from "../../src/plan/policy.js";
import refused from "../hash/fixtures/refused-texts.json" with { type: "json" };
import { rawOf as formOf, SECTIONS } from "../hash/catalog/page.js";
import { ANSWERS, contextOf, rawOf } from "../hash/legacy/support/known-answers.js";
import { email, phone, record } from "../run/support/records.js";

interface Case {
  readonly hash: RawHash;
  readonly vendor: string | null;
  readonly pepper: string | null;
}

const FORMS = SECTIONS.flatMap(({ forms }) => forms);
const CASES: readonly Case[] = [
  ...ANSWERS.map((answer) => ({ ...contextOf(answer), hash: rawOf(answer) })),
  ...FORMS.map((form) => ({ hash: formOf(form), vendor: form.vendor ?? null, pepper: null })),
  ...refused.map(({ raw: text }) => ({
    hash: { kind: "text" as const, text },
    vendor: null,
    pepper: null,
  })),
];
const BRIDGE = "; keep these passwords with --on-unusable-hash bridge";

type Way = Policy["onUnusableHash"];
const ADA = { email: email("ada@example.com") };

/** What a user with the hash is told, or how they are brought. */
function planOf({ hash, vendor, pepper }: Case, onUnusableHash: Way, rest: Rest = {}): string {
  const { user: fields = ADA, include = [], isTaken = false } = rest;
  const user = record({ ...fields, ...(isTaken ? {} : { hash }) });
  const policy = { ...DEFAULT_POLICY, onUnusableHash, pepper, include };
  const verdict = isTaken ? NO_HASH : normalizeHash(hash, { vendor });
  const plan = planUser(user, verdict, policy, undefined, vendor);
  return "hint" in plan ? plan.hint : plan.kind;
}

interface Rest {
  readonly user?: Partial<UserRecord>;
  readonly include?: Policy["include"];
  /** The hash was taken out of the row. */
  readonly isTaken?: boolean;
}

const NO_HASH = { verdict: "none" } as const;
/** What an import with a vault takes in place of the option. */
const TAKEN_OUT = "a file without these hashes (as that of --rejects-out, mended)";
const OPTION = "--on-unusable-hash passwordless";

it("a refused hash's hint names the bridge first where the bridge verifies it, and nowhere else", () => {
  let bridged = 0;
  const wrong: string[] = [];
  for (const one of CASES) {
    const hint = planOf(one, "reject");
    if (hint === "import" || hint === "passwordless") continue;
    const isKept = planOf(one, "bridge") === "import";
    const needsPepper = !isKept && planOf({ ...one, pepper: "sea salt" }, "bridge") === "import";
    const isFirst = hint.includes(BRIDGE) && hint.indexOf(BRIDGE) < hint.indexOf(", or ");
    if (isFirst !== (isKept || needsPepper)) wrong.push(hint);
    if (hint.includes("--prehash-salt-file") !== needsPepper) wrong.push(hint);
    bridged += isKept ? 1 : 0;
  }
  expect(wrong).toEqual([]);
  expect(bridged).toBeGreaterThan(80);
});

it("a verdict on a hash alone names the bridge as the import's hint does", () => {
  const wrong: string[] = [];
  for (const { hash, vendor } of CASES) {
    const verdict = toldVerdict(hash, { vendor });
    if (verdict.verdict !== "refused") continue;
    const hint = planOf({ hash, vendor, pepper: null }, "reject");
    if (verdict.hint.includes("bridge") !== hint.includes("bridge")) wrong.push(hint);
  }
  expect(wrong).toEqual([]);
});

it.each([
  ["an email", ADA],
  ["an unverified email", { email: email("ada@example.com", false) }],
  ["a phone", { phone: phone("+4915112345678", true) }],
])(
  "the way out that a hint names brings a user of %s, with a bridge and without one",
  (_, user) => {
    const wrong: string[] = [];
    const named = { [OPTION]: 0, [TAKEN_OUT]: 0 };
    for (const one of CASES) {
      for (const way of ["reject", "bridge", "reseal"] as const) {
        const hint = planOf(one, way, { user });
        const keeps = way !== "reject";
        const right = keeps ? TAKEN_OUT : OPTION;
        const shut = keeps ? OPTION : TAKEN_OUT;
        if (hint.includes(shut)) wrong.push(`${way}: ${hint}`);
        if (!hint.includes(right)) continue;
        named[right] += 1;
        const include = hint.includes("--include unverified") ? (["unverified"] as const) : [];
        const followed = keeps
          ? planOf(one, way, { user, include, isTaken: true })
          : planOf(one, "passwordless", { user, include });
        if (followed !== "passwordless") wrong.push(`${hint} ${followed}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(Math.min(...Object.values(named))).toBeGreaterThan(20);
  },
);
