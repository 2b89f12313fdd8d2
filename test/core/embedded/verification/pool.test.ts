import { inspect } from "node:util";
import { BroadcastChannel } from "node:worker_threads";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type PoolOptions,
  VerificationPool,
} from "../../../../src/core/embedded/verification/pool.js";
import { KNOWN_HASHES, SIGNER_KEY } from "../../../support/known-hashes.js";

const BCRYPT = KNOWN_HASHES.bcrypt.passwordHash;
/** One mebibyte. */
const ARGON2 = KNOWN_HASHES.argon2.passwordHash;
const ENTRY = new URL("./told-worker.mjs", import.meta.url);

const channel = new BroadcastChannel("told-worker");
/** What the threads said and what the test told them, in order. */
let events: string[] = [];
let pools: VerificationPool[] = [];
channel.onmessage = ({ data }: { data: { started?: string; pong?: string } }) => {
  if (data.started !== undefined) events.push(`started ${data.started}`);
  if (data.pong !== undefined) events.push(`pong ${data.pong}`);
};
beforeEach(() => {
  events = [];
  pools = [];
});
afterEach(async () => {
  // Where a test failed, threads may still wait to be told.
  channel.postMessage({ end: true });
  for (const pool of pools) await pool.close();
});
afterAll(() => channel.close());

/** A pool whose threads do as they are told. */
function toldPool(options: PoolOptions): VerificationPool {
  const pool = new VerificationPool({ entry: ENTRY, ...options });
  pools.push(pool);
  return pool;
}

function seen(event: string): Promise<void> {
  return expect.poll(() => events, { interval: 2 }).toContain(event);
}

async function tell(order: "verify" | "exit" | "throw", password: string) {
  await seen(`started ${password}`);
  events.push(`told ${password}`);
  channel.postMessage({ order, password });
}

describe("verifying on threads", () => {
  const pool = new VerificationPool({ signerKey: SIGNER_KEY, threads: 2 });
  afterAll(() => pool.close());

  it.each(Object.entries(KNOWN_HASHES))("tells right from wrong in %s", async (_, known) => {
    const { passwordHash, password } = known;
    expect(await pool.verify(passwordHash, password)).toBe(true);
    expect(await pool.verify(passwordHash, `${password}!`)).toBe(false);
  });

  it("reads vendor scrypt passwords as it is told", async () => {
    const { passwordHash, password } = KNOWN_HASHES.vendor_scrypt;
    const keyless = new VerificationPool({});
    await expect(keyless.verify(passwordHash, password)).rejects.toMatchObject({
      name: "RunError",
      code: "signer_key_missing",
      hint: expect.stringContaining("--hash-config"),
    });
    await keyless.close();
  });

  it("brings back what the verifier throws, with its code", async () => {
    const costly = BCRYPT.replace("$04$", "$30$");
    await expect(pool.verify(costly, "correct horse")).rejects.toMatchObject({
      name: "RunError",
      code: "hash_too_costly",
    });
    expect(await pool.verify(BCRYPT, KNOWN_HASHES.bcrypt.password)).toBe(true);
  });
});

describe("the bounds", () => {
  it("let as many be verified at once as there are threads, the others in their order", async () => {
    const pool = toldPool({ threads: 2 });
    const names = ["ana", "ben", "cleo", "dirk"];
    const all = Promise.all(names.map((name) => pool.verify(BCRYPT, name)));
    await seen("started ana");
    await seen("started ben");
    await tell("verify", "ben");
    await tell("verify", "cleo");
    await tell("verify", "dirk");
    await tell("verify", "ana");
    expect(await all).toEqual([true, true, true, true]);
    expect(events.slice(2)).toEqual([
      "told ben",
      "started cleo",
      "told cleo",
      "started dirk",
      "told dirk",
      "told ana",
    ]);
  });

  it("send away whoever finds the queue full, and nobody once there is room again", async () => {
    const pool = toldPool({ threads: 1, queue: 2 });
    const admitted = ["ana", "ben", "cleo"].map((name) => pool.verify(BCRYPT, name));
    await expect(pool.verify(BCRYPT, "dirk")).rejects.toMatchObject({
      name: "CoreFailure",
      kind: "busy",
      reached: "no",
      status: 503,
      retryAfterMs: 1000,
      message: expect.not.stringContaining("dirk"),
    });
    await tell("verify", "ana");
    await admitted[0];
    const late = pool.verify(BCRYPT, "edda");
    for (const name of ["ben", "cleo", "edda"]) await tell("verify", name);
    expect(await Promise.all([...admitted, late])).toEqual([true, true, true, true]);
    expect(events).not.toContain("started dirk");
  });

  it("may leave no queue at all", async () => {
    const pool = toldPool({ threads: 1, queue: 0 });
    const first = pool.verify(BCRYPT, "ana");
    await expect(pool.verify(BCRYPT, "ben")).rejects.toMatchObject({ kind: "busy" });
    await tell("verify", "ana");
    expect(await first).toBe(true);
  });

  it("keep the memory of those under way within its limit, but let any single one in", async () => {
    const pool = toldPool({ threads: 2, memoryBytes: 1.5 * 2 ** 20 });
    // Two warm threads, so that whoever may start does so at once.
    const warm = ["ana", "ben"].map((name) => pool.verify(BCRYPT, name));
    for (const name of ["ana", "ben"]) await tell("verify", name);
    await Promise.all(warm);
    events = [];
    const large = ARGON2.replace("m=1024", "m=4096");
    const hashes = { cleo: ARGON2, dirk: ARGON2, edda: BCRYPT, fritz: large };
    const all = Object.entries(hashes).map(([name, hash]) => pool.verify(hash, name));
    await tell("verify", "cleo");
    await tell("verify", "dirk");
    await tell("verify", "edda");
    await tell("verify", "fritz");
    expect(await Promise.all(all)).toEqual([true, true, true, true]);
    expect(events.indexOf("started dirk")).toBeGreaterThan(events.indexOf("told cleo"));
    expect(events.indexOf("started edda")).toBeLessThan(events.indexOf("told edda"));
    expect(events.indexOf("started fritz")).toBeGreaterThan(events.indexOf("told edda"));
    const small = ARGON2.replace("m=1024", "m=512");
    const last = ["gabi", "hans"].map((name) => pool.verify(small, name));
    await Promise.all(["started gabi", "started hans"].map(seen));
    for (const name of ["gabi", "hans"]) await tell("verify", name);
    await Promise.all(last);
  });
});

describe("a thread that dies", () => {
  it.each([
    ["exits", "exit", "it ended"],
    ["throws", "throw", "an unexpected error"],
  ] as const)("and %s fails one sign-in and is replaced", async (_, order, why) => {
    const pool = toldPool({ threads: 1 });
    const [unlucky, next] = ["ana", "ben"].map((name) => pool.verify(BCRYPT, name));
    const failed = unlucky?.catch((error: unknown) => error);
    await tell(order, "ana");
    const failure = await failed;
    expect(failure).toMatchObject({
      name: "CoreFailure",
      kind: "broken",
      reached: "yes",
      status: 500,
      message: `the thread that verified the password died (${why})`,
    });
    expect(inspect(failure)).not.toContain("ana");
    await tell("verify", "ben");
    expect(await next).toBe(true);
    const later = pool.verify(BCRYPT, "cleo");
    await tell("verify", "cleo");
    expect(await later).toBe(true);
  });

  it("or can't even start fails cleanly, time and again", async () => {
    const pool = toldPool({ threads: 1, entry: new URL("./gone.mjs", import.meta.url) });
    for (const name of ["ana", "ben"]) {
      await expect(pool.verify(BCRYPT, name)).rejects.toMatchObject({
        kind: "broken",
        message: expect.stringContaining("MODULE_NOT_FOUND"),
      });
    }
  });
});

describe("closing", () => {
  it("lets those under way end, and tells the others to come back", async () => {
    const pool = toldPool({ threads: 1 });
    const [first, second] = ["ana", "ben"].map((name) => pool.verify(BCRYPT, name));
    const refused = expect(second).rejects.toMatchObject({ kind: "busy", reached: "no" });
    await seen("started ana");
    const closing = pool.close().then(() => events.push("closed"));
    await refused;
    await expect(pool.verify(BCRYPT, "cleo")).rejects.toMatchObject({ kind: "busy" });
    await tell("verify", "ana");
    await closing;
    expect(await first).toBe(true);
    expect(events).toEqual(["started ana", "told ana", "closed"]);
  });

  it("ends the threads", async () => {
    const [closed, open] = ["closed", "open"].map((signerKey) => toldPool({ signerKey }));
    const verified = [closed?.verify(BCRYPT, "ana"), open?.verify(BCRYPT, "ben")];
    for (const name of ["ana", "ben"]) await tell("verify", name);
    await Promise.all(verified);
    await closed?.close();
    channel.postMessage({ ping: true });
    await seen("pong open");
    expect(events).not.toContain("pong closed");
  });

  it("is nothing where nobody signed in, and may be done twice", async () => {
    const pool = new VerificationPool({});
    await pool.close();
    await pool.close();
  });
});
