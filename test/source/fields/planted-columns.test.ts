import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RunError } from "../../../src/errors/run-error.js";
import type { SourceItem } from "../../../src/source/source.js";
import { inFull, repeated, tried } from "../../support/repeated.js";
import { columnsOf } from "./columns.js";
import {
  type Fact,
  isHeard,
  isStopped,
  ownFiles,
  type PlantedFile,
  plantedFiles,
} from "./planted-columns.js";

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

/** What a row of a table beside the users' may say of one. */
const BESIDE: Readonly<Record<string, object>> = {
  totp_devices: { secret: "JBSWY3DPEHPK3PXP", confirmed: true },
  mfaFactors: { factor_type: "totp", status: "verified" },
  webauthn_credentials: { public_key: "pQECAyYgASFYIA" },
  recovery_codes: { code: "4f3c-9d1e" },
  user_security: { two_factor_secret: "JBSWY3DPEHPK3PXP" },
  user_bans: { reason: "spam", expires_at: null },
  suspensions: { reason: "unpaid" },
  blocked_accounts: { since: "2024-01-02" },
  profiles: { is_blocked: true },
  user_status: { status: "suspended" },
  employees: { terminated_at: "2024-01-02" },
  email_addresses: { value: "another@example.com", verified: false },
  phone_verifications: { verified: false },
  social_accounts: { provider: "google", uid: "g1" },
  oauth_connections: { provider: "github", uid: "g2" },
};

const OWN = [[], ["usr"], ["user"], ["account"]];
const PREFIXES = [[], ...OWN, ["is"], ["legacy"]];

function large(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** A file as it is read with a column that says nothing. */
interface Tried {
  readonly file: PlantedFile;
  readonly before: Awaited<ReturnType<PlantedFile["read"]>>;
}

function triedFiles(files: readonly PlantedFile[]): Promise<readonly Tried[]> {
  return Promise.all(
    files.map(async (file) => ({ file, before: await file.read("favourite_tea", "oolong") })),
  );
}

const FILES = await triedFiles(plantedFiles());
/** A file of one's own in each way in which it can be read; without hashes for what may hold one. */
const OWN_FILES = await triedFiles(ownFiles({ isHashed: true }));
const BARE_FILES = await triedFiles(ownFiles({ isHashed: false }));

/** In full every way and a few of the vendors' files, of which each name gets others; else one of each. */
function filesFor(index: number, own: readonly Tried[]): readonly Tried[] {
  if (!inFull) return [own[index % own.length]!, FILES[(index * 7) % FILES.length]!];
  return [...own, ...FILES.filter((_file, at) => (at + index) % 24 === 0)];
}

/** One name in six, or all in full. */
function namesOf(file: string) {
  return [...columnsOf(file).entries()].filter(([index]) => inFull || index % 6 === 0);
}

/** Files that say of each object what it is: of others than users their readers know, or tell, the names. */
const KINDS_OF_THEIR_OWN = /^(?:django|supertokens) |^strapi entities|^mattermost bulk/;

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
      expect({ name, file: file.name, isHeard: isHeard(fact, name, before, after) }).toMatchObject({
        isHeard: true,
      });
    }),
    { numRuns: RUNS },
  );
}

function words(text: string): string[][] {
  return text.split(",").map((name) => name.trim().split(/\s+/));
}

describe("a column of a real system", () => {
  const FACTS = [
    ["out", "out", "that keeps users out", 420],
    ["out", "companions", "about a flag, where none is read", 20],
    ["factor", "factors", "of a second factor", 130],
    ["unverified", "unverified", "of a contact that was never verified", 75],
    ["hash", "hashes", "of a password's hash", 70],
    ["salt", "salts", "of a salt", 7],
  ] as const;

  test.each(FACTS)(
    "is heard or asked about in every way of reading: %s",
    async (fact, list, _, least) => {
      expect(columnsOf(list).length).toBeGreaterThanOrEqual(least);
      const silent: string[] = [];
      for (const [index, { system, name, value }] of namesOf(list)) {
        const own = fact === "hash" ? BARE_FILES : OWN_FILES;
        for (const { file, before } of list === "companions" ? own : filesFor(index, own)) {
          if (before instanceof RunError) throw new Error(`${file.name} can't be read`);
          if (file.has(name)) continue;
          const after = await file.read(name, value);
          if (!isHeard(fact, name, before, after))
            silent.push(`${file.name}: ${name} of ${system}`);
        }
      }
      expect(silent).toEqual([]);
    },
  );

  test("that says nothing of an account stops one run of fifty at most", async () => {
    expect(columnsOf("harmless").length).toBeGreaterThanOrEqual(500);
    const stopped: string[] = [];
    let runs = 0;
    for (const [index, { name, value }] of namesOf("harmless")) {
      for (const { file, before } of filesFor(index, OWN_FILES)) {
        if (file.has(name)) continue;
        const after = await file.read(name, value);
        runs += 1;
        if (isStopped(before as readonly SourceItem[], after))
          stopped.push(`${file.name}: ${name}`);
      }
    }
    expect(stopped.length, stopped.join(", ")).toBeLessThanOrEqual(Math.ceil(runs / 50));
  });
});

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
        const isOut = isHeard("out", "", before as readonly SourceItem[], after);
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

  test("objects between the users that say nothing of their kind stop the run, or are rejected where all their names are users' own", async () => {
    const between = FILES.filter(({ file }) => file.between !== undefined);
    expect(between.length).toBeGreaterThan(40);
    const [silent, rejected]: [string[], string[]] = [[], []];
    for (const says of [...Object.values(BESIDE), { role: "editor" }, { title: "Spring" }]) {
      for (const { file } of tried(between, 60)) {
        const after = await file.between?.({ id: 71, ...says, user_id: 1 });
        if (after === undefined || after instanceof RunError) continue;
        const isRead = after.every(({ kind }) => kind !== "reject");
        (isRead ? silent : rejected).push(`${file.name}: ${JSON.stringify(says)}`);
      }
    }
    expect(silent).toEqual([]);
    // One in twenty at most.
    expect(rejected.length, rejected.join(", ")).toBeLessThan(between.length);
  });

  test("a list beside the users that says of them what they don't say stops the run", async () => {
    const documents = FILES.filter(({ file }) => file.beside !== undefined);
    expect(documents.length).toBeGreaterThan(15);
    const silent: string[] = [];
    for (const [list, says] of Object.entries(BESIDE)) {
      const others = [1, 2].map((id) => ({ id: 70 + id, ...says, user_id: id }));
      for (const { file } of tried(documents, 60)) {
        const after = await file.beside?.(list, others);
        const isStop = after instanceof RunError && after.code !== "usage";
        if (!isStop) silent.push(`${file.name}: ${list}`);
      }
    }
    expect(silent).toEqual([]);
  });

  test("a list beside the users that says nothing of them stops none", async () => {
    for (const { file, before } of tried(FILES, 60)) {
      const posts = [{ id: 71, user_id: 1, title: "Spring at the lake" }];
      const after = await file.beside?.("posts", posts);
      if (after === undefined) continue;
      const isSaid = isStopped(before as readonly SourceItem[], after);
      expect({ file: file.name, isSaid }).toMatchObject({ isSaid: false });
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
});

test.each(OWN_FILES)(
  "a word of a list that keeps out and one of a verification that isn't known are heard: $file.name",
  async ({ file, before }) => {
    const listed = await file.read("tags", '["banned"]');
    const isOut = isHeard("out", "tags", before as readonly SourceItem[], listed);
    const unsure = await file.read("email_verified", "vielleicht");
    const told = (unsure as readonly SourceItem[]).map(
      (item) =>
        item.kind === "record" && [
          item.record.email?.verified,
          item.record.notices.includes("part_unreadable"),
        ],
    );
    expect({ isOut, told }).toEqual({ isOut: true, told: [0, 1].map(() => [false, true]) });
  },
);

test("a second factor is heard wherever it is nested", async () => {
  const [{ file, before } = FILES[0]!] = FILES.filter(({ file }) => file.name === "json scim.json");
  for (const nested of [
    { mfa: { secret: "JBSWY3DP" } },
    { security: { twoFactor: { method: "sms" } } },
    { login: { options: { securityKey: { handle: "k1" } } } },
  ]) {
    const after = await file.read("settings", nested);
    expect(isHeard("factor", "", before as readonly SourceItem[], after)).toBe(true);
  }
  const off = await file.read("settings", { security: { twoFactor: { enabled: false } } });
  expect(isHeard("factor", "", before as readonly SourceItem[], off)).toBe(false);
});
