import { describe, expect, it } from "vitest";
import { isCostly } from "../../src/hash/verify.js";

const BODY = "K8fTGXk6.EXnmL83Zc20VOBWu3dKyj55dA.yvCUB7ydJbdnFTXWgm";
const SALT_AND_HASH = "$Eptj8qK6R+zcOx/uLU584w$XVTaw2GCZpRLtf7+eykZQ3Fpvdw/It3aFh8lnRyEqjo";

describe("a costly hash", () => {
  it.each([
    [`$2a$15$${BODY}`, false],
    [`$2a$16$${BODY}`, true],
    [`$2y$30$${BODY}`, true],
    [`$argon2id$v=19$m=1048576,t=3,p=4${SALT_AND_HASH}`, false],
    [`$argon2id$v=19$m=1048577,t=3,p=4${SALT_AND_HASH}`, true],
    ["$f_scrypt$aGFzaA==$c2FsdA==$m=14$r=8$s=Bw==", false],
    ["correct horse", false],
  ])("is bcrypt above 15 and argon2 above a gibibyte", (hash, costly) => {
    expect(isCostly(hash)).toBe(costly);
  });
});
