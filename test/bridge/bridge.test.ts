import { describe, expect, it } from "vitest";
import { Bridge } from "../../src/bridge/bridge.js";
import type { Core } from "../../src/core/core.js";
import { openEmbeddedCore } from "../../src/core/embedded/embedded-core.js";
import { bcryptUnder } from "../../src/hash/verify.js";
import { Vault } from "../../src/vault/vault.js";
import { ANSWERS, contextOf, rawOf } from "../hash/legacy/support/known-answers.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const newPath = temporaryPaths();
const ANN = "ann@example.com";
const DJANGO = ANSWERS.find(({ format }) => format === "django_pbkdf2_sha256")!;
const OK = { status: "OK" };
const WRONG = { status: "WRONG_CREDENTIALS_ERROR" };

/** A core with Ann, whose old password is in the vault, and a bridge between. */
async function bridged({ wrap = (core: Core): Core => core } = {}) {
  const core = openEmbeddedCore({ file: newPath("core.db") });
  const path = newPath("users.vault");
  const vault = Vault.open(path, {
    key: Buffer.alloc(32, 7),
    binding: { migration: "m", core: "c" },
  });
  const hash = rawOf(DJANGO);
  const standIn = await vault.standIn(ANN, hash);
  await vault.put(ANN, { hash, context: contextOf(), standIn: standIn.password });
  await core.importUser({ email: ANN, passwordHash: standIn.hash });
  let now = 1_700_000_000_000;
  const imports: string[] = [];
  const counted: Core = {
    ...boundTo(core),
    importUser: (request) => {
      imports.push(request.email);
      return core.importUser(request);
    },
  };
  const bridge = new Bridge({ vault, core: wrap(counted), now: () => now });
  return {
    core,
    vault,
    imports,
    verify: (password: string, email = ANN) => bridge.verify({ email, password }),
    signIn: (password: string) => core.signIn({ email: ANN, password }),
    async setPassword(password: string) {
      const passwordHash = await bcryptUnder("$2a$04$abcdefghijklmnopqrstuu", password);
      await core.importUser({ email: ANN, passwordHash });
    },
    later: (minutes: number) => {
      now += minutes * 60_000;
    },
    async close() {
      vault.close();
      await core.close();
    },
  };
}

/** The core's methods as an object of their own, so that some can be replaced. */
function boundTo(core: Core): Core {
  const methods = ["signIn", "importUser"] as const;
  return {
    ...core,
    ...Object.fromEntries(methods.map((name) => [name, core[name].bind(core)])),
  } as Core;
}

describe("the first sign-in with the old password", () => {
  it("makes it the core's own, and erases what was kept", async () => {
    const { verify, signIn, vault, imports, close } = await bridged();
    expect(await signIn(DJANGO.password)).toEqual(WRONG);
    expect(await verify(DJANGO.password)).toEqual(OK);
    expect(await signIn(DJANGO.password)).toMatchObject(OK);
    expect(vault.count()).toBe(0);
    expect(imports).toEqual([ANN]);
    await close();
  });

  it("takes an email in any spelling that the core takes", async () => {
    const { verify, close } = await bridged();
    expect(await verify(DJANGO.password, "  Ann@Example.com ")).toEqual(OK);
    await close();
  });

  it("is one import where sixty-four come at once", async () => {
    const { verify, imports, close } = await bridged();
    const answers = await Promise.all(Array.from({ length: 64 }, () => verify(DJANGO.password)));
    expect(answers).toEqual(answers.map(() => OK));
    expect(imports).toEqual([ANN]);
    await close();
  });

  it("is right as well for one who asked before and is answered after another's", async () => {
    const { verify, close } = await bridged();
    expect(await verify(DJANGO.password)).toEqual(OK);
    expect(await verify(DJANGO.password)).toEqual(OK);
    await close();
  });
});

describe("a password that isn't right", () => {
  it("changes nothing, and is told as an unknown user is", async () => {
    const { verify, vault, imports, close } = await bridged();
    expect(await verify("Kaz00")).toEqual(WRONG);
    expect(await verify(DJANGO.password, "bob@example.com")).toEqual(WRONG);
    expect(vault.count()).toBe(1);
    expect(imports).toEqual([]);
    await close();
  });

  it("is tried ten times in a quarter of an hour and no more, not even by the right one", async () => {
    const { verify, later, close } = await bridged();
    for (let guess = 0; guess < 10; guess++) expect(await verify(`guess ${guess}`)).toEqual(WRONG);
    const refused = { status: "TOO_MANY_ATTEMPTS", retryAfterMs: 15 * 60_000 };
    expect(await verify(DJANGO.password)).toEqual(refused);
    later(15);
    expect(await verify(DJANGO.password)).toEqual(OK);
    await close();
  });
});

describe("a password that was set at the core meanwhile", () => {
  it("isn't rolled back, and what was kept is erased", async () => {
    const { verify, signIn, setPassword, vault, imports, close } = await bridged();
    await setPassword("brand new");
    expect(await verify(DJANGO.password)).toEqual(WRONG);
    expect(await signIn("brand new")).toMatchObject(OK);
    expect(imports).toEqual([]);
    expect(vault.count()).toBe(0);
    await close();
  });
});

describe("trouble at the core", () => {
  it.each(["signIn", "importUser"] as const)(
    "in %s is thrown, nobody is told wrong, and nothing is erased",
    async (name) => {
      let isAway = true;
      const wrap = (core: Core): Core => ({
        ...core,
        [name]: (request: never) =>
          isAway ? Promise.reject(new Error("away")) : core[name](request),
      });
      const { verify, vault, close } = await bridged({ wrap });
      await expect(verify(DJANGO.password)).rejects.toThrow("away");
      expect(vault.count()).toBe(1);
      isAway = false;
      expect(await verify(DJANGO.password)).toEqual(OK);
      await close();
    },
  );

  it("with an import whose answer was lost: the next sign-in is right", async () => {
    let isLost = true;
    const wrap = (core: Core): Core => ({
      ...core,
      async importUser(request) {
        const outcome = await core.importUser(request);
        if (isLost) throw new Error("lost");
        return outcome;
      },
    });
    const { verify, signIn, vault, close } = await bridged({ wrap });
    await expect(verify(DJANGO.password)).rejects.toThrow("lost");
    isLost = false;
    expect(await signIn(DJANGO.password)).toMatchObject(OK);
    expect(await verify(DJANGO.password)).toEqual(OK);
    expect(vault.count()).toBe(0);
    await close();
  });
});
