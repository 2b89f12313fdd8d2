import { describe, expect, it } from "vitest";
import { LEGACY_FORMS } from "./catalog/legacy.js";
import { FORMATS } from "./legacy/support/known-answers.js";
import { bridgedCodes, renderPage, SECTIONS, verdictOf } from "./catalog/page.js";
import { definedCodes } from "../../src/hash/flaw.js";
import { STEPS, stepText } from "../../src/hash/steps.js";
import { runCli } from "../support/cli.js";

const FORMS = SECTIONS.flatMap(({ title, forms }) => forms.map((form) => ({ title, ...form })));
const VERDICTS = FORMS.map((form) => verdictOf(form));

/** A flaw that only a core's answer names: normalization mends it. */
const MENDED = ["bcrypt_salt_bits"];

describe("the table of source forms", () => {
  it("is what the docs show (npm run docs:hashes)", async () => {
    await expect(renderPage()).toMatchFileSnapshot("../../docs/hashes.md");
  });

  it.each(FORMS)("says what becomes of $title: $form", (form) => {
    const verdict = verdictOf(form);
    const { gives } = form;
    if (gives === null) expect(verdict).toEqual({ verdict: "none" });
    else if (typeof gives === "string") expect(verdict).toMatchObject({ code: gives });
    else expect(verdict).toMatchObject({ verdict: "accepted", steps: gives });
  });

  it("has an example of every code", () => {
    const shown = new Set(VERDICTS.map((verdict) => ("code" in verdict ? verdict.code : "")));
    const missing = definedCodes().filter((code) => !shown.has(code) && !MENDED.includes(code));
    expect(missing).toEqual([]);
  });

  it("has help name the bridge at the codes that it shows as bridged, and at no other", async () => {
    const named = [];
    for (const code of definedCodes()) {
      const { stdout } = await runCli(["help", code], { cwd: "docs" });
      if (stdout.includes("keep these passwords with")) named.push(code);
    }
    expect(named).toEqual([...bridgedCodes()].filter((code) => code !== null).sort());
  });

  it("has an example of every step", () => {
    const shown = new Set(VERDICTS.flatMap((verdict) => ("steps" in verdict ? verdict.steps : [])));
    expect(Object.keys(STEPS).filter((step) => !shown.has(step))).toEqual([]);
  });

  it("says of every step which passwords its hash verifies", () => {
    expect(stepText("bcrypt_2b_to_2a")).toBe(
      "A step that changes how a hash is written: $2b$ at its start becomes $2a$, another name of the same algorithm. It verifies the same passwords.",
    );
    const others = Object.keys(STEPS).filter((step) => !stepText(step).includes("same passwords"));
    expect(others).toEqual(["bcrypt_2x_to_2a"]);
    expect(stepText("toString")).toBe("");
  });

  it("has every format that is verified, as its known answers name it", () => {
    const rows = LEGACY_FORMS.map(({ format }) => format);
    expect(rows.toSorted()).toEqual(FORMATS.toSorted());
  });

  it("has no form twice", () => {
    const keys = FORMS.map((form) => JSON.stringify([form.form, form.example, form.hashConfig]));
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("shows no hash", () => {
    expect(renderPage()).not.toMatch(/[./A-Za-z0-9+]{45}/);
  });
});

describe("every refusal", () => {
  const refusals = VERDICTS.flatMap((verdict) => (verdict.verdict === "refused" ? [verdict] : []));

  it("says what it is and what to do, in one or two clauses", () => {
    const odd = refusals.filter(
      ({ hint }) => !/^(?:[A-Z$]|phpBB|vBulletin).{10,}; .{10,}\.$/.test(hint),
    );
    expect(odd.map(({ code }) => code)).toEqual([]);
  });

  it("has a code in snake_case", () => {
    expect(refusals.filter(({ code }) => !/^[a-z0-9]+(_[a-z0-9]+)*$/.test(code))).toEqual([]);
  });
});
