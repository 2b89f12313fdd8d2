import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import type { RawHash } from "../../src/hash/hash.js";
import { createSignerKeys } from "../../src/hash/signer-keys.js";
import type { JudgingContext } from "../../src/stage/plan-row.js";
import { planItem, planWaiting } from "../../src/stage/plan-row.js";
import { createDryDigester } from "../../src/plan/digests.js";
import { Stage } from "../../src/stage/stage.js";
import { type Inspection, Inspector } from "../../src/stage/inspection.js";
import type { Finding } from "../../src/events/events.js";
import { DEFAULT_POLICY } from "../../src/plan/policy.js";
import { SIGNER_KEY } from "../support/known-hashes.js";
import type { UserRecord } from "../../src/account/user-record.js";
import { oldHash } from "../bridge/support/migration.js";
import { inputOf } from "../run/support/batches.js";
import { at } from "../run/support/user-keys.js";
import { argon2Of, bcryptOf, bytesOf, scryptOf } from "../run/support/hashes.js";
import { email, planningContext, record } from "../run/support/records.js";

const HASH_CONFIG = { signerKey: SIGNER_KEY, saltSeparator: "Bw==", rounds: 8, memCost: 14 };
const people = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const text = (hash: string): RawHash => ({ kind: "text", text: hash });
const built = (person: number): RawHash => ({ kind: "vendor_scrypt", ...scryptOf(person) });

/** An inspection of rows, as they are planned and staged. */
class Census {
  readonly inspector = new Inspector();
  readonly stage = new Stage(tmpdir(), "counted");

  /** Once, at the end. */
  result(): Inspection {
    const shared = this.stage.settle(createDryDigester());
    this.stage.close();
    return this.inspector.result(0, shared);
  }
}

/** Takes the census of one file, a row for each hash; its users are all of the vendor `laravel`, who hashes passwords as typed. */
function inspectionOf(
  hashes: readonly RawHash[],
  changes: Partial<JudgingContext> = {},
): Inspection {
  const taker = new Census();
  count(taker, hashes, changes);
  return taker.result();
}

const INPUT = inputOf("users.csv", [], [1]);

function count(taker: Census, hashes: readonly RawHash[], changes?: Partial<JudgingContext>) {
  const users = hashes.map((hash, index) =>
    record({ sourceId: `u-${index}`, email: email(`reader.${index}@example.com`), hash }),
  );
  countUsers(taker, users, changes);
}

function countUsers(
  { inspector, stage }: Census,
  users: readonly UserRecord[],
  changes: Partial<JudgingContext> = {},
): void {
  const context = {
    ...planningContext(createDryDigester()),
    ...{ vendor: "laravel", inspector, facts: inspector.begin(INPUT) },
    signerKeys: createSignerKeys(changes.hashConfig?.signerKey ?? null),
    ...changes,
  };
  const items = users.map((of, index) => {
    // Each is another user.
    const sourceId = `u-${index}`;
    const own = of.email && { ...of.email, value: `${index}.${of.email.value}` };
    return { kind: "record" as const, number: index + 1, record: { ...of, sourceId, email: own } };
  });
  for (const item of items) stage.take(INPUT, item, planItem(item, at(item.number), context));
  stage.planWaiting((_input, { number }, waiting) => planWaiting(waiting, at(number), context));
}

/** Codes and counts. */
function found({ findings }: Inspection): [string, number][] {
  return findings.map((finding) => [finding.code, finding.count]);
}

function hintOf({ findings }: Inspection, code: string): string | undefined {
  return findings.find((finding: Finding) => finding.code === code)?.hint;
}

function findingsOf(...users: readonly UserRecord[]): Finding[] {
  const taker = new Census();
  countUsers(taker, users);
  return [...taker.result().findings];
}

it("tells an unverified email of a user with a password, whoever verifies the password", () => {
  const users = [bcryptOf(1), oldHash("Kaz00"), ""].map((hash, index) =>
    record({ email: email(`reader.${index}@example.com`, false), hash: hash ? text(hash) : null }),
  );
  for (const [onUnusableHash, count] of [
    ["reject", 1],
    ["passwordless", 1],
    ["bridge", 2],
  ] as const) {
    const taker = new Census();
    countUsers(taker, users, { policy: { ...DEFAULT_POLICY, onUnusableHash } });
    expect(found(taker.result())).toContainEqual(["unverified_email_with_password", count]);
  }
});

it("counts hashes that go over the bridge by why no core takes them, and without it as refused", () => {
  const user = record({
    email: email("reader@example.com", true),
    hash: text("pbkdf2_sha256$1000$saltsalt$DK+TpBeWlMB8CBm5bNFmEbHw4Vwv7gopaxqThEfbmX4="),
  });
  for (const [onUnusableHash, bridged, refused] of [
    ["reject", {}, 2],
    ["passwordless", {}, 2],
    ["bridge", { pbkdf2: 2 }, 0],
  ] as const) {
    const taker = new Census();
    countUsers(taker, [user, user], { policy: { ...DEFAULT_POLICY, onUnusableHash } });
    expect(taker.result()).toMatchObject({ algorithms: {}, bridged, refused });
  }
});

it("tells of hashes that are sent alone, and not of users who stay out or are rejected", () => {
  const costly = text(bcryptOf(1).replace(/\$\d\d\$/, "$$16$$"));
  const one = { email: email("reader@example.com", false), hash: costly };
  const told = findingsOf(
    record(one),
    record({ ...one, exclusions: ["disabled"] }),
    record({ ...one, email: null }),
  );
  expect(told.map(({ code, count }) => [code, count])).toEqual([
    ["unverified_email_with_password", 1],
    ["hash_costly", 1],
  ]);
});

describe("users whose social account stays behind", () => {
  const social = (fields: Partial<UserRecord>): UserRecord =>
    record({ email: email("reader@example.com", true), ...fields });
  const DROPPED = "social_identity_dropped";

  it("are a finding where they have no password, and its hint says what the next sign-in does", () => {
    const found = findingsOf(
      social({ notices: [DROPPED] }),
      // Django's mark of no password.
      social({ notices: ["profile_not_migrated", DROPPED], hash: text("!") }),
    );
    expect(found).toMatchObject([
      { code: DROPPED, count: 2, rows: [at(1), at(2)], hint: expect.stringMatching(/second user/) },
    ]);
  });

  it("are none where they have a password, at the vendor or here, or stay out", () => {
    const found = findingsOf(
      social({ notices: [DROPPED], hash: text(bcryptOf(1)) }),
      social({ notices: [DROPPED, "password_not_exported"] }),
      social({ notices: [DROPPED], exclusions: ["disabled"] }),
      social({ notices: [] }),
    );
    expect(found).toEqual([]);
  });
});

describe("users of whom the export doesn't say whether they are banned", () => {
  it("are a finding, with a password and without, unless they stay out", () => {
    const unsaid = { email: email("reader@example.com", true), notices: ["bans_not_exported"] };
    const found = findingsOf(
      record(unsaid),
      record({ ...unsaid, hash: text(bcryptOf(1)) }),
      record({ ...unsaid, exclusions: ["disabled"] }),
    );
    expect(found.find(({ code }) => code === "bans_not_exported")).toMatchObject({
      count: 2,
      rows: [at(1), at(2)],
    });
  });
});

describe("a healthy file", () => {
  it("has no finding", () => {
    const hashes = people(40).map((n) => text(n % 2 === 0 ? bcryptOf(n) : argon2Of(n)));
    expect(inspectionOf(hashes)).toEqual({
      // Counted by who reads them.
      rows: 0,
      passwordExport: null,
      roles: [],
      unshown: new Set(["verified", "metadata", "roles", "totp"]),
      files: [expect.objectContaining({ input: INPUT })],
      algorithms: { bcrypt: 20, argon2: 20 },
      bridged: {},
      refused: 0,
      findings: [],
    });
  });

  it("may have one damaged row of each kind: that is a reject, and no finding", () => {
    const hashes = [
      ...people(20).map((n) => text(bcryptOf(n))),
      text(bcryptOf(20).slice(0, -1)),
      text(argon2Of(21).slice(0, 76)),
      text(`"${bcryptOf(22)}"`),
      text(bcryptOf(23).toLowerCase().replace(/.$/, "e")),
    ];
    expect(found(inspectionOf(hashes))).toEqual([]);
  });
});

describe("a column cut off at one length", () => {
  it("is told with the length", () => {
    const inspection = inspectionOf(people(30).map((n) => text(bcryptOf(n).slice(0, 50))));
    expect(found(inspection)).toEqual([["column_damaged", 30]]);
    expect(hintOf(inspection, "column_damaged")).toContain("cut off after 50 characters");
    expect(inspection.findings[0]?.rows).toEqual([at(1), at(2), at(3)]);
  });

  it("that differs from file to file is one finding, the largest part first", () => {
    const taker = new Census();
    for (const [length, rows] of [
      [50, 4],
      [55, 9],
      [30, 3],
      [20, 2],
    ] as const) {
      count(
        taker,
        people(rows).map((n) => text(bcryptOf(n).slice(0, length))),
      );
    }
    const inspection = taker.result();
    expect(found(inspection)).toEqual([["column_damaged", 18]]);
    expect(hintOf(inspection, "column_damaged")).toContain(
      "after 55, 50, 30 characters and at other lengths",
    );
  });
});

it("cut lengths of as many hashes each are told in one order, whichever comes first", () => {
  const cut = [50, 55].map((length) => people(2).map((n) => text(bcryptOf(n).slice(0, length))));
  for (const hashes of [cut.flat(), cut.toReversed().flat()]) {
    expect(hintOf(inspectionOf(hashes), "column_damaged")).toContain("after 50, 55 characters");
  }
});

describe("argon2 outputs of a length that nothing vouches for", () => {
  it("are told with the length, and not as cut off", () => {
    const salt = argon2Of(1).split("$").at(-2);
    const hashes = people(30).map((n) => {
      const output = bytesOf(`${n}`, 48).toString("base64");
      return text(`$argon2id$v=19$m=65536,t=3,p=4$${salt}$${output}`);
    });
    const inspection = inspectionOf(hashes);
    expect(found(inspection)).toEqual([["column_damaged", 30]]);
    expect(hintOf(inspection, "column_damaged")).toContain("are 48 bytes long");
    const allowed = inspectionOf(hashes, {
      policy: { ...DEFAULT_POLICY, allowHash: ["argon2-48"] },
    });
    expect(found(allowed)).toEqual([]);
    expect(allowed.algorithms).toEqual({ argon2: 30 });
  });
});

describe("argon2 hashes that are cut off where most of their length are whole", () => {
  it("are told with how many more there may be", () => {
    const cut = people(30).map((n) => {
      const output = bytesOf(`${n} long`, 64).toString("base64").slice(0, 43);
      return text(argon2Of(n).replace(/[^$]+$/, output));
    });
    const inspection = inspectionOf([...people(60).map((n) => text(argon2Of(n))), ...cut]);
    expect(found(inspection)).toEqual([["column_damaged", expect.any(Number)]]);
    expect(hintOf(inspection, "column_damaged")).toMatch(
      /^At 97 characters \d+ argon2 hashes are cut off or damaged, so some \d+ more are/,
    );
  });
});

describe("salts of the vendor's scrypt", () => {
  const saltsOf = (change: (salt: string, person: number) => string): Inspection => {
    const hashes = people(40).map((n): RawHash => {
      const { hash, salt } = scryptOf(n);
      return { kind: "vendor_scrypt", hash, salt: change(salt, n) };
    });
    return inspectionOf(hashes, { hashConfig: HASH_CONFIG });
  };
  const beside = ["scrypt_non_ascii_passwords", 40];

  it("of ten bytes each are nothing to be told", () => {
    expect(found(saltsOf((salt) => salt))).toEqual([beside]);
  });

  it("of another length are told, all of them or some", () => {
    expect(found(saltsOf((salt) => `abcd${salt}`))).toEqual([["proof_needed", 40], beside]);
    const some = saltsOf((salt, n) => (n < 12 ? salt.slice(0, 12) : salt));
    // Those are refused.
    expect(found(some)).toEqual([
      ["proof_needed", 12],
      [beside[0], 28],
    ]);
    expect(some.findings[0]?.rows).toEqual([at(1), at(2), at(3)]);
  });

  it("of one letter case are told", () => {
    const lower = saltsOf((salt, n) => (n < 12 ? `${salt.toLowerCase().slice(0, 13)}g==` : salt));
    expect(found(lower)).toEqual([["column_damaged", 12], beside]);
  });

  it("that several users have are told", () => {
    const shared = saltsOf((salt, n) => (n < 12 ? scryptOf(0).salt : salt));
    expect(found(shared)).toEqual([["proof_needed", 12], beside]);
    expect(hintOf(shared, "proof_needed")).toContain("One salt is shared by 12 users.");
  });
});

it("tells argon2 salts of an unusual length", () => {
  const hashes = people(20).map((n) => {
    const longer = bytesOf(`${n}`, 17).toString("base64").replaceAll("=", "");
    return text(n < 5 ? argon2Of(n).replace(/\$[^$]{22}\$/, `$${longer}$`) : argon2Of(n));
  });
  expect(found(inspectionOf(hashes))).toEqual([["proof_needed", 5]]);
});

describe("a column turned to one case", () => {
  it("is told", () => {
    const lower = people(5).map((n) => text(bcryptOf(n).toLowerCase().replace(/.$/, "e")));
    expect(found(inspectionOf(lower))).toEqual([["column_damaged", 5]]);
  });
});

describe("a re-encoded column", () => {
  it.each([
    ["base64_decoded", (hash: string) => Buffer.from(hash).toString("base64"), /base64 as a whole/],
    ["hex_decoded", (hash: string) => Buffer.from(hash).toString("hex"), /hexadecimal/],
    ["percent_decoded", (hash: string) => hash.replaceAll("$", "%24"), /percent/],
    ["unquoted", (hash: string) => `'${hash}'`, /quotation marks/],
    ["unescaped", (hash: string) => hash.replaceAll("$", "\\$"), /backslashes/],
    ["entities_decoded", (hash: string) => hash.replaceAll("$", "&#36;"), /HTML entities/],
    ["dollars_halved", (hash: string) => hash.replaceAll("$", "$$$$"), /\$ doubled/],
  ])("is told where most hashes needed %s", (_step, encode, how) => {
    const encoded = people(12).map((n) => text(encode(bcryptOf(n))));
    const plain = people(11).map((n) => text(bcryptOf(100 + n)));
    const inspection = inspectionOf([...encoded, ...plain]);
    expect(found(inspection)).toEqual([["proof_needed", 12]]);
    expect(hintOf(inspection, "proof_needed")).toMatch(how);
    expect(found(inspectionOf([...encoded, ...plain, ...plain]))).not.toContainEqual([
      "proof_needed",
      12,
    ]);
  });

  it("needs more than one row", () => {
    expect(found(inspectionOf([text(Buffer.from(bcryptOf(1)).toString("base64"))]))).toEqual([]);
  });

  it("isn't one whose hashes need what every export of that vendor needs", () => {
    const hashes = people(12).map((n) => text(`bcrypt$${bcryptOf(n).replace("$2a", "$2b")}  `));
    expect(found(inspectionOf(hashes))).toEqual([]);
  });
});

it("no hash is shared where there is no password to share", () => {
  expect(found(inspectionOf(Array(30).fill(text("NULL"))))).toEqual([["way_in_not_verified", 30]]);
});

describe("a hash column beside a salt column", () => {
  const beside = (hash: string): RawHash => ({ kind: "salted", hash, salt: "c2FsdA==" });

  it("is told where the hashes are complete", () => {
    expect(found(inspectionOf(people(3).map((n) => beside(bcryptOf(n)))))).toEqual([
      ["salt_column_filled", 3],
    ]);
  });
});

describe("the vendor's scrypt hashes", () => {
  const options = { hashConfig: HASH_CONFIG, vendor: "firebase" };

  it("are told, because some cores check their passwords as ASCII", () => {
    const inspection = inspectionOf(people(6).map(built), options);
    expect(found(inspection)).toEqual([["scrypt_non_ascii_passwords", 6]]);
    expect(inspection.algorithms).toEqual({ vendor_scrypt: 6 });
  });

  it("of a length that no key makes are told", () => {
    const hash = bytesOf("short", 32).toString("base64");
    const short = people(4).map((n): RawHash => ({ ...scryptOf(n), kind: "vendor_scrypt", hash }));
    expect(found(inspectionOf(short, options))).toEqual([["column_damaged", 4]]);
  });

  it("that carry another signer key than the account's are told", () => {
    const key = bytesOf("another project", 64).toString("base64");
    const other = people(3).map((n) => {
      const { hash, salt } = scryptOf(n);
      return text(`$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=${key}$${salt}$${hash}`);
    });
    expect(found(inspectionOf(other, options))).toEqual([["hash_config_doubtful", 3]]);
  });

  it("of an account with an empty salt separator are told", () => {
    const hashConfig = { ...HASH_CONFIG, saltSeparator: "" };
    expect(found(inspectionOf(people(3).map(built), { ...options, hashConfig }))).toEqual([
      ["hash_config_doubtful", 3],
    ]);
  });

  it("without the account's parameters are told where they stop nothing", () => {
    const policy = { ...DEFAULT_POLICY, onUnusableHash: "passwordless" } as const;
    expect(found(inspectionOf(people(3).map(built), { vendor: "firebase", policy }))).toEqual([
      ["hash_config_doubtful", 3],
      ["way_in_not_verified", 3],
    ]);
  });

  it("without the account's parameters are told by their rejects alone", () => {
    const beside = people(3).map((person): RawHash => ({ ...scryptOf(person), kind: "salted" }));
    expect(found(inspectionOf(beside))).toEqual([]);
  });
});

describe("placeholders", () => {
  it("of Firebase are told from one on", () => {
    expect(
      found(inspectionOf([text("UkVEQUNURUQ="), text("fakeHash:salt=aSalt:password=winter")])),
    ).toEqual([
      ["column_damaged", 1],
      ["column_damaged", 1],
    ]);
  });
});

describe("costs that would hurt the core", () => {
  it("are told with their number", () => {
    const hashes = [bcryptOf(1, "15"), bcryptOf(2, "16"), argon2Of(3, "m=2097152,t=1,p=4")];
    expect(found(inspectionOf(hashes.map(text)))).toEqual([["hash_costly", 2]]);
  });
});

describe("what no text can show", () => {
  const bare = people(5).map((n) => text(bcryptOf(n)));

  it("is told where nobody said whose hashes they are", () => {
    expect(found(inspectionOf(bare, { vendor: "csv" }))).toEqual([["prehash_possible", 5]]);
  });

  it("isn't told where the operator vouches for it", () => {
    const policy = { ...DEFAULT_POLICY, allowHash: ["as-typed"] } as const;
    expect(found(inspectionOf(bare, { vendor: "csv", policy }))).toEqual([]);
  });

  it("is told of a faulty bcrypt's hashes that were taken all the same", () => {
    const policy = { ...DEFAULT_POLICY, allowHash: ["2x"] } as const;
    const faulty = people(5).map((n) => text(bcryptOf(n).replace("$2a", "$2x")));
    expect(found(inspectionOf(faulty, { policy }))).toEqual([["proof_needed", 5]]);
  });
});

describe("all findings of a bad file", () => {
  const hashes = [
    ...people(9).map((n) => text(argon2Of(n).slice(0, 76))),
    ...people(4).map((n) => text(bcryptOf(n).toLowerCase().replace(/.$/, "e"))),
    ...Array(6).fill(text(bcryptOf("seed"))),
    text("fakeHash:salt=aSalt:password=winter-2024"),
    built(1),
  ];
  const inspection = inspectionOf(hashes, { vendor: "csv", hashConfig: HASH_CONFIG });

  it("come with the important ones first", () => {
    expect(found(inspection).map(([code]) => code)).toEqual([
      "column_damaged",
      "column_damaged",
      "column_damaged",
      "hash_shared",
      "scrypt_non_ascii_passwords",
      "prehash_possible",
    ]);
  });

  it("say what it means and what to do, and hold no hash, no contact and no key", () => {
    for (const { hint, rows } of inspection.findings) {
      expect(hint).toMatch(/\.$/);
      expect(hint.length).toBeGreaterThan(80);
      expect(rows.length).toBeGreaterThan(0);
    }
    const told = JSON.stringify(inspection);
    for (const secret of ["winter-2024", "@example", SIGNER_KEY, bcryptOf("seed").slice(7, 20)]) {
      expect(told).not.toContain(secret);
    }
    expect(told).not.toMatch(/\$2a|\$argon2|\$f_scrypt/);
  });
});
