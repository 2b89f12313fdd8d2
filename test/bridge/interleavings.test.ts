import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Bridge } from "../../src/bridge/bridge.js";
import { CoreFailure } from "../../src/core/core-failure.js";
import type { Core } from "../../src/core/core.js";
import { openEmbeddedCore } from "../../src/core/embedded/embedded-core.js";
import { hashPassword } from "../../src/hash/verify.js";
import { Vault } from "../../src/vault/vault.js";
import { repeated } from "../support/repeated.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { fitsHere, STAND_IN_SALT } from "./support/bridged-users.js";

const newPath = temporaryPaths();
const RUNS = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 60, full: 1000 });
const OLD = "the old password";
const SALT = "seasalt";
const digest = createHash("sha1")
  .update(OLD + SALT)
  .digest();
const HASH = {
  kind: "text",
  text: `{SSHA}${Buffer.concat([digest, Buffer.from(SALT)]).toString("base64")}`,
} as const;
const cheap = (password: string) =>
  hashPassword(password, { cost: { memoryCost: 8, timeCost: 1, parallelism: 1 } });

/** What happens beside each other; their steps come in any order. */
const events = fc.record({
  /** Sign-ins at the bridge: with the old password, or a wrong one. */
  signIns: fc.array(fc.constantFrom(OLD, OLD, "a guess"), { minLength: 1, maxLength: 4 }),
  /** Passwords that are set at the core one after the other: changed, or reset. */
  sets: fc.array(fc.constantFrom("changed", "reset"), { maxLength: 2 }),
  /** How often the bridge is killed and started again. */
  kills: fc.nat(2),
});

type Events = typeof events extends fc.Arbitrary<infer Value> ? Value : never;

const core = openEmbeddedCore({ file: newPath("core.db"), verificationThreads: 1 });
const vault = Vault.open(newPath("users.vault"), {
  key: Buffer.alloc(32, 7),
  binding: { migration: "m", core: "c" },
});
let users = 0;

/** One user, whose old password is in the vault, and all that happens. What was seen, in its order. */
async function play(
  scheduler: fc.Scheduler,
  { signIns, sets, kills }: Events,
  { isRemote = false } = {},
) {
  users += 1;
  const email = `user.${users}@example.com`;
  const standIn = await vault.standIn(email, HASH, STAND_IN_SALT);
  const context = { vendor: null, pepper: null, userNames: [] };
  await vault.put(email, { hash: HASH, context, standIns: [standIn] });
  await core.importUser({ email, passwordHash: standIn.hash });

  const seen: string[] = [];
  const note = (what: string): number => seen.push(what);
  /** A bridge that is killed by never going on: what it asked for last may have been done. */
  function start() {
    let isAlive = true;
    const step = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      await scheduler.schedule(Promise.resolve(), name);
      if (!isAlive) return new Promise<never>(() => {});
      note(`asked: ${name}`);
      const done = await work();
      await scheduler.schedule(Promise.resolve(), `${name} answered`);
      return isAlive ? done : new Promise<never>(() => {});
    };
    const stepped: Core = {
      ...core,
      importUser: (request) => step("import", () => core.importUser(request)),
      signIn: (request) => {
        const isCheck = request.password === standIn.password;
        return step(isCheck ? "check" : "sign-in", () => core.signIn(request));
      },
      replacePassword: (request) =>
        isRemote
          ? Promise.reject(new CoreFailure("not_offered", "no such call", { reached: "no" }))
          : step("replace", () => core.replacePassword(request)),
    };
    const own = new Proxy(vault, {
      get: (target, name) => {
        if (name === "erase") return (who: string) => step("erase", () => target.erase(who));
        const value = Reflect.get(target, name) as unknown;
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    let kill = (): void => {};
    const killed = new Promise<null>((resolve) => {
      kill = () => {
        isAlive = false;
        resolve(null);
      };
    });
    return {
      bridge: new Bridge({ fits: fitsHere, vault: own, core: stepped, hash: cheap }),
      killed,
      kill,
    };
  }

  let running = start();
  const signIn = async (password: string): Promise<void> => {
    await scheduler.schedule(Promise.resolve(), "a sign-in");
    const begun = note(`begins: ${password}`);
    const { bridge, killed } = running;
    const answer = await Promise.race([bridge.verify({ email, password }), killed]);
    note(`${answer?.status ?? "killed"} since ${begun}: ${password}`);
  };
  const set = async (): Promise<void> => {
    for (const [index, how] of sets.entries()) {
      await scheduler.schedule(Promise.resolve(), how);
      note(`begins: set ${index}`);
      await core.importUser({ email, passwordHash: await cheap(`${how} ${index}`) });
      note(`set ${index}`);
    }
  };
  const die = async (): Promise<void> => {
    for (let times = 0; times < kills; times += 1) {
      await scheduler.schedule(Promise.resolve(), "kill");
      running.kill();
      running = start();
    }
  };
  await scheduler.waitFor(Promise.all([...signIns.map(signIn), set(), die()]));
  const final = sets.map((how, index) => `${how} ${index}`).at(-1) ?? null;
  return { email, standIn, seen, final };
}

/** Nothing is pending any more: what the core and a new bridge say. */
async function afterwards(email: string) {
  const bridge = new Bridge({ fits: fitsHere, vault, core, hash: cheap });
  const says = async (password: string) => (await core.signIn({ email, password })).status;
  return {
    says,
    verify: async (password: string) => (await bridge.verify({ email, password })).status,
  };
}

/** What was seen before a sign-in's answer, and since it began. */
function answersIn(seen: readonly string[]) {
  return seen.flatMap((line, index) => {
    const [, status = "", begun = "0", password = ""] =
      /^(\w+) since (\d+): (.*)$/.exec(line) ?? [];
    if (status === "") return [];
    return [
      { status, password, before: seen.slice(0, Number(begun)), until: seen.slice(0, index) },
    ];
  });
}

function expectNoneWronged(seen: readonly string[]): void {
  for (const { status, password, before, until } of answersIn(seen)) {
    if (status === "killed") continue;
    if (password !== OLD) expect(status).toBe("WRONG_CREDENTIALS_ERROR");
    else if (!until.some((line) => line.startsWith("begins: set"))) expect(status).toBe("OK");
    else if (before.some((line) => /^set \d/.test(line))) {
      expect(status).toBe("WRONG_CREDENTIALS_ERROR");
    }
  }
}

describe("in any order of sign-ins, changes, resets and kills", () => {
  it("an embedded core's password is never rolled back, and no user is wronged", async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), events, async (scheduler, what) => {
        const { email, standIn, seen, final } = await play(scheduler, what);
        expectNoneWronged(seen);
        const { says, verify } = await afterwards(email);
        expect(await verify(final ?? OLD)).toBe("OK");
        expect(await says(final ?? OLD)).toBe("OK");
        if (final !== null) expect(await verify(OLD)).toBe("WRONG_CREDENTIALS_ERROR");
        expect(await says(standIn.password)).toBe("WRONG_CREDENTIALS_ERROR");
        expect(vault.get(email)).toBeNull();
      }),
      { numRuns: RUNS },
    );
  });

  it("a remote core's is rolled back only where it was set after the last check began", async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), events, async (scheduler, what) => {
        const { email, standIn, seen, final } = await play(scheduler, what, { isRemote: true });
        const { says } = await afterwards(email);
        const isRolledBack = final !== null && (await says(final)) !== "OK";
        if (isRolledBack) {
          const lastSet = seen.lastIndexOf(`set ${what.sets.length - 1}`);
          const lastCheck = seen.lastIndexOf("asked: check", seen.lastIndexOf("asked: import"));
          expect(lastSet).toBeGreaterThan(lastCheck);
        } else expectNoneWronged(seen);
        if (final !== null) expect(await says(standIn.password)).toBe("WRONG_CREDENTIALS_ERROR");
      }),
      { numRuns: RUNS },
    );
  });
});
