/** One side of `bench/bridge.js` in a process of its own: `node bench/bridge-side.js SIDE USERS ITERATIONS`. */

import { pbkdf2Sync } from "node:crypto";
import { availableParallelism } from "node:os";
import { openBridge } from "../dist/bridge/open-bridge.js";
import { openEmbeddedCore } from "../dist/core/embedded/embedded-core.js";
import { verifyLegacyPassword } from "../dist/hash/legacy/find-legacy-hash.js";
import { Vault } from "../dist/vault/vault.js";
import { withFiles } from "./frame/settings.js";
import { stopwatch } from "./frame/stopwatch.js";

const [side, users, iterations] = [process.argv[2], ...process.argv.slice(3).map(Number)];
const PASSWORD = "correct horse battery";
const key = Buffer.alloc(32, 7);
const digest = pbkdf2Sync(PASSWORD, "seasalt", iterations, 32, "sha256").toString("base64");
const hash = { kind: "text", text: `pbkdf2_sha256$${iterations}$seasalt$${digest}` };
const emailOf = (n) => `user.${n}@example.com`;

/** As many as the bridge has threads. */
const THREADS = Math.max(1, availableParallelism() - 1);

async function atOnce(workers, work) {
  let next = 0;
  const worker = async () => {
    while (next < users) await work(next++);
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

/** A bridge with so many users in its vault. */
async function withBridge(work) {
  await withFiles(async (fresh) => {
    const core = openEmbeddedCore({ file: fresh("core.db") });
    const path = fresh("users.vault");
    const vault = Vault.open(path, { key, binding: { migration: null, core: core.coreId } });
    await Promise.all(
      Array.from({ length: users }, async (_, n) => {
        const standIn = await vault.standIn(emailOf(n), hash);
        const context = { vendor: null, pepper: null, userNames: [] };
        await vault.put(emailOf(n), { hash, context, standIns: [standIn] });
        await core.importUser({ email: emailOf(n), passwordHash: standIn.hash });
      }),
    );
    vault.close();
    const bridge = openBridge({ vault: { path, key }, core });
    await work(bridge);
    await bridge.close();
    await core.close();
  });
}

function requireSo(is) {
  if (!is) throw new Error("another answer was expected");
}

const SIDES = {
  async bare() {
    const watch = stopwatch();
    await watch.time(() =>
      atOnce(THREADS, async () => requireSo(await verifyLegacyPassword(hash, PASSWORD))),
    );
    watch.end(users);
  },
  bridge: () =>
    withBridge(async (bridge) => {
      const watch = stopwatch();
      await watch.time(() =>
        // As many are verified at once as in the bare measure; those behind them wait, as in a bridge
        // that is busy, while others' attempts, hashes and erasures are written.
        atOnce(THREADS * 2, async (n) => {
          const { status } = await bridge.verify({ email: emailOf(n), password: PASSWORD });
          requireSo(status === "OK");
        }),
      );
      requireSo(bridge.left() === 0);
      watch.end(users);
    }),
  /** Each email once, in turns: an attempt more would find those of before. */
  no: () =>
    withBridge(async (bridge) => {
      const times = { known: [], unknown: [] };
      const names = { known: emailOf, unknown: (n) => `other.${n}@example.com` };
      for (let n = 0; n < users; n += 1) {
        for (const who of n % 2 === 0 ? ["known", "unknown"] : ["unknown", "known"]) {
          const start = performance.now();
          const { status } = await bridge.verify({ email: names[who](n), password: "a guess" });
          times[who].push(performance.now() - start);
          requireSo(status === "WRONG_CREDENTIALS_ERROR");
        }
      }
      console.log(JSON.stringify(times));
    }),
};

await SIDES[side]();
