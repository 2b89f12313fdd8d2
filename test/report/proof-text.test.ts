import { describe, expect, it } from "vitest";
import { countProved, NOBODY_PROVED } from "../../src/events/standing.js";
import type { Proof } from "../../src/prove/proof.js";
import { proofLines, proofVerdict } from "../../src/report/proof-text.js";

const PROVED: Proof = {
  ok: true,
  user: 1,
  row: { file: "users.json", number: 12 },
  sourceId: "u-12",
  algorithm: "bcrypt",
  bridged: false,
  steps: ["bcrypt_2b_to_2a"],
  signedIn: null,
};
const OTHER: Proof = { ...PROVED, user: 2, row: { file: "users.json", number: 13 } };
const BRIDGED: Proof = {
  ...PROVED,
  ...{
    row: { file: "users.json", number: 14 },
    algorithm: "phpass",
    bridged: true,
    steps: ["will be bridged (phpass)"],
  },
};
const FAILED: Proof = {
  ...PROVED,
  ok: false,
  user: 20,
  code: "wrong_signer_key",
  hint: "Another key made this hash.",
};
const CORE = { kind: "embedded", file: "core.db" } as const;
const NEXT = "To begin: auth-migrate import users.json";

describe("a proof for people", () => {
  it("has a line for each user, and below a failure what to do", () => {
    const nobody: Proof = { ...FAILED, user: 3, row: null, code: "user_not_found" };
    expect(proofLines([PROVED, FAILED, nobody], null)).toEqual([
      "  user 1   proved   users.json, row 12   bcrypt, bcrypt_2b_to_2a",
      "  user 20  FAILED   users.json, row 12   wrong_signer_key",
      "      Another key made this hash.",
      "  user 3   FAILED   in no row   user_not_found",
      "      Another key made this hash.",
    ]);
  });

  it("says where a sign-in was tried", () => {
    const [line] = proofLines([{ ...PROVED, signedIn: true }], null);
    expect(line).toMatch(/; signs in at the core, and not with a wrong password$/);
    expect(proofLines([{ ...PROVED, signedIn: true }], 80)).toEqual([
      "  user 1   proved   users.json, row 12   bcrypt, bcrypt_2b_to_2a; signs in at",
      "                                         the core, and not with a wrong password",
    ]);
  });

  it.each([
    [
      "one password",
      [PROVED],
      null,
      "Proved: 1 known password verifies against what the core gets.",
    ],
    [
      "several, of whom one is named twice",
      [PROVED, OTHER, PROVED],
      null,
      "Proved: 2 known passwords verify against what the core gets.",
    ],
    [
      "a sign-in",
      [{ ...PROVED, signedIn: true }],
      CORE,
      "Proved: 1 known password verifies here and at the embedded core core.db.",
    ],
    [
      "hashes for the bridge alone",
      [BRIDGED, { ...BRIDGED, row: OTHER.row }],
      null,
      "Proved: 2 known passwords verify against what the vault keeps.",
    ],
    [
      "some of them",
      [PROVED, OTHER, BRIDGED],
      null,
      "Proved: 2 known passwords verify against what the core gets. 1 known password verifies against what the vault keeps.",
    ],
    [
      "some of them and sign-ins",
      [{ ...PROVED, signedIn: true }, BRIDGED],
      CORE,
      "Proved: 1 known password verifies here and at the embedded core core.db. 1 known password verifies against what the vault keeps.",
    ],
    [
      "a core without sign-ins",
      [PROVED],
      CORE,
      "No sign-in could be tried at the embedded core core.db, which offers none.",
    ],
  ])("ends with the next step after %s", (_what, proofs, core, says) => {
    const users = countProved(proofs.filter((one) => one.ok));
    const lines = proofVerdict(proofs, { core, users, untried: {}, rejects: false, next: [NEXT] });
    expect(lines).toContain(says);
    expect(lines.at(-1)).toBe(NEXT);
  });

  it("tells of rows that the import rejects, before it names the import", () => {
    const concluding = {
      core: null,
      users: NOBODY_PROVED,
      untried: {},
      rejects: true,
      next: [NEXT],
    };
    expect(proofVerdict([PROVED], concluding).slice(1)).toEqual([
      "An import may reject some rows: validate says which, and why.",
      NEXT,
    ]);
  });

  it("ends with the failure, and says that nothing was sent where nothing was", () => {
    const again = "Do what is said above, then run the same command again.";
    expect(
      proofVerdict([PROVED, FAILED], {
        core: null,
        users: NOBODY_PROVED,
        untried: {},
        rejects: false,
        next: [NEXT],
      }),
    ).toEqual(["Not proved: 1 of 2 users failed. Nothing was sent by this.", again]);
    expect(
      proofVerdict([FAILED], {
        core: CORE,
        users: NOBODY_PROVED,
        untried: {},
        rejects: false,
        next: [NEXT],
      }),
    ).toEqual(["Not proved: 1 of 1 user failed.", again]);
    const bridged = [{ ...FAILED, code: "hash_refused", fitsBridge: true } as const];
    expect(
      proofVerdict(bridged, {
        core: null,
        users: NOBODY_PROVED,
        untried: {},
        rejects: false,
        next: [NEXT],
      }).at(-1),
    ).toBe(
      "Do what is said above, then run the same command again with --on-unusable-hash bridge.",
    );
  });
});
