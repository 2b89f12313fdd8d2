import { writeFileSync } from "node:fs";
import { createHash, createHmac } from "node:crypto";
import argon2 from "argon2";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSignerKeys } from "../../src/hash/signer-keys.js";
import { type Input, openInputs } from "../../src/source/inputs.js";
import type { ProofOptions } from "../../src/prove/explain.js";
import { findUsers } from "../../src/prove/find-users.js";
import { allProved, type Proof, provedAlgorithms } from "../../src/prove/proof.js";
import { proveUsers } from "../../src/prove/prove-users.js";
import { DEFAULT_POLICY } from "../../src/plan/policy.js";
import preHashed from "../hash/fixtures/pre-hashed.json" with { type: "json" };
import { ANSWERS, contextOf, rawOf } from "../hash/legacy/support/known-answers.js";
import { email, record } from "../run/support/records.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import {
  bcryptOf,
  CHEAP,
  csvUsers,
  type ExportedUser,
  firebaseOf,
  hashConfigOf,
  KEY,
  type Making,
  OTHER_KEY,
  scryptOf,
} from "../run/support/test-users.js";
import { inFull, tried } from "../support/repeated.js";

const newPath = temporaryPaths();

/** Names and passwords as the operator gives them. */
type Given = Readonly<Record<string, string>>;
type Options = Partial<ProofOptions> & { readonly from?: string };

/** Proves users of an export with this content. */
async function prove(text: string, given: Given, options: Options = {}): Promise<Proof[]> {
  const path = newPath("users");
  writeFileSync(path, text);
  const { from, ...changes } = options;
  const inputs = await openInputs([path], { from });
  const all = {
    policy: DEFAULT_POLICY,
    hashConfig: null,
    signerKeys: createSignerKeys(null),
    ...changes,
  };
  const found = await findUsers(inputs, Object.keys(given), all);
  const passwords = Object.values(given);
  return proveUsers(
    passwords.map((password, index) => ({ found: found[index] ?? null, password })),
    all,
  );
}

/** What became of each, in a word. */
function told(proofs: readonly Proof[]): string[] {
  return proofs.map((proof) => (proof.ok ? `proved ${proof.algorithm}` : proof.code));
}

function hintOf(proofs: readonly Proof[], index = 0): string {
  const proof = proofs[index];
  return proof === undefined || proof.ok ? "" : proof.hint;
}

/** An application's users, each with a bcrypt hash of their own password. */
function members(passwords: readonly string[]): ExportedUser[] {
  return passwords.map((password, index) => ({
    id: `m-${index + 1}`,
    email: `member.${index + 1}@example.com`,
    hash: password === "" ? "" : bcryptOf(password),
  }));
}

/** Firebase users, each with their own password under one signer key. */
function players(passwords: readonly string[], made: Making = {}) {
  return passwords.map((password, index) => ({
    id: `p-${index + 1}`,
    email: `player.${index + 1}@example.com`,
    ...scryptOf(password, { salt: `salt-${index + 1}`, ...made }),
  }));
}

function withKey(key: Buffer | null, parameters = CHEAP): Options {
  const hashConfig = hashConfigOf(key, parameters);
  return { hashConfig, signerKeys: createSignerKeys(hashConfig.signerKey) };
}

describe("a hash in a format that no core takes", () => {
  const answer = (format: string) => ANSWERS.find((one) => one.format === format)!;
  const django = answer("django_pbkdf2_sha256");

  it.each([
    ["fits", django.password, /fits it \(django_pbkdf2_sha256\)/],
    ["doesn't fit", "Kaz00", /doesn't fit the hash, either \(django_pbkdf2_sha256\)/],
  ])("says whether the password %s", async (how, password, hint) => {
    const users = [{ id: "m-1", email: "ann@example.com", hash: django.hash! }];
    const proofs = await prove(csvUsers(users), { "m-1": password });
    expect(told(proofs)).toEqual(["hash_refused"]);
    expect(proofs).toMatchObject([{ fitsBridge: how === "fits" }]);
    expect(hintOf(proofs)).toMatch(hint);
    expect(hintOf(proofs)).toContain("No core takes this hash (pbkdf2)");
  });

  it("names both options for a user whose contact is unverified, as the import does", async () => {
    const hash = rawOf(django);
    const ada = record({ sourceId: "m-1", email: email("ada@example.com", false), hash });
    const found = { row: { file: "users.csv", number: 1 }, record: ada, input: {} as Input };
    const options = {
      policy: DEFAULT_POLICY,
      hashConfig: null,
      signerKeys: createSignerKeys(null),
    };
    const proofs = await proveUsers([{ found, password: django.password }], options);
    expect(told(proofs)).toEqual(["hash_refused"]);
    expect(hintOf(proofs)).toMatch(/passwordless and (?:--|policy\.)include unverified/);
  });

  it("names the bridge before any other way where it keeps the hash, and nowhere else", async () => {
    const wrong: string[] = [];
    let kept = 0;
    const each = new Map(ANSWERS.toReversed().map((one) => [one.format, one])).values();
    for (const answer of inFull ? ANSWERS : each) {
      const { vendor, pepper, userNames } = contextOf(answer);
      const input = { vendor } as Input;
      const [sourceId = null] = userNames;
      const ada = record({ sourceId, email: email("ada@example.com"), hash: rawOf(answer) });
      const found = { row: { file: "users.csv", number: 1 }, record: ada, input };
      const [proof, byBridge] = await Promise.all(
        (["reject", "bridge"] as const).map(async (onUnusableHash) => {
          const policy = { ...DEFAULT_POLICY, onUnusableHash, pepper };
          const options = { policy, hashConfig: null, signerKeys: createSignerKeys(null) };
          const { password } = answer;
          return (await proveUsers([{ found, password }], options))[0];
        }),
      );
      if (proof?.ok !== false || proof.code !== "hash_refused") continue;
      const isKept = byBridge?.ok === true && byBridge.bridged;
      const bridge = proof.hint.search(/(?:--on-unusable-hash|policy\.onUnusableHash) bridge/);
      const isFirst = bridge !== -1 && bridge < proof.hint.indexOf(", or ");
      if (isFirst !== isKept || (proof.fitsBridge ?? false) !== isKept) wrong.push(proof.hint);
      kept += isKept ? 1 : 0;
    }
    expect(wrong).toEqual([]);
    expect(kept).toBeGreaterThan(40);
  });

  it("and which the bridge keeps only by a mapping: the hint says so", async () => {
    const salt = "c2FsdHNhbHQ=";
    const hash = createHash("sha512").update(`${salt}Tr0mbone`).digest("base64");
    const users = [{ id: "m-1", email: "ann@example.com", hash, salt }];
    const proofs = await prove(csvUsers(users), { "m-1": "Tr0mbone" });
    expect(hintOf(proofs)).toMatch(/hash_config_missing.*fits it \(\w+\): where a mapping/);
    expect(proofs[0]).not.toHaveProperty("fitsBridge");
  });

  it("as an object of a JSON export", async () => {
    const { credential, password } = answer("keycloak_pbkdf2_sha512");
    const users = {
      realm: "acme",
      users: [
        {
          id: "k-1",
          username: "ann",
          email: "ann@example.com",
          emailVerified: true,
          enabled: true,
          credentials: [credential],
        },
      ],
    };
    const proofs = await prove(JSON.stringify(users), { "k-1": password }, { from: "keycloak" });
    expect(hintOf(proofs)).toMatch(/fits it \(keycloak_pbkdf2_sha512\)/);
  });

  it("says which parameter is beyond a sign-in", async () => {
    const hash = django.hash!.replace("$1000$", "$90000000$");
    const proofs = await prove(csvUsers([{ id: "m-1", email: "ann@example.com", hash }]), {
      "m-1": django.password,
    });
    expect(hintOf(proofs)).toMatch(/the iterations of this hash \(django_pbkdf2_sha256\)/);
  });
});

describe("a test user with the right password is proved", () => {
  it.each(["bcrypt", "argon2"] as const)("by a hash of %s", async (algorithm) => {
    const { passwordHash, password } = KNOWN_HASHES[algorithm];
    const users = [{ id: "m-1", email: "ann@example.com", hash: `"${passwordHash}"` }];
    const [proof] = await prove(csvUsers(users), { "ann@example.com": password });
    expect(proof).toMatchObject({ ok: true, user: 1, sourceId: "m-1", algorithm, steps: [] });
    expect(proof?.row?.number).toBe(1);
  });

  it("by a hash that had to be mended, and the steps are named", async () => {
    const { passwordHash, password } = KNOWN_HASHES.bcrypt;
    const users = [{ id: "m-1", hash: `bcrypt$${passwordHash.replace("$2a", "$2b")}` }];
    const text = csvUsers(users).replace("m-1,,", "m-1,ann@example.com,");
    expect(await prove(text, { "m-1": password })).toMatchObject([
      { ok: true, steps: ["django_bcrypt_stripped", "bcrypt_2b_to_2a"] },
    ]);
  });

  it("by a vendor scrypt hash in url-safe base64", async () => {
    const urlSafe = (text = ""): string => text.replaceAll("+", "-").replaceAll("/", "_");
    const users = players(["Tr0mbone", "Kaz00"]).map(({ hash, salt, ...user }) => {
      return { ...user, hash: urlSafe(hash), salt: urlSafe(salt) };
    });
    expect(users.some(({ hash }) => /[-_]/.test(hash))).toBe(true);
    const given = { "p-1": "Tr0mbone", "player.2@example.com": "Kaz00" };
    const proofs = await prove(firebaseOf(users), given, withKey(KEY));
    expect(told(proofs)).toEqual(["proved vendor_scrypt", "proved vendor_scrypt"]);
    const steps = proofs.flatMap((proof) => proof.steps);
    expect(steps).toContain("vendor_scrypt_base64_standard");
    expect(allProved(proofs)).toBe(true);
    expect(provedAlgorithms(proofs)).toEqual({ vendor_scrypt: 2 });
  });

  it("whatever the password is made of", async () => {
    const password = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(password, async (one) => {
        const users = players([one]);
        const proofs = await prove(firebaseOf(users), { "p-1": one }, withKey(KEY));
        expect(allProved(proofs)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });
});

describe("nothing is proved", () => {
  it("without test users", () => {
    expect(allProved([])).toBe(false);
  });

  it("of a user who isn't there", async () => {
    const proofs = await prove(csvUsers(members(["Tr0mbone"])), { "zoe@example.com": "Tr0mbone" });
    expect(told(proofs)).toEqual(["user_not_found"]);
    expect(proofs[0]).toMatchObject({ ok: false, row: null, sourceId: null, algorithm: null });
  });

  it("of a user without a password", async () => {
    const proofs = await prove(csvUsers(members([""])), { "m-1": "Tr0mbone" });
    expect(told(proofs)).toEqual(["no_password"]);
  });

  it("of a hash that is refused; the hint names why", async () => {
    const users = [{ id: "m-1", email: "ann@example.com", hash: bcryptOf("x").slice(0, -2) }];
    const proofs = await prove(csvUsers(users), { "m-1": "Tr0mbone" });
    expect(told(proofs)).toEqual(["hash_refused"]);
    expect(hintOf(proofs)).toContain("No core takes this hash (bcrypt_length)");
    expect(proofs[0]).toMatchObject({ row: { number: 1 }, algorithm: null, steps: [] });
  });

  it("of an argon2 output of unusual length, unless its column can vouch for it and it fits", async () => {
    const provedWith = async (hashLength: number, password: string): Promise<Proof[]> => {
      const cheap = { memoryCost: 1024, timeCost: 2, parallelism: 1 };
      const made = await argon2.hash("Tr0mbone", { ...cheap, hashLength });
      const users = [{ id: "m-1", email: "ann@example.com", hash: `"${made}"` }];
      return prove(csvUsers(users), { "m-1": password });
    };
    expect(told(await provedWith(40, "Tr0mbone"))).toEqual(["proved argon2"]);
    for (const proofs of [await provedWith(40, "Oboe-4711"), await provedWith(48, "Tr0mbone")]) {
      expect(told(proofs)).toEqual(["hash_refused"]);
      expect(hintOf(proofs)).toMatch(/argon2_hash_length.*--allow-hash argon2-N/);
    }
  });

  it("of a scrypt export without its parameters", async () => {
    const proofs = await prove(firebaseOf(players(["Tr0mbone"])), { "p-1": "Tr0mbone" });
    expect(told(proofs)).toEqual(["hash_refused"]);
    expect(hintOf(proofs)).toMatch(/hash_config_missing.*--hash-config/);
  });

  it("of what may be such a hash, without saying whether the password fits", async () => {
    const [player] = players(["Tr0mbone"]);
    const users = [{ id: "p-1", email: "ann@example.com", hash: player!.hash, salt: player!.salt }];
    const proofs = await prove(csvUsers(users), { "p-1": "Tr0mbone" });
    expect(told(proofs)).toEqual(["hash_refused"]);
    expect(hintOf(proofs)).toMatch(/hash_config_missing.*--hash-config/);
    expect(hintOf(proofs)).not.toContain("fit");
  });

  it("of a user whom the import leaves out, unless it is told not to", async () => {
    const users = members(["Tr0mbone"]).map((user) => ({ ...user, disabled: true }));
    const proofs = await prove(csvUsers(users), { "m-1": "Tr0mbone" });
    expect(told(proofs)).toEqual(["not_imported"]);
    expect(hintOf(proofs)).toMatch(/disabled.*--include disabled/);
    const policy = { ...DEFAULT_POLICY, include: ["disabled"] } as const;
    const others = await prove(csvUsers(users), { "m-1": "Tr0mbone" }, { policy });
    expect(told(others)).toEqual(["proved bcrypt"]);
  });

  it.each(["reject", "bridge"] as const)(
    "of a disabled user whose hash no core takes, under --on-unusable-hash %s",
    async (onUnusableHash) => {
      const hash = "sha1$seasalt$cff36ea83f5706ce9aa7454e63e431fc726b2dc8";
      const users = [{ id: "m-1", email: "ann@example.com", hash, disabled: true }];
      const policy = { ...DEFAULT_POLICY, onUnusableHash };
      const proofs = await prove(csvUsers(users), { "m-1": "lètmein" }, { policy });
      expect(told(proofs)).toEqual(["not_imported"]);
      expect(hintOf(proofs)).toMatch(
        /^The import leaves this row out as disabled: .* another test/,
      );
    },
  );

  it.each(["reject", "passwordless"] as const)(
    "of a password user without an email, also under --on-unusable-hash %s",
    async (onUnusableHash) => {
      const users = [{ id: "m-1", phone: "+15550100001", hash: bcryptOf("Tr0mbone") }];
      const policy = { ...DEFAULT_POLICY, onUnusableHash };
      const proofs = await prove(csvUsers(users), { "m-1": "Tr0mbone" }, { policy });
      expect(told(proofs)).toEqual(["not_imported"]);
      expect(hintOf(proofs)).toContain("email");
    },
  );

  it("of a hash that no machine can compute", async () => {
    const hash = bcryptOf("Tr0mbone").replace("$04$", "$29$");
    const users = [{ id: "m-1", email: "ann@example.com", hash }];
    expect(told(await prove(csvUsers(users), { "m-1": "Tr0mbone" }))).toEqual(["too_costly"]);
  });

  it("once it is told to stop", async () => {
    const signal = AbortSignal.abort();
    const text = csvUsers(members(["Tr0mbone"]));
    await expect(prove(text, { "m-1": "Tr0mbone" }, { signal })).rejects.toBe(signal.reason);
  });
});

describe("a bcrypt hash that the password doesn't fit", () => {
  it("means a wrong password where nothing else explains it", async () => {
    const passwords = ["Tr0mbone", "Kaz00", "Tuba"];
    const proofs = await prove(csvUsers(members(passwords)), { "m-2": "Piccolo" });
    expect(told(proofs)).toEqual(["wrong_password"]);
    expect(proofs[0]).toMatchObject({ algorithm: "bcrypt", row: { number: 2 }, sourceId: "m-2" });
    expect(hintOf(proofs)).not.toMatch(/Latin-1|72 bytes/);
  });

  it.each([
    ["characters beyond ASCII", "pässwörd", "Latin-1"],
    ["more than 72 bytes", "p".repeat(73), "72 bytes"],
  ])(
    "can't be told from what can't be tried: a password with %s",
    async (_what, password, says) => {
      const proofs = await prove(csvUsers(members(["Tr0mbone"])), { "m-1": password });
      expect(told(proofs)).toEqual(["wrong_password"]);
      expect(hintOf(proofs)).toContain(says);
    },
  );

  it.each(preHashed)("names the vendor that changed it: $who", async (entry) => {
    const { hash, password, who, salt, userName } = entry;
    const address = `${userName ?? "ann"}@example.com`;
    const users = [{ id: "m-1", email: address, hash: `"${hash}"` }];
    const proofs = await prove(
      csvUsers(users),
      { "m-1": password },
      { policy: { ...DEFAULT_POLICY, pepper: salt ?? null } },
    );
    expect(told(proofs)).toEqual(["prehashed"]);
    expect(hintOf(proofs)).toContain(who);
    const wrong = await prove(
      csvUsers(users),
      { "m-1": "battery" },
      { policy: { ...DEFAULT_POLICY, pepper: salt ?? null } },
    );
    expect(told(wrong)).toEqual(["wrong_password"]);
  });

  it("names a change that only the vendor's id explains", async () => {
    const users = [{ id: "Alice", email: "al@example.com", hash: bcryptOf("aliceTr0mbone") }];
    const proofs = await prove(csvUsers(users), { "al@example.com": "Tr0mbone" });
    expect(hintOf(proofs)).toContain("SMF");
  });

  it("names the vendors whose way a changed password is", async () => {
    const sha256 = createHash("sha256").update("Tr0mbone").digest("hex");
    const proofs = await prove(csvUsers(members([sha256])), { "m-1": "Tr0mbone" });
    expect(told(proofs)).toEqual(["prehashed"]);
    expect(hintOf(proofs)).toContain("Meteor");
    expect(hintOf(proofs)).toContain("from (meteor, rocketchat, flask-bcrypt-long,");
  });

  it("says what to do also where no vendor's name would refuse such hashes", async () => {
    const proofs = await prove(csvUsers(members(["Tuba"])), { "m-1": " Tuba " });
    expect(told(proofs)).toEqual(["prehashed"]);
    expect(hintOf(proofs)).toMatch(/white space.*take such hashes out of the export/);
  });
});

describe("a bcrypt hash of 72 bytes and more", () => {
  const long = "p".repeat(72);

  it.each([
    ["of the password alone", long],
    ["of the password and a pepper behind it", `${long}pepper-of-the-site`],
  ])("proves nothing of what may follow: %s", async (_what, hashed) => {
    const text = csvUsers(members([hashed]));
    const proofs = await prove(text, { "m-1": long });
    expect(told(proofs)).toEqual(["password_too_long"]);
    expect(hintOf(proofs)).toMatch(/pepper.*fewer than 72 bytes/);
    expect(allProved(proofs)).toBe(false);
    const refused = await prove(text, { "m-1": long }, { from: "meteor" });
    expect(told(refused)).toEqual(["hash_refused"]);
    expect(hintOf(refused)).not.toContain("does fit");
  });

  it("doesn't fit once the pepper begins within them", async () => {
    const password = "p".repeat(71);
    const proofs = await prove(csvUsers(members([`${password}pepper`])), { "m-1": password });
    expect(told(proofs)).toEqual(["wrong_password"]);
    const short = await prove(csvUsers(members([password])), { "m-1": password });
    expect(told(short)).toEqual(["proved bcrypt"]);
  });

  it("is no matter to argon2", async () => {
    const hash = await argon2.hash(long, { memoryCost: 64, timeCost: 2, parallelism: 1 });
    const users = [{ id: "m-1", email: "ann@example.com", hash: `"${hash}"` }];
    expect(told(await prove(csvUsers(users), { "m-1": long }))).toEqual(["proved argon2"]);
  });
});

describe("a refused hash", () => {
  it("that fits as it was typed says that the vendor's name misleads", async () => {
    const text = csvUsers(members(["Tr0mbone"]));
    const proofs = await prove(text, { "m-1": "Tr0mbone" }, { from: "meteor" });
    expect(told(proofs)).toEqual(["hash_refused"]);
    expect(hintOf(proofs)).toMatch(/does fit the hash as it was typed.*from/);
  });

  it("of a vendor that changes passwords is shown to be just that", async () => {
    const sha256 = createHash("sha256").update("Tr0mbone").digest("hex");
    const text = csvUsers(members([sha256]));
    const proofs = await prove(text, { "m-1": "Tr0mbone" }, { from: "meteor" });
    expect(told(proofs)).toEqual(["prehashed"]);
    expect(hintOf(proofs)).toContain("Meteor");
  });

  it.each([
    ["joined with the password", "Tr0mboneNaCl", "prehashed", /joined with a pepper or a salt/],
    [
      "the key of an HMAC",
      createHmac("sha512", "NaCl").update("Tr0mbone").digest("base64"),
      "prehashed",
      /Flask-Security/,
    ],
    ["without a meaning", "Tr0mbone", "hash_refused", /leave it out/],
    ["beside another password", "Kaz00", "hash_refused", /mcf_plus_salt_column/],
  ])("says what its salt column is: %s", async (_what, hashed, code, says) => {
    const users = members([hashed]).map((user) => ({ ...user, salt: "NaCl" }));
    const proofs = await prove(csvUsers(users), { "m-1": "Tr0mbone" });
    expect(told(proofs)).toEqual([code]);
    expect(hintOf(proofs)).toMatch(says);
  });
});

describe("a vendor scrypt hash that the password doesn't fit", () => {
  const passwords = ["Tr0mbone", "Kaz00", "Tuba", "Piccolo"];
  const right = { "p-1": "Tr0mbone", "p-3": "Tuba" };

  it("means a wrong signer key where two users' hashes agree on another", async () => {
    const users = players(passwords, { key: OTHER_KEY });
    const proofs = await prove(firebaseOf(users), right, withKey(KEY));
    expect(told(proofs)).toEqual(["wrong_signer_key", "wrong_signer_key"]);
    expect(hintOf(proofs)).toContain("users 1 and 2 are right");
    expect(hintOf(proofs, 1)).toContain("users 1 and 2 are right");
  });

  it("tells the users with a wrong password from those under a wrong key", async () => {
    const users = players(passwords, { key: OTHER_KEY });
    const given = { ...right, "p-4": "Flute" };
    const proofs = await prove(firebaseOf(users), given, withKey(KEY));
    expect(told(proofs)).toEqual([
      "wrong_signer_key",
      "wrong_signer_key",
      "password_or_signer_key",
    ]);
    expect(hintOf(proofs, 2)).toMatch(/two other test users are right under another key/);
  });

  it("means another project's user where others are proved", async () => {
    const mixed = [...players(passwords), ...players(["Viola", "Cello"], { key: OTHER_KEY })].map(
      (user, index) => ({ ...user, id: `p-${index + 1}`, email: `p.${index}@example.com` }),
    );
    const given = { "p-1": "Tr0mbone", "p-5": "Viola", "p-6": "Cello" };
    const proofs = await prove(firebaseOf(mixed), given, withKey(KEY));
    expect(told(proofs)).toEqual(["proved vendor_scrypt", "wrong_signer_key", "wrong_signer_key"]);
  });

  it("means a wrong password where another user is proved", async () => {
    const given = { "p-1": "Tr0mbone", "p-3": "Flute" };
    const proofs = await prove(firebaseOf(players(passwords)), given, withKey(KEY));
    expect(told(proofs)).toEqual(["proved vendor_scrypt", "wrong_password"]);
    expect(hintOf(proofs, 1)).toContain("Another test user was proved");
  });

  const alone = [
    ["a wrong key and a right password", OTHER_KEY, "Tr0mbone"],
    ["a right key and a wrong password", KEY, "Flute"],
  ] as const;
  it.each(tried(alone, 1))(
    "leaves it open with one user alone, and says how to tell: %s",
    async (_what, key, password) => {
      const users = players(passwords, { key });
      const proofs = await prove(firebaseOf(users), { "p-1": password }, withKey(KEY));
      expect(told(proofs)).toEqual(["password_or_signer_key"]);
      expect(hintOf(proofs)).toContain("second user");
    },
  );

  it.runIf(inFull)("sends nobody for a second user where several failed", async () => {
    const given = { "p-1": "Flute", "p-2": "Horn", "p-3": "Harp" };
    const proofs = await prove(firebaseOf(players(passwords)), given, withKey(KEY));
    expect(new Set(told(proofs))).toEqual(new Set(["password_or_signer_key"]));
    expect(hintOf(proofs)).toMatch(/None of 3 test users.*at most one of these passwords/);
    expect(hintOf(proofs)).not.toContain("second user");
  });

  it.runIf(inFull)(
    "leaves it open where one user is named twice: a hash agrees with itself",
    async () => {
      const users = players(passwords, { key: OTHER_KEY });
      const given = { "p-1": "Tr0mbone", "player.1@example.com": "Tr0mbone" };
      const proofs = await prove(firebaseOf(users), given, withKey(KEY));
      expect(told(proofs)).toEqual(["password_or_signer_key", "password_or_signer_key"]);
    },
  );

  it.each([
    ["a few bytes", Buffer.from(KEY).fill(7, 10, 13)],
    ["its second half", Buffer.concat([KEY.subarray(0, 32), OTHER_KEY.subarray(0, 32)])],
  ])("means a mistyped key where it differs in %s, with one user alone", async (_what, key) => {
    const proofs = await prove(firebaseOf(players(passwords)), { "p-1": "Tr0mbone" }, withKey(key));
    expect(told(proofs)).toEqual(["wrong_signer_key"]);
    expect(hintOf(proofs)).toContain("differs in a few places");
  });

  const wrong = [
    ["rounds", { ...CHEAP, rounds: 3 }, "rounds must be 1, not 3"],
    ["mem_cost", { ...CHEAP, memCost: 4 }, "mem_cost must be 1, not 4"],
    [
      "rounds and mem_cost",
      { ...CHEAP, rounds: 5, memCost: 2 },
      "rounds must be 1, not 5, mem_cost must be 1, not 2",
    ],
    [
      "the separator",
      { ...CHEAP, saltSeparator: "Bg==" },
      "base64_salt_separator must be Bw==, not Bg==",
    ],
  ] as const;
  it.each(tried(wrong, 2))(
    "names the parameters that are wrong: %s",
    async (_what, parameters, says) => {
      const users = players(passwords, { parameters: CHEAP });
      const proofs = await prove(
        firebaseOf(users),
        { "p-1": "Tr0mbone" },
        withKey(KEY, parameters),
      );
      expect(told(proofs)).toEqual(["wrong_hash_parameters"]);
      expect(hintOf(proofs)).toContain(says);
    },
  );

  it.each([
    [
      "rounds beyond the vendor's usual eight",
      { ...CHEAP, rounds: 9 },
      { ...CHEAP, rounds: 8 },
      /rounds must be 9, not 8\./,
    ],
    [
      "everything where the account is like most",
      { memCost: 14, rounds: 8, saltSeparator: "Bw==" },
      { ...CHEAP, saltSeparator: "Bg==" },
      /rounds must be 8, not 1, mem_cost must be 14, not 1, base64_salt_separator must be Bw==/,
    ],
  ])("finds %s", async (_what, parameters, configured, says) => {
    const users = players(passwords.slice(0, 1), { parameters });
    const proofs = await prove(firebaseOf(users), { "p-1": "Tr0mbone" }, withKey(KEY, configured));
    expect(told(proofs)).toEqual(["wrong_hash_parameters"]);
    expect(hintOf(proofs)).toMatch(says);
  });

  it("asks for the signer key where there is none", async () => {
    const proofs = await prove(
      firebaseOf(players(passwords)),
      { "p-1": "Tr0mbone" },
      withKey(null),
    );
    expect(told(proofs)).toEqual(["signer_key_missing"]);
    expect(hintOf(proofs)).not.toContain("are right");
  });

  it("shows without any key that the passwords of two users are right", async () => {
    const given = { ...right, "p-4": "Flute" };
    const proofs = await prove(firebaseOf(players(passwords)), given, withKey(null));
    expect(told(proofs)).toEqual(Array(3).fill("signer_key_missing"));
    expect(hintOf(proofs)).toContain("The passwords of users 1 and 2 are right");
    expect(hintOf(proofs, 2)).not.toContain("are right");
  });
});

it.runIf(inFull)("looks into twenty failures and leaves the others open", async () => {
  const hash = bcryptOf("Tr0mbone");
  const users = Array.from({ length: 22 }, (_, index) => {
    return { id: `m-${index}`, email: `member.${index}@example.com`, hash };
  });
  const given = Object.fromEntries(users.map(({ id }) => [id, "Flute"]));
  const proofs = await prove(csvUsers(users), given);
  const wrong = Array(20).fill("wrong_password");
  expect(told(proofs)).toEqual([...wrong, "unexplained", "unexplained"]);
});

it("never tells a contact, password, hash or key", async () => {
  const address = "canary.user@example.com";
  const users = [{ id: address, email: address, hash: bcryptOf("x") }];
  const bcrypt = await prove(csvUsers(users), { [address]: "canary-password" });
  const made = players(["canary-password", "other-canary"], { key: OTHER_KEY });
  const given = { "p-1": "canary-password", "player.2@example.com": "other-canary" };
  const scrypt = await prove(firebaseOf(made), given, withKey(KEY));
  const all = JSON.stringify([bcrypt, scrypt]);
  expect(bcrypt[0]?.sourceId).toBeNull();
  const secrets = [
    address,
    "canary",
    "player.2",
    KEY.toString("base64"),
    OTHER_KEY.toString("base64"),
  ];
  const hashes = [...users, ...made].map(({ hash = "" }) => hash);
  for (const secret of [...secrets, ...hashes]) expect(all).not.toContain(secret.slice(0, 20));
});
