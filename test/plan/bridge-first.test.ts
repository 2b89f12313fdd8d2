import { expect, it } from "vitest";
import { normalizeHash as toldVerdict } from "../../src/hash/legacy/kept-hash.js";
import type { RawHash } from "../../src/hash/hash.js";
import { normalizeHash } from "../../src/hash/normalize.js";
import { planUser } from "../../src/plan/plan.js";
import { DEFAULT_POLICY } from "../../src/plan/policy.js";
import refused from "../hash/fixtures/refused-texts.json" with { type: "json" };
import { rawOf as formOf, SECTIONS } from "../hash/catalog/page.js";
import { ANSWERS, contextOf, rawOf } from "../hash/legacy/support/known-answers.js";
import { email, record } from "../run/support/records.js";

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

/** What a user with the hash is told, or that they are imported. */
function planOf({ hash, vendor, pepper }: Case, onUnusableHash: "reject" | "bridge"): string {
  const user = record({ email: email("ada@example.com"), hash });
  const policy = { ...DEFAULT_POLICY, onUnusableHash, pepper };
  const plan = planUser(user, normalizeHash(hash, { vendor }), policy, undefined, vendor);
  return "hint" in plan ? plan.hint : plan.kind;
}

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
