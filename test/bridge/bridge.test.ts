import { describe, expect, it } from "vitest";
import { Bridge } from "../../src/bridge/bridge.js";
import { CoreFailure } from "../../src/core/core-failure.js";
import type { Core } from "../../src/core/core.js";
import { openEmbeddedCore } from "../../src/core/embedded/embedded-core.js";
import { bcryptUnder } from "../../src/hash/verify.js";
import { Vault } from "../../src/vault/vault.js";
import { ANSWERS, contextOf, rawOf } from "../hash/legacy/support/known-answers.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { fitsHere, STAND_IN_SALT } from "./support/bridged-users.js";

const newPath = temporaryPaths();
const ANN = "ann@example.com";
const DJANGO = ANSWERS.find(({ format }) => format === "django_pbkdf2_sha256")!;
const OK = { status: "OK" };
const WRONG = { status: "WRONG_CREDENTIALS_ERROR" };

/** A remote core has no such call. */
const NO_GUARD: Pick<Core, "replacePassword"> = {
  replacePassword: () =>
    Promise.reject(new CoreFailure("not_offered", "no such call", { reached: "no" })),
};

/** A core with Ann, whose old password is in the vault, and a bridge between. */
async function bridged({ wrap = (core: Core): Core => core } = {}) {
  const core = openEmbeddedCore({ file: newPath("core.db") });
  const path = newPath("users.vault");
  const vault = Vault.open(path, {
    key: Buffer.alloc(32, 7),
    binding: { migration: "m", core: "c" },
  });
  const hash = rawOf(DJANGO);
  const standIn = await vault.standIn(ANN, hash, STAND_IN_SALT);
  await vault.put(ANN, { hash, context: contextOf(), standIns: [standIn] });
  await core.importUser({ email: ANN, passwordHash: standIn.hash });
  let now = 1_700_000_000_000;
  const imports: string[] = [];
  const counted: Core = {
    ...core,
    importUser: (request) => {
      imports.push(request.email);
      return core.importUser(request);
    },
    replacePassword: (request) => {
      imports.push(request.email);
      return core.replacePassword(request);
    },
  };
  let told = 0;
  const onUnmatched = (): void => {
    told += 1;
  };
  const clock = { now: () => now, onUnmatched };
  const bridge = new Bridge({ fits: fitsHere, vault, core: wrap(counted), ...clock });
  return {
    bridge,
    core,
    vault,
    imports,
    told: () => told,
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
    const { verify, signIn, setPassword, vault, close } = await bridged();
    await setPassword("brand new");
    expect(await verify(DJANGO.password)).toEqual(WRONG);
    expect(await signIn("brand new")).toMatchObject(OK);
    expect(vault.count()).toBe(0);
    await close();
  });
});

describe("a vault that is older than what is at the core", () => {
  it("keeps the record, and the old password lets nobody in", async () => {
    const { core, verify, signIn, vault, told, close } = await bridged();
    const newer = await vault.standIn(ANN, { kind: "text", text: "newer" }, STAND_IN_SALT);
    await core.importUser({ email: ANN, passwordHash: newer.hash });
    expect(await verify(DJANGO.password)).toEqual(WRONG);
    expect(await signIn(newer.password)).toMatchObject(OK);
    expect([vault.count(), vault.countUnmatched(), told()]).toEqual([1, 1, 1]);
    await close();
  });
});

describe("an import that was killed", () => {
  it("before its user was at the core leaves the record for the next one", async () => {
    const { core, verify, vault, close } = await bridged();
    const [user] = await core.findUsers({ email: ANN });
    await core.removeUser(user?.userId ?? "");
    expect(await verify(DJANGO.password)).toEqual(WRONG);
    expect(vault.count()).toBe(1);
    await close();
  });

  it("while it changed a hash leaves the new password right, whichever stand-in is at the core", async () => {
    const { verify, vault, close } = await bridged();
    const { standIns, ...record } = vault.get(ANN)!;
    const next = await vault.standIn(
      ANN,
      { kind: "text", text: "the hash of the newer export" },
      STAND_IN_SALT,
    );
    await vault.put(ANN, { ...record, standIns: [next, ...standIns] });
    expect(await verify(DJANGO.password)).toEqual(OK);
    expect(vault.count()).toBe(0);
    await close();
  });
});

describe("a core without a call that compares and replaces", () => {
  const remote = (core: Core): Core => ({ ...core, ...NO_GUARD });

  it("is asked by the stand-in before the import, and the time between is told", async () => {
    const { bridge, verify, signIn, imports, close } = await bridged({ wrap: remote });
    expect(await verify(DJANGO.password)).toEqual(OK);
    expect(await signIn(DJANGO.password)).toMatchObject(OK);
    expect(imports).toEqual([ANN]);
    expect(bridge.unguarded.times).toBe(1);
    await close();
  });

  it("keeps a password that was set since", async () => {
    const { verify, signIn, setPassword, imports, close } = await bridged({ wrap: remote });
    await setPassword("brand new");
    expect(await verify(DJANGO.password)).toEqual(WRONG);
    expect(await signIn("brand new")).toMatchObject(OK);
    expect(imports).toEqual([]);
    await close();
  });

  it("has a record kept whose stand-in isn't there, until a sign-in shows the user's own password", async () => {
    const { verify, setPassword, vault, told, close } = await bridged({ wrap: remote });
    await setPassword("brand new");
    expect(await verify(DJANGO.password)).toEqual(WRONG);
    expect([vault.count(), vault.countUnmatched(), told()]).toEqual([1, 1, 1]);
    expect(await verify("brand new")).toEqual(OK);
    expect([vault.count(), vault.countUnmatched()]).toEqual([0, 0]);
    await close();
  });

  it("erases nothing where the core doesn't say that the user is there", async () => {
    const wrap = (core: Core): Core => ({ ...remote(core), findUsers: async () => [] });
    const { verify, setPassword, vault, close } = await bridged({ wrap });
    await setPassword("brand new");
    expect(await verify(DJANGO.password)).toEqual(WRONG);
    expect(vault.count()).toBe(1);
    await close();
  });
});

describe("trouble at the core", () => {
  it.each(["replacePassword", "signIn", "importUser"] as const)(
    "in %s is thrown, tells no user wrong and erases no record",
    async (name) => {
      let isAway = true;
      const wrap = (core: Core): Core => ({
        ...core,
        // An embedded core is asked by one call alone.
        ...(name !== "replacePassword" && NO_GUARD),
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
      async replacePassword(request) {
        const outcome = await core.replacePassword(request);
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
