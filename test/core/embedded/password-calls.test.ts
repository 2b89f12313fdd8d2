import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { passwordCalls } from "../../../src/core/embedded/password-calls.js";
import { openSqliteStore } from "../../../src/core/embedded/sqlite/sqlite-store.js";
import type { Store } from "../../../src/core/embedded/store.js";
import { userIdGenerator } from "../../../src/core/embedded/new-user.js";
import { someHash } from "../../../src/core/embedded/user-lists.js";
import { importPasswords } from "../../../src/core/embedded/users.js";
import { RunError } from "../../../src/errors/run-error.js";
import { verifyPassword } from "../../../src/hash/verify.js";
import { KNOWN_HASHES, SIGNER_KEY } from "../../support/known-hashes.js";
import { temporaryPaths } from "../../support/temporary-folder.js";

const path = temporaryPaths();
const newUserId = userIdGenerator();
const { bcrypt, argon2, vendor_scrypt } = KNOWN_HASHES;
/** One that this machine can't bear. */
const COSTLY = bcrypt.passwordHash.replace("$04$", "$30$");
const WRONG = { status: "WRONG_CREDENTIALS_ERROR" };

let file = "";
let store: Store;
/** Every hash that a password was verified against, in order. */
let verified: string[] = [];
beforeEach(() => {
  file = path("core.db");
  store = open(file);
  verified = [];
});
afterEach(() => store.close());

interface Circumstances {
  readonly kept?: Store;
  readonly signerKey?: string | null;
  /** In place of a real verification. */
  readonly verify?: () => Promise<boolean>;
}

function callsWith({ kept = store, signerKey = null, verify }: Circumstances = {}) {
  return passwordCalls(kept, {
    signerKey,
    verify: (hash, password) => {
      verified.push(hash);
      return verify === undefined ? verifyPassword(hash, password, { signerKey }) : verify();
    },
    now: () => Date.UTC(2026, 0, 15),
    newUserId,
  });
}

function failing(error: Error): Circumstances {
  return { verify: () => Promise.reject(error) };
}

function open(file: string): Store {
  return openSqliteStore({ file, mustExist: false, lockWaitMs: 1000 });
}

function keepAt(at: Store, email: string, passwordHash: string): Promise<unknown> {
  const user = { userId: newUserId(0), timeJoined: 0 };
  return at.change(() => importPasswords([{ user, email, passwordHash }]));
}

/** As if it had come with a data file from elsewhere: nothing is checked. */
async function keep(email: string, passwordHash: string): Promise<void> {
  await keepAt(store, email, passwordHash);
}

function strangers(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `stranger.${index}@example.com`);
}

describe("a sign-in with an unknown email", () => {
  it("costs one of the users' hashes, each of which is somebody's turn", async () => {
    const { importUser, signIn } = callsWith({ signerKey: SIGNER_KEY });
    const hashes = [bcrypt, argon2, vendor_scrypt].map(({ passwordHash }) => passwordHash);
    for (const [index, passwordHash] of hashes.entries()) {
      await importUser({ email: `user.${index}@example.com`, passwordHash });
    }
    for (const email of strangers(40)) {
      // Also with the password of the very hash: nobody gets in by somebody else's.
      expect(await signIn({ email, password: bcrypt.password })).toEqual(WRONG);
    }
    expect(verified).toHaveLength(40);
    expect(new Set(verified)).toEqual(new Set(hashes));
  });

  it("costs the same every time, however it is written and after a restart", async () => {
    const { importUser, signIn } = callsWith();
    for (const [index, { passwordHash }] of [bcrypt, argon2].entries()) {
      await importUser({ email: `user.${index}@example.com`, passwordHash });
    }
    const emails = strangers(12);
    for (const email of emails) await signIn({ email, password: "correct horse" });
    const before = verified;
    verified = [];
    await store.close();
    store = open(file);
    const again = callsWith();
    for (const email of emails) {
      await again.signIn({ email: ` ${email.toUpperCase()}`, password: "battery staple" });
    }
    expect(verified).toEqual(before);
  });

  it("costs the same for nearly everybody when somebody else joins", async () => {
    const points = Array.from({ length: 512 }, (_, index) => index / 512);
    const picks = (): Promise<(string | null)[]> =>
      Promise.all(points.map((point) => store.read(() => someHash(point))));
    for (let user = 1; user <= 40; user += 1)
      await keep(`user.${user}@example.com`, `hash ${user}`);
    const before = await picks();
    expect(new Set(before).size).toBe(40);
    await keep("user.41@example.com", "hash 41");
    const after = await picks();
    const moved = after.filter((hash, index) => hash !== before[index]);
    expect(moved).toEqual(Array.from({ length: 512 / 64 }, () => "hash 41"));
  });

  it("can't be foretold by strangers: every core picks others for the same emails", async () => {
    const other = open(path("other.db"));
    const picks: string[][] = [];
    for (const each of [store, other]) {
      for (let user = 10; user < 26; user += 1) {
        const passwordHash = `${bcrypt.passwordHash.slice(0, -2)}${user}`;
        await keepAt(each, `user.${user}@example.com`, passwordHash);
      }
      verified = [];
      const { signIn } = callsWith({ kept: each, verify: async () => false });
      for (const email of strangers(40)) await signIn({ email, password: "correct horse" });
      picks.push(verified);
    }
    const [own = [], others = []] = picks;
    expect([own.length, others.length]).toEqual([40, 40]);
    expect(others).not.toEqual(own);
    expect(new Set(own).size).toBeGreaterThan(3);
    await other.close();
  });

  it.each(["", "not an address", "zoë@", `${"a".repeat(5000)}@example.com`])(
    "costs as much where it is no email: %#",
    async (email) => {
      const { importUser, signIn } = callsWith();
      await importUser({ email: "ana@example.com", passwordHash: argon2.passwordHash });
      expect(await signIn({ email, password: argon2.password })).toEqual(WRONG);
      expect(verified).toEqual([argon2.passwordHash]);
    },
  );

  it.each([
    ["nobody has a hash", null],
    ["the hash wants a signer key that isn't there", vendor_scrypt.passwordHash],
    ["the hash is too costly for this machine", COSTLY],
  ])("costs a common hash where %s", async (_, passwordHash) => {
    if (passwordHash !== null) await keep("ana@example.com", passwordHash);
    const { signIn } = callsWith();
    expect(await signIn({ email: "ben@example.com", password: "correct horse" })).toEqual(WRONG);
    expect(verified).toEqual([expect.stringMatching(/^\$2a\$10\$/)]);
  });

  it("fails as one with a known email does", async () => {
    const { importUser } = callsWith();
    await importUser({ email: "ana@example.com", passwordHash: bcrypt.passwordHash });
    const failure = new Error("the thread died");
    const { signIn } = callsWith(failing(failure));
    for (const email of ["ana@example.com", "ben@example.com"]) {
      await expect(signIn({ email, password: "correct horse" })).rejects.toBe(failure);
    }
  });
});

describe("a sign-in with a known email", () => {
  it("verifies the user's own hash alone", async () => {
    const { importUser, signIn } = callsWith();
    await importUser({ email: "ana@example.com", passwordHash: argon2.passwordHash });
    await importUser({ email: "ben@example.com", passwordHash: bcrypt.passwordHash });
    const { password } = bcrypt;
    expect(await signIn({ email: "Ben@example.com ", password })).toMatchObject({ status: "OK" });
    expect(await signIn({ email: "ben@example.com", password: "wrong" })).toEqual(WRONG);
    expect(verified).toEqual([bcrypt.passwordHash, bcrypt.passwordHash]);
  });

  const tooCostly = new RunError("hash_too_costly", "too much memory", { hint: "none" });

  it("is a failure of the core where a data file brought a hash beyond this machine", async () => {
    await keep("ana@example.com", COSTLY);
    const { signIn } = callsWith();
    const call = signIn({ email: "ana@example.com", password: "correct horse" });
    await expect(call).rejects.toMatchObject({
      name: "CoreFailure",
      kind: "broken",
      reached: "yes",
      status: 500,
      message: "the user's hash is too costly to verify on this machine",
    });
  });

  it("is to be made again where memory lacks only now", async () => {
    await keep("ana@example.com", argon2.passwordHash);
    const { signIn } = callsWith(failing(tooCostly));
    const call = signIn({ email: "ana@example.com", password: argon2.password });
    await expect(call).rejects.toMatchObject({
      kind: "busy",
      reached: "no",
      status: 503,
      retryAfterMs: 1000,
    });
  });
});

describe("an import", () => {
  const tail = "$T8Cla1aTchpiJBDcGnHSpw$xZ8SRjyq4AnxaHqnS+NTRz5+2mJP3u8eNOyKjxbWLCk";

  it.each([
    ["a bcrypt cost of 21", bcrypt.passwordHash.replace("$04$", "$21$"), "cost"],
    ["argon2 with billions of passes", `$argon2id$v=19$m=1024,t=4294967295,p=1${tail}`, "cost"],
    ["argon2 with terabytes of memory", `$argon2d$v=19$m=4294967295,t=1,p=1${tail}`, "memory"],
  ])("refuses what no sign-in here could verify: %s", async (_, passwordHash, what) => {
    const { importUser, signIn } = callsWith();
    const call = importUser({ email: "ana@example.com", passwordHash });
    await expect(call).rejects.toMatchObject({
      kind: "refused",
      status: 400,
      message: expect.stringMatching(new RegExp(`^passwordHash: it.* ${what}`)),
    });
    expect(await store.read(() => someHash(0))).toBeNull();
    await signIn({ email: "ana@example.com", password: "correct horse" });
  });

  it.each([
    ["a bcrypt cost of 20", bcrypt.passwordHash.replace("$04$", "$20$")],
    ["argon2 with 64 MiB and three passes", `$argon2id$v=19$m=65536,t=3,p=4${tail}`],
  ])("takes what is merely slow: %s", async (_, passwordHash) => {
    const { importUser } = callsWith();
    const outcome = await importUser({ email: "ana@example.com", passwordHash });
    expect(outcome.status).toBe("OK");
    expect(await store.read(() => someHash(0))).toBe(passwordHash);
  });
});
