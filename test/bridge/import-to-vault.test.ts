import { writeFileSync } from "node:fs";
import { hashSync } from "bcryptjs";
import { describe, expect, it } from "vitest";
import { Bridge } from "../../src/bridge/bridge.js";
import { openEmbeddedCore } from "../../src/core/embedded/embedded-core.js";
import type { EmbeddedCore } from "../../src/core/embedded/assemble-core.js";
import { hashPassword } from "../../src/hash/verify.js";
import { bridgedHash } from "../../src/plan/bridged-hash.js";
import { importUsers } from "../../src/run/import-users.js";
import { openInputs } from "../../src/source/inputs.js";
import { Vault } from "../../src/vault/vault.js";
import { ANSWERS } from "../hash/legacy/support/known-answers.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { fitsHere } from "./support/bridged-users.js";

const newPath = temporaryPaths();
const KEY = Buffer.alloc(32, 7);
const WRONG = { status: "WRONG_CREDENTIALS_ERROR" };
const bcryptOf = (password: string): string => hashSync(password, 4);
const DJANGO = ANSWERS.filter(({ format }) => format === "django_pbkdf2_sha256");

/** Users of a table with these hashes, in a migration with a vault. */
function migration(hashes: readonly (string | undefined)[], from?: string) {
  const [users, checkpoint, data, path] = [
    newPath("users.csv"),
    newPath("m.checkpoint"),
    newPath("core.db"),
    newPath("users.vault"),
  ];
  const write = (all: readonly (string | undefined)[]): void =>
    writeFileSync(
      users,
      [
        "id,email,password_hash",
        ...all.map((hash, n) => `user.${n},user.${n}@example.com,"${hash}"`),
      ].join("\n"),
    );
  write(hashes);
  return {
    write,
    async run({ policy = {}, wrap = (core: EmbeddedCore): EmbeddedCore => core } = {}) {
      const core = wrap(openEmbeddedCore({ file: data }));
      const inputs = await openInputs([users], from === undefined ? {} : { from });
      const summary = await importUsers({
        inputs,
        core,
        checkpoint,
        policy: { onUnusableHash: "bridge", ...policy },
        vault: { path, key: KEY },
      });
      await core.close();
      return summary;
    },
    async open() {
      const core = openEmbeddedCore({ file: data });
      const binding = { migration: null, core: core.coreId };
      const vault = Vault.open(path, { key: KEY, binding, mustExist: true });
      const bridge = new Bridge({ fits: fitsHere, vault, core });
      const close = async (): Promise<void> => {
        vault.close();
        await core.close();
      };
      return { core, vault, bridge, close };
    },
  };
}

describe("import --on-unusable-hash bridge", () => {
  it("imports users whose hashes no core takes, who then sign in with their old passwords", async () => {
    const { run, open } = migration(DJANGO.map(({ hash }) => hash));
    const summary = await run();
    expect(summary).toMatchObject({ imported: DJANGO.length, rejected: 0 });
    expect(summary.notices).toMatchObject({ bridged: DJANGO.length });
    const { core, vault, bridge, close } = await open();
    expect(vault.count()).toBe(DJANGO.length);
    for (const [n, { password }] of DJANGO.entries()) {
      const email = `user.${n}@example.com`;
      expect(await bridge.verify({ email, password: `!${password}` })).toMatchObject({
        status: "WRONG_CREDENTIALS_ERROR",
      });
      expect(await bridge.verify({ email, password })).toEqual({ status: "OK" });
      expect(await core.signIn({ email, password })).toMatchObject({ status: "OK" });
    }
    expect(vault.count()).toBe(0);
    await close();
  });

  it("sends no user twice, and doesn't bring back who has signed in", async () => {
    const { run, open } = migration(DJANGO.map(({ hash }) => hash));
    await run();
    const first = await open();
    const email = "user.0@example.com";
    await first.bridge.verify({ email, password: DJANGO[0]!.password });
    await first.close();
    const again = await run();
    expect(again).toMatchObject({ unchanged: DJANGO.length });
    expect(again.calls.import).toBe(0);
    const { core, vault, close } = await open();
    expect(vault.count()).toBe(DJANGO.length - 1);
    expect(await core.signIn({ email, password: DJANGO[0]!.password })).toMatchObject({
      status: "OK",
    });
    await close();
  });

  it("takes a hash that a newer export changed", async () => {
    const [one, other] = DJANGO;
    const { run, write, open } = migration([one?.hash]);
    await run();
    write([other?.hash]);
    await run();
    const { bridge, vault, close } = await open();
    const email = "user.0@example.com";
    expect(await bridge.verify({ email, password: other!.password })).toEqual({ status: "OK" });
    expect(vault.count()).toBe(0);
    await close();
  });

  it("erases what it has of users once a newer export brings a hash that the core takes", async () => {
    const [one, other] = DJANGO;
    const { run, write, open } = migration([one?.hash, other?.hash]);
    await run();
    write([bcryptOf("per1winkle"), other?.hash]);
    expect(await run()).toMatchObject({ notices: { hash_updated: 1 }, unchanged: 1 });
    const { core, vault, close } = await open();
    expect(vault.get("user.0@example.com")).toBeNull();
    expect(vault.count()).toBe(1);
    const email = "user.0@example.com";
    expect(await core.signIn({ email, password: "per1winkle" })).toMatchObject({ status: "OK" });
    await close();
  });

  it("rejects what nothing verifies, as before", async () => {
    const { run } = migration([DJANGO[0]?.hash, "pbkdf2_sha256$99999999$salt$AAAA"]);
    const summary = await run();
    expect(summary).toMatchObject({ imported: 1, bridged: 1, rejected: 1 });
  });

  it("rejects a hash of the vendor's scrypt under another key, whatever it looks like", () => {
    const hash = { kind: "salted", hash: Buffer.alloc(64).toString("base64"), salt: "ab" } as const;
    const record = { hash, email: null, sourceId: null };
    const known = { vendor: null, pepper: null };
    expect(bridgedHash(record, "raw_digest", known)).not.toBeNull();
    for (const code of ["signer_key_mismatch", "hash_config_missing", "column_truncated"]) {
      expect(bridgedHash(record, code, known)).toBeNull();
    }
  });

  it("brings users with all that is theirs, in one call that replaces no user", async () => {
    const { run, open } = migration([DJANGO[0]?.hash]);
    expect((await run({ policy: { carry: ["verified"] } })).calls).toMatchObject({ import: 1 });
    const { vault, bridge, close } = await open();
    const email = "user.0@example.com";
    expect(await bridge.verify({ email, password: DJANGO[0]!.password })).toEqual({ status: "OK" });
    expect(vault.count()).toBe(0);
    await close();
  });

  it("keeps nothing of a user who signed up between the lookup and the call", async () => {
    const { run, open } = migration([DJANGO[0]?.hash]);
    const email = "user.0@example.com";
    const hash = await hashPassword("their own", {
      cost: { memoryCost: 8, timeCost: 1, parallelism: 1 },
    });
    const wrap = (core: EmbeddedCore): EmbeddedCore => ({
      ...core,
      async importAccount(request) {
        await core.importUser({ email, passwordHash: hash });
        return core.importAccount(request);
      },
    });
    expect(await run({ wrap })).toMatchObject({ existed: 1, imported: 0 });
    const { core, bridge, close } = await open();
    expect(await bridge.verify({ email, password: DJANGO[0]!.password })).toMatchObject({
      status: "WRONG_CREDENTIALS_ERROR",
    });
    expect(await core.signIn({ email, password: "their own" })).toMatchObject({ status: "OK" });
    await close();
  });
});

describe("a pepper, or a name, that takes part in a hash", () => {
  const pepper = "s3cret-pepper";
  /** bcrypt and argon2 in each form that a pepper has, and one of before the pepper. */
  const peppered = ANSWERS.filter(({ format }) => format.endsWith("_peppered"));
  const before = { hash: bcryptOf("of before it"), password: "of before it" };

  it("is kept with the hash, and lets its user in", async () => {
    const users = [...peppered, before, DJANGO[0]!];
    const { run, open } = migration(users.map(({ hash }) => hash));
    const summary = await run({ policy: { pepper } });
    expect(summary).toMatchObject({ imported: users.length, bridged: users.length });
    const { vault, bridge, close } = await open();
    expect(vault.get("user.0@example.com")).toMatchObject({ context: { pepper } });
    const last = vault.get(`user.${users.length - 1}@example.com`);
    expect(last).toMatchObject({ context: { pepper: null } });
    for (const [n, { password }] of users.entries()) {
      const email = `user.${n}@example.com`;
      expect(await bridge.verify({ email, password: `!${password}` })).toEqual(WRONG);
      expect(await bridge.verify({ email, password })).toEqual({ status: "OK" });
    }
    await close();
  });

  it("isn't looked for where none is given", async () => {
    const { run } = migration([peppered[0]?.hash, before.hash]);
    expect(await run()).toMatchObject({ imported: 2, bridged: 0 });
  });

  it("is the vendor's id where its software hashes the user's name", async () => {
    const { run, open } = migration([bcryptOf("user.0Tr0mbone")], "smf");
    expect(await run()).toMatchObject({ imported: 1, bridged: 1 });
    const { bridge, close } = await open();
    const email = "user.0@example.com";
    expect(await bridge.verify({ email, password: "trombone" })).toEqual(WRONG);
    expect(await bridge.verify({ email, password: "Tr0mbone" })).toEqual({ status: "OK" });
    await close();
  });

  it("isn't tried with hashes so costly that all its forms take too long", () => {
    const text = bcryptOf("x").replace("$04$", "$13$");
    const record = { hash: { kind: "text", text } as const, email: null, sourceId: null };
    expect(bridgedHash(record, null, { vendor: null, pepper })).toBeNull();
    expect(bridgedHash(record, null, { vendor: "devise", pepper })).not.toBeNull();
  });
});
