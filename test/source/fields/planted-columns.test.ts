import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RunError } from "../../../src/errors/run-error.js";
import type { SourceItem } from "../../../src/source/source.js";
import { repeated, tried } from "../../support/repeated.js";
import { columnsOf } from "../generic/fixture-columns.js";
import { type Fact, isHeard, isStopped, plantedFiles } from "./planted-columns.js";

const RUNS = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 20, full: 600 });

const BCRYPT = "$2a$10$851F/nQcrhTCgKGqW3vAEuawD2EcdaDSUm.4kze9Gdvaylx8AdJUm";
/** The one that is named, some that are known, one that isn't. */
const STATES = ["ldap_blocked", "banned", "suspended", "zzyzx", "active"];

/** How applications write names of several words. */
const STYLES: readonly ((words: readonly string[]) => string)[] = [
  (words) => words.join("_"),
  (words) => words.join("-"),
  (words) => words.join("_").toUpperCase(),
  (words) => words.map(large).join(""),
  ([first = "", ...others]) => [first, ...others.map(large)].join(""),
];

const OWN = [[], ["usr"], ["user"], ["account"]];
const PREFIXES = [[], ...OWN, ["is"], ["legacy"]];

function large(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

const FILES = await Promise.all(
  plantedFiles().map(async (file) => ({
    file,
    before: await file.read("favourite_tea", "oolong"),
  })),
);

/** Files that say of each object what it is: of others than users their readers know, or tell, the names. */
const KINDS_OF_THEIR_OWN = /^(?:django|supertokens) |^strapi entities/;

/** Names of a fact in all files, of which few are tried in each. */
function heardEverywhere(
  fact: Fact,
  names: readonly string[][],
  value: unknown,
  prefixes = PREFIXES,
) {
  const parts = fc.record({
    at: fc.nat(FILES.length - 1),
    words: fc.constantFrom(...names),
    prefix: fc.constantFrom(...prefixes),
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
      "salt, password salt, hash salt, pw salt, salt value, passwd salt, salt hex, password pepper, secret suffix, password seed, pw nonce, hash postfix, password key, pwsalt, saltvalue",
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
      secret, strong authentication methods, double auth, dual factor, two steps verification,
      deux facteurs, duas etapas, scratch codes, google auth, hardware token, otp uri`);
    await heardEverywhere("factor", names, "JBSWY3DPEHPK3PXP");
  });

  test("a second factor is heard by its value under a name that says nothing", async () => {
    const ways = words("verify method, primary way, next step, preferred check");
    await heardEverywhere("factor", ways, "totp");
    await heardEverywhere("factor", ways, "Google Authenticator");
    await heardEverywhere("factor", ways, "otpauth://totp/Acme:ann?secret=JBSWY3DPEHPK3PXP");
    await heardEverywhere("factor", words("google secret, ga secret, tf seed"), "JBSWY3DPEHPK3PXP");
  });

  test("an account that has ended, a shell that is none, a state in numbers and a sign-in that isn't by password are heard, or asked about", async () => {
    await heardEverywhere(
      "out",
      words("end date, endtime, account end, account expiry"),
      "2020-01-01",
      OWN,
    );
    await heardEverywhere("out", words("shell, unix shell"), "/usr/sbin/nologin", OWN);
    await heardEverywhere("out", words("status id, status code"), "3", OWN);
    await heardEverywhere("out", words("access, access level, lifecycle"), "revoked", OWN);
    await heardEverywhere("out", words("password login disabled, no password login"), true, OWN);
    await heardEverywhere("out", words("password login allowed, allow password login"), false, OWN);
    await heardEverywhere("out", words("service account client link"), "6b5d2d2c-1111", OWN);
  });

  test("a value that keeps out is heard under names of ways, sorts and states, or asked about", async () => {
    const names = words("auth, auth method, login method, login source, plugin");
    await heardEverywhere("out", names, "nologin");
    const sorts = words("account type, user kind, type, account sort");
    await heardEverywhere("out", sorts, "service_account");
    await heardEverywhere("out", sorts, "bot");
    await heardEverywhere("out", words("account status, state, member state"), "suspended");
  });

  test("a password in plain text is called so by its column's name, and never sent", async () => {
    const names = words(`plain text password, plaintext password, password plain, cleartext
      password, clear text pwd, unhashed password, password clear, passwort klartext, decrypted
      password, password in plain text`);
    await heardEverywhere("plain", names, BCRYPT);
    await heardEverywhere("plain", names, "Sommer2024!");
    const unsure = words(`initial password, temp password, password raw, temporary pwd, default
      password, generated password, passwort initial, contrasena temporal, password text`);
    await heardEverywhere("plain", unsure, "Sommer2024!");
  });

  test("a flag that lets in, and that one user of a document lacks, isn't clear of that user", async () => {
    for (const { file, before } of tried(FILES, 60)) {
      if (file.isTable || before instanceof RunError) continue;
      const isLetIn = before.at(-1)?.kind === "record";
      const after = await file.read("member_is_active", true, { lacking: true });
      if (!isLetIn || before.length < 2 || after instanceof RunError) continue;
      const last = after.at(-1);
      expect({ file: file.name, last }).toMatchObject({ last: { code: "flag_invalid" } });
    }
  });

  test("a name of --map that no user has is refused", async () => {
    const map = new Map([["email_verified", ["favorite_tea"]]]);
    for (const { file } of tried(FILES, 60)) {
      if (file.isTable) continue;
      const after = await file.read("favourite_tea", "oolong", { map });
      const code = after instanceof RunError ? after.code : "read";
      expect({
        file: file.name,
        code: ["input_unrecognized", "usage"].includes(code),
      }).toMatchObject({ code: true });
    }
  });

  test("a value of a state that --map names leaves the others as they are known", async () => {
    const parts = fc.record({ at: fc.nat(FILES.length - 1), text: fc.constantFrom(...STATES) });
    await fc.assert(
      fc.asyncProperty(parts, async ({ at, text }) => {
        const { file, before } = FILES[at]!;
        const map = new Map([["disabled", ["account_state=ldap_blocked"]]]);
        const after = await file.read("account_state", text, { map });
        // A source that hears no further fields refuses the option.
        if (after instanceof RunError && after.code === "usage") return;
        const isOut = isHeard("out", before as readonly SourceItem[], after);
        expect({ file: file.name, text, isOut }).toMatchObject({ isOut: text !== "active" });
      }),
      { numRuns: RUNS },
    );
  });

  test("objects of another kind among the users stop the run", async () => {
    const device = { entityType: "totp_device", id: 7, user_id: 1, secret: "JBSWY3DPEHPK3PXP" };
    for (const { file } of tried(FILES, 60)) {
      if (file.mixed === undefined || KINDS_OF_THEIR_OWN.test(file.name)) continue;
      const after = await file.mixed("entityType", "user", device);
      const said = after instanceof RunError ? after.message : "it is read";
      expect({ file: file.name, said }).toMatchObject({
        said: expect.stringContaining("objects of several kinds"),
      });
    }
  });

  test("a table's repeated column is refused only where it would be read", async () => {
    for (const { file, before } of FILES.filter(({ file }) => file.isTable)) {
      const told = await file.read("favourite_tea", "oolong", { twice: true });
      const isSaid = isStopped(before as readonly SourceItem[], told);
      expect({ file: file.name, isSaid }).toEqual({ file: file.name, isSaid: false });
      const read = await file.read("banned", "no", { twice: true });
      expect({ file: file.name, read }).toMatchObject({ read: { code: "input_unrecognized" } });
    }
  });

  test("names that say nothing of an account stop one run of fifty at most", async () => {
    const stopped = new Map<string, string[]>();
    const tries = new Map<string, number>();
    const times = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 1, full: 8 });
    for (const [index, { name, value }] of columnsOf("harmless-columns.txt").entries()) {
      for (let turn = 0; turn < Math.min(times, 8); turn++) {
        const { file, before } = FILES[(index * 7 + turn * 11) % FILES.length]!;
        if (file.has(name)) continue;
        const kind = file.isTable ? "tables" : "JSON";
        const after = await file.read(name, value);
        tries.set(kind, (tries.get(kind) ?? 0) + 1);
        if (!isStopped(before as readonly SourceItem[], after)) continue;
        stopped.set(kind, [...(stopped.get(kind) ?? []), `${file.name}: ${name}`]);
      }
    }
    for (const [kind, all] of tries) {
      const found = stopped.get(kind) ?? [];
      expect(found.length, found.join(", ")).toBeLessThanOrEqual(Math.ceil(all / 50));
    }
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
