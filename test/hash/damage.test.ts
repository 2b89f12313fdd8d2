import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalizeHash } from "../../src/hash/normalize.js";
import acceptedTexts from "./fixtures/accepted-texts.json" with { type: "json" };
import exported from "./fixtures/exported-scrypt.json" with { type: "json" };
import { runs } from "../support/repeated.js";

const BCRYPT = "$2a$05$K8fTGXk6.EXnmL83Zc20VOBWu3dKyj55dA.yvCUB7ydJbdnFTXWgm";
const ARGON2 =
  "$argon2id$v=19$m=1024,t=2,p=1$Eptj8qK6R+zcOx/uLU584w$XVTaw2GCZpRLtf7+eykZQ3Fpvdw/It3aFh8lnRyEqjo";
const WORDPRESS = `$wp${BCRYPT}`;

function verdictOf(text: string) {
  return normalizeHash({ kind: "text", text });
}

function hex(text: string): string {
  return Buffer.from(text).toString("hex");
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

/** What transport does to a text, by the step that undoes it. */
const DAMAGE: readonly (readonly [what: string, step: string, damage: (text: string) => string])[] =
  [
    ["white space", "trim", (text) => ` ${text}\r\n`],
    ["a byte-order mark", "trim", (text) => `\uFEFF${text}`],
    ["zero-width characters", "trim", (text) => `\u200B${text}\u2060`],
    ["marks of the direction", "trim", (text) => `\u200E${text}\u202C`],
    ["a no-break space", "trim", (text) => `${text}\u00A0`],
    ["NUL padding", "trim", (text) => text + "\0".repeat(31)],
    ["double quotation marks", "unquoted", (text) => `"${text}"`],
    ["single quotation marks", "unquoted", (text) => `'${text}'`],
    ["backticks", "unquoted", (text) => `\`${text}\``],
    ["typographic quotation marks", "unquoted", (text) => `“${text}”`],
    ["a spreadsheet's text", "unquoted", (text) => `="${text}"`],
    ["NUL padding that is written out", "trim", (text) => text + "\\0".repeat(31)],
    ["long decimal HTML entities", "entities_decoded", (text) => text.replaceAll("$", "&#0036;")],
    [
      "long hexadecimal HTML entities",
      "entities_decoded",
      (text) => text.replaceAll("$", "&#x0024;"),
    ],
    ["Python's bytes", "unquoted", (text) => `b'${text}'`],
    ["a shell's escapes", "unescaped", (text) => text.replaceAll("$", "\\$")],
    ["PHP's escaped slashes", "unescaped", (text) => text.replaceAll(/[$/]/g, "\\$&")],
    ["JSON's escapes", "unescaped", (text) => text.replaceAll("$", "\\u0024")],
    ["a JSON text", "unquoted", (text) => JSON.stringify(`${text}\n`)],
    ["JavaScript's escapes", "unescaped", (text) => text.replaceAll("$", "\\x24")],
    ["percent-encoding", "percent_decoded", encodeURIComponent],
    ["percent-encoding in lower case", "percent_decoded", encodeInLowerCase],
    ["decimal HTML entities", "entities_decoded", (text) => text.replaceAll("$", "&#36;")],
    ["hexadecimal HTML entities", "entities_decoded", (text) => text.replaceAll("$", "&#x24;")],
    ["named HTML entities", "entities_decoded", (text) => text.replaceAll("$", "&dollar;")],
    ["doubled dollar signs", "dollars_halved", (text) => text.replaceAll("$", "$$$$")],
    ["hexadecimal", "hex_decoded", hex],
    ["a MySQL literal", "hex_decoded", (text) => `0x${hex(text).toUpperCase()}`],
    ["PostgreSQL's bytea", "hex_decoded", (text) => `\\x${hex(text)}`],
    ["an SQL literal", "hex_decoded", (text) => `X'${hex(text)}'`],
    ["base64", "base64_decoded", base64],
    ["base64 of a line", "base64_decoded", (text) => base64(`${text}\n`)],
    ["folded base64", "base64_decoded", (text) => base64(text).replaceAll(/.{76}/g, "$&\n")],
    ["base64 of LDIF", "base64_decoded", (text) => base64(text).replaceAll(/.{60}/g, "$&\r\n ")],
    ["url-safe base64", "base64_decoded", (text) => Buffer.from(text).toString("base64url")],
  ];

function encodeInLowerCase(text: string): string {
  return text.replaceAll("$", "%24").replaceAll("/", "%2f").replaceAll("+", "%2b");
}

const valid = fc.constantFrom(
  ...acceptedTexts.map(({ normalized }) => normalized),
  ...exported.accepted.map(({ normalized }) => normalized),
);

describe("damage on the way", () => {
  it.each(DAMAGE)("is undone where it is %s", (_what, step, damage) => {
    fc.assert(
      fc.property(valid, (hash) => {
        const verdict = verdictOf(damage(hash));
        expect(verdict).toMatchObject({ verdict: "accepted", hash });
        expect(verdict).toHaveProperty("steps", expect.arrayContaining([step]));
      }),
      { numRuns: 30 },
    );
  });

  it("is undone in several layers, each of them a step", () => {
    const layered = `"${base64(encodeURIComponent(`'${ARGON2}'`))}" `;
    expect(verdictOf(layered)).toMatchObject({
      hash: ARGON2,
      steps: ["trim", "unquoted", "base64_decoded", "unquoted", "percent_decoded"],
    });
  });

  it("is not undone without end", () => {
    const deep = Array.from({ length: 7 }).reduce<string>((text) => `b'${text}'`, BCRYPT);
    expect(verdictOf(deep)).toMatchObject({ verdict: "refused", code: "unknown" });
  });

  it("is undone in any two layers", () => {
    const layer = fc.constantFrom(...DAMAGE.map(([, , damage]) => damage));
    fc.assert(
      fc.property(valid, layer, layer, (hash, inner, outer) => {
        const text = outer(inner(hash));
        fc.pre(text.length <= 1024);
        expect(verdictOf(text)).toMatchObject({ verdict: "accepted", hash });
      }),
      { numRuns: runs(1_000) },
    );
  });

  it("is undone around what is refused by name", () => {
    for (const damage of [base64, hex, encodeURIComponent, (text: string) => `"${text}"`]) {
      expect(verdictOf(damage(WORDPRESS))).toMatchObject({ code: "wordpress_6_8" });
      expect(verdictOf(damage(BCRYPT.slice(0, -1)))).toMatchObject({ code: "bcrypt_length" });
    }
  });

  it("never uncovers a hash behind something unknown", () => {
    for (const damage of [base64, hex, encodeURIComponent, (text: string) => `"${text}"`]) {
      expect(verdictOf(damage(`acme1:${BCRYPT}`))).toMatchObject({ code: "unknown_prefix" });
      expect(verdictOf(damage(`pepper-v1${ARGON2}`))).toMatchObject({ code: "unknown_prefix" });
    }
    expect(verdictOf(`acme1:${base64(BCRYPT)}`)).toMatchObject({ code: "unknown" });
    expect(verdictOf(`acme1:${hex(BCRYPT)}`)).toMatchObject({ code: "unknown" });
  });

  it("isn't seen where nothing known comes out", () => {
    for (const text of [
      base64("correct horse battery staple, and more"),
      hex("correct horse battery staple, and more"),
    ]) {
      expect(verdictOf(text)).toMatchObject({ code: "unknown" });
    }
    const digest = `${hex("$1$")}f00d${"0123456789abcdef".repeat(4)}`.slice(0, 64);
    expect(verdictOf(digest)).toMatchObject({ code: "raw_digest" });
    expect(verdictOf("$$$$")).toMatchObject({ code: "unknown" });
    expect(verdictOf('"\\u0024"')).toMatchObject({ code: "unknown" });
    expect(verdictOf(base64("x"))).toMatchObject({ verdict: "refused" });
  });

  it("doesn't turn phpBB's mark into bcrypt", () => {
    expect(
      verdictOf("$H\\2y$05$K8fTGXk6.EXnmL83Zc20VOBWu3dKyj55dA.yvCUB7ydJbdnFTXWgm"),
    ).toMatchObject({ code: "phpbb_wrapped" });
  });

  it("lets quotation marks stand around a marker for no password", () => {
    for (const text of ['""', "'NULL'", ' "*" ', '"  "']) {
      expect(verdictOf(text)).toEqual({ verdict: "none" });
    }
  });

  it("gives a blank in base64 its + back, in argon2 and vendor scrypt alone", () => {
    const scrypt = exported.accepted[0]!.normalized;
    for (const hash of [ARGON2, scrypt]) {
      const verdict = verdictOf(hash.replaceAll("+", " "));
      expect(verdict).toMatchObject({ hash, steps: ["plus_restored"] });
    }
    expect(verdictOf(BCRYPT.replace(".", " "))).toMatchObject({ code: "bcrypt_alphabet" });
  });

  it("doesn't take a blank that was put in for a +", () => {
    const scrypt = exported.accepted[0]!.normalized;
    const unpadded = scrypt.replace("==$m=", "$m=");
    for (const hash of [ARGON2, scrypt, unpadded]) {
      for (let at = 0; at < hash.length; at++) {
        const verdict = verdictOf(`${hash.slice(0, at)} ${hash.slice(at)}`);
        if (verdict.verdict !== "accepted") continue;
        expect(verdict.steps).not.toContain("plus_restored");
      }
    }
  });
});
