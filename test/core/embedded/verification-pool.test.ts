import { inspect } from "node:util";
import { beforeEach, describe, expect, it } from "vitest";
import { RunError } from "../../../src/errors/run-error.js";
import {
  type PoolOptions,
  VerificationPool,
} from "../../../src/core/embedded/verification-pool.js";

/** What was begun, in order. */
let begun: string[] = [];
let ends: Map<string, () => void>;
beforeEach(() => {
  begun = [];
  ends = new Map();
});

/** Verifies somebody's password until {@link end} is called for them. */
function verify(pool: VerificationPool, name: string, memory = 0): Promise<boolean> {
  const work = (): Promise<boolean> => {
    begun.push(name);
    return new Promise((resolve) => ends.set(name, () => resolve(true)));
  };
  return pool.run(work, memory);
}

async function end(...names: string[]): Promise<void> {
  for (const name of names) {
    ends.get(name)?.();
    await new Promise(setImmediate);
  }
}

const poolOf = (options: PoolOptions) => new VerificationPool(options);

describe("the bounds", () => {
  it("let so many be verified at once, the others in their order", async () => {
    const pool = poolOf({ threads: 2 });
    const all = ["ana", "ben", "cleo", "dirk"].map((name) => verify(pool, name));
    expect(begun).toEqual(["ana", "ben"]);
    await end("ben");
    expect(begun).toEqual(["ana", "ben", "cleo"]);
    await end("cleo", "dirk", "ana");
    expect(await Promise.all(all)).toEqual([true, true, true, true]);
  });

  it("send away whoever finds the queue full, and nobody once there is room again", async () => {
    const pool = poolOf({ threads: 1, queue: 2 });
    const admitted = ["ana", "ben", "cleo"].map((name) => verify(pool, name));
    await expect(verify(pool, "dirk")).rejects.toMatchObject({
      name: "CoreFailure",
      kind: "busy",
      reached: "no",
      status: 503,
      retryAfterMs: 1000,
    });
    await end("ana");
    const late = verify(pool, "edda");
    await end("ben", "cleo", "edda");
    expect(await Promise.all([...admitted, late])).toEqual([true, true, true, true]);
    expect(begun).not.toContain("dirk");
  });

  it("may leave no queue at all", async () => {
    const pool = poolOf({ threads: 1, queue: 0 });
    const first = verify(pool, "ana");
    await expect(verify(pool, "ben")).rejects.toMatchObject({ kind: "busy" });
    await end("ana");
    expect(await first).toBe(true);
  });

  it("keep the memory of those under way within its limit, but let any single one in", async () => {
    const pool = poolOf({ threads: 2, memoryBytes: 3 });
    const memories = { cleo: 2, dirk: 2, edda: 0, fritz: 8 };
    const all = Object.entries(memories).map(([name, memory]) => verify(pool, name, memory));
    expect(begun).toEqual(["cleo"]);
    await end("cleo");
    expect(begun).toEqual(["cleo", "dirk", "edda"]);
    await end("dirk");
    expect(begun).not.toContain("fritz");
    await end("edda", "fritz");
    expect(await Promise.all(all)).toEqual([true, true, true, true]);
  });

  it("bring back what the verifier throws, but for a bug's own text, and go on", async () => {
    const pool = poolOf({ threads: 1 });
    const costly = new RunError("hash_too_costly", "no memory", { hint: "" });
    const failing = pool.run(() => Promise.reject(costly), 0);
    const broken = pool.run(() => Promise.reject(new Error("thrown over ana")), 0);
    const next = verify(pool, "ana");
    await expect(failing).rejects.toBe(costly);
    const failure = await broken.catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: "broken", reached: "yes", status: 500 });
    expect(inspect(failure)).not.toContain("ana");
    await end("ana");
    expect(await next).toBe(true);
  });
});

describe("closing", () => {
  it("lets those under way end, and tells the others to come back", async () => {
    const pool = poolOf({ threads: 1 });
    const [first, second] = ["ana", "ben"].map((name) => verify(pool, name));
    const refused = expect(second).rejects.toMatchObject({ kind: "busy", reached: "no" });
    let isClosed = false;
    const closing = pool.close().then(() => {
      isClosed = true;
    });
    await refused;
    await expect(verify(pool, "cleo")).rejects.toMatchObject({ kind: "busy" });
    expect(isClosed).toBe(false);
    await end("ana");
    await closing;
    expect(await first).toBe(true);
  });

  it("is nothing where nobody signed in, and may be done twice", async () => {
    const pool = poolOf({});
    await pool.close();
    await pool.close();
  });
});
