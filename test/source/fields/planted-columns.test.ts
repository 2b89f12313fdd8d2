import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RunError } from "../../../src/errors/run-error.js";
import type { SourceItem } from "../../../src/source/source.js";
import { repeated } from "../../support/repeated.js";
import { type Fact, isHeard, plantedFiles } from "./planted-columns.js";

const RUNS = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 20, full: 600 });

/** How applications write names of several words. */
const STYLES: readonly ((words: readonly string[]) => string)[] = [
  (words) => words.join("_"),
  (words) => words.join("-"),
  (words) => words.join("_").toUpperCase(),
  (words) => words.map(large).join(""),
  ([first = "", ...others]) => [first, ...others.map(large)].join(""),
];

const PREFIXES = [[], [], ["usr"], ["user"], ["account"], ["is"], ["legacy"]];

function large(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

const FILES = await Promise.all(
  plantedFiles().map(async (file) => ({
    file,
    before: await file.read("favourite_tea", "oolong"),
  })),
);

/** Names of a fact in all files, of which few are tried in each. */
function heardEverywhere(fact: Fact, names: readonly string[][], value: unknown) {
  const parts = fc.record({
    at: fc.nat(FILES.length - 1),
    words: fc.constantFrom(...names),
    prefix: fc.constantFrom(...PREFIXES),
    style: fc.nat(STYLES.length - 1),
  });
  return fc.assert(
    fc.asyncProperty(parts, async ({ at, words, prefix, style }) => {
      const { file, before } = FILES[at]!;
      const name = STYLES[style]!([...prefix, ...words]);
      if (before instanceof RunError) throw new Error(`${file.name} can't be read`);
      if (file.has(name)) return;
      const after = await file.read(name, value);
      expect({ name, file: file.name, isHeard: isHeard(fact, before, after) }).toMatchObject({
        isHeard: true,
      });
    }),
    { numRuns: RUNS },
  );
}

function words(text: string): string[][] {
  return text.split(",").map((name) => name.trim().split(/\s+/));
}

describe("in a file of any source", () => {
  test("there is more than one form of nearly all of them", () => {
    expect(FILES.length).toBeGreaterThan(45);
  });

  test("a filled salt beside a hash that doesn't carry it is refused or asked about", async () => {
    const names = words(
      "salt, password salt, hash salt, pw salt, salt value, passwd salt, salt hex, password pepper, secret suffix",
    );
    await heardEverywhere("salt", names, "0a1b2c3d4e5f");
  });

  test("a yes that keeps out is heard by the parts of its name, or asked about", async () => {
    const names =
      words(`prohibit login, deny login, disallow signin, bar access, block login, forbid
      sign in, suspend access, refuse login, fired, leaver, retired, terminated, resigned, cannot
      login, can not log in, unable to sign in, no login, login prohibited, access forbidden,
      not approved, non active, login not allowed, blocked, banned, gesperrt, bot, service account,
      system user, access revoked, offboarded`);
    await heardEverywhere("out", names, true);
  });

  test("a no that keeps out is heard by the parts of its name, or asked about", async () => {
    const names = words(`can authenticate, can login, may sign in, allow login, able to login,
      login allowed, accepted application, approved, allowed, authorized, access granted, has
      access, account enabled, active`);
    await heardEverywhere("out", names, false);
  });

  test("a second factor is heard by the parts of its name", async () => {
    const names = words(`mfa secret, 2fa method, secret 2fa, two FA, twofa totp key, tfa token, totp
      seed, otp secret, hotp key, u2f keys, webauthn id, passkey public key, fido credential,
      security key handle, authenticator secret, second factor type, two factor method, multi factor
      phone, duo user id, yubikey id, mfa backup codes, existing mfa base32 encoded secret, two step
      secret`);
    await heardEverywhere("factor", names, "JBSWY3DPEHPK3PXP");
  });
});

test("a second factor is heard wherever it is nested", async () => {
  const [{ file, before } = FILES[0]!] = FILES.filter(({ file }) => file.name === "json scim.json");
  for (const nested of [
    { mfa: { secret: "JBSWY3DP" } },
    { security: { twoFactor: { method: "sms" } } },
    { login: { options: { securityKey: { handle: "k1" } } } },
  ]) {
    const after = await file.read("settings", nested);
    expect(isHeard("factor", before as readonly SourceItem[], after)).toBe(true);
  }
  const off = await file.read("settings", { security: { twoFactor: { enabled: false } } });
  expect(isHeard("factor", before as readonly SourceItem[], off)).toBe(false);
});
