import { describe, expect, it } from "vitest";
import { checkHash } from "../../src/hash/grammar.js";
import acceptedTexts from "./fixtures/accepted-texts.json" with { type: "json" };
import knownAnswers from "./fixtures/known-answers.json" with { type: "json" };

const bcrypt = acceptedTexts.find(({ algorithm }) => algorithm === "bcrypt")!.normalized;
const argon2 = acceptedTexts.find(({ algorithm }) => algorithm === "argon2")!.normalized;
const scrypt = knownAnswers.find(({ algorithm }) => algorithm === "vendor_scrypt")!.hash;

function reasonFor(hash: string, algorithm?: "vendor_scrypt"): string {
  const check = algorithm === undefined ? checkHash(hash) : checkHash(hash, algorithm);
  return check.ok ? "accepted" : check.reason;
}

describe("what a core accepts", () => {
  it.each(knownAnswers)("takes $name", ({ hash, algorithm }) => {
    expect(checkHash(hash)).toEqual({ ok: true, algorithm });
  });

  it("takes vendor scrypt under its name, with its parameters in any order", () => {
    const turned = scrypt.replace("$m=14$r=8$s=Bw==", "$s=Bw==$r=8$m=14");
    for (const hash of [scrypt, turned]) {
      expect(checkHash(hash, "vendor_scrypt")).toEqual({ ok: true, algorithm: "vendor_scrypt" });
    }
  });

  it("takes $2b$ and $2y$, which are $2a$ under other names, and not $2x$ or $2$", () => {
    expect(reasonFor(bcrypt.replace("$2a$", "$2b$"))).toBe("accepted");
    expect(reasonFor(bcrypt.replace("$2a$", "$2y$"))).toBe("accepted");
    expect(reasonFor(bcrypt.replace("$2a$", "$2x$"))).toContain("$2x$");
    expect(reasonFor(bcrypt.replace("$2a$", "$2$"))).toContain("$2$");
  });

  it("takes an argon2 output of a length that an export would be doubted for", () => {
    expect(reasonFor(`${argon2.slice(0, argon2.lastIndexOf("$"))}$AAAAAA`)).toBe("accepted");
  });
});

describe("what a core refuses", () => {
  it.each([
    ["a bcrypt hash cut by a character", bcrypt.slice(0, -1), "60 characters"],
    ["a bcrypt salt with spare bits set", bcrypt.replace("20VOB", "20VPB"), "salt sets bits"],
    ["argon2 parameters out of order", argon2.replace("m=1024,t=2", "t=2,m=1024"), "standard"],
    ["padded argon2 base64", `${argon2}=`, "standard"],
    ["an argon2 output of 3 bytes", `${argon2.slice(0, argon2.lastIndexOf("$"))}$AAAA`, "length"],
    ["an argon2 parameter beyond 32 bits", argon2.replace("t=2", "t=4294967296"), "m, t or p"],
    ["white space after a hash", `${argon2} `, "standard"],
    ["another algorithm", "$6$rounds=1000$abcdefgh$", "none of bcrypt"],
    ["a vendor scrypt hash without padding", scrypt.replace("==$D", "$D"), "padding"],
    ["a url-safe vendor scrypt salt", scrypt.replace("$Dc+", "$Dc-"), "salt"],
    ["rounds beyond what it computes", scrypt.replace("r=8", "r=17"), "r (1 to 16)"],
    ["a separator that it would cut in two", scrypt.replace("s=Bw==", "s=AAs="), "s="],
    ["an empty separator", scrypt.replace("s=Bw==", "s="), "separator"],
  ])("refuses %s and says why", (_what, hash, expected) => {
    const reason = reasonFor(hash);
    expect(reason).toContain(expected);
    expect(reason).not.toContain(hash.slice(-20));
  });

  it("refuses another algorithm's hash under the name of vendor scrypt", () => {
    expect(reasonFor(bcrypt, "vendor_scrypt")).toContain("$f_scrypt$");
  });
});
