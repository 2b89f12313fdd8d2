import { existsSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Core } from "../../../src/core/core.js";
import { connectCore } from "../../../src/core/http/client.js";
import { type CliResult, type ServedProcess, startServe } from "../../support/cli.js";
import { KNOWN_HASHES, SIGNER_KEY } from "../../support/known-hashes.js";
import { type Random, randomFrom } from "../../support/random.js";
import { statusesIn } from "../../support/raw-connection.js";
import { temporaryPaths } from "../../support/temporary-folder.js";
import { describeCoreContract } from "../contract.js";
import { KNOWN_EMAIL } from "./fuzz/bodies.js";
import { brokenRequest, framedRequest } from "./fuzz/requests.js";
import { tried } from "../../support/repeated.js";
import { SEED } from "../../support/seed.js";

const REQUESTS = Number(process.env.AUTH_MIGRATE_FUZZ_REQUESTS ?? 3_000);
/** Under this one a request for an upgrade ends in its body, of which Node says nothing. */
const CUT_OFF_SEED = 1_007_228_819;
const CONNECTIONS_AT_ONCE = 16;
const MAX_REQUESTS_EACH = 16;
/** A server that leaves a connection open after its client has ended it has forgotten it. */
const HANGS_MS = 50_000;
/** Heap that isn't collected yet, pages of the data file, compiled code. */
const MAX_GROWTH_MB = 64;
const path = temporaryPaths();

let server: ServedProcess;
let stopped: CliResult | null = null;

beforeAll(async () => {
  const file = path("core.db");
  server = await startServe({
    cwd: dirname(file),
    args: ["--data", file],
    env: { VENDOR_PASSWORD_HASHING_SIGNER_KEY: SIGNER_KEY },
  });
});
afterAll(async () => {
  if (stopped === null) await server.stop();
});

function connectTo({ url, apiKey }: ServedProcess): Core {
  return connectCore({ url, apiKey, connections: 8 });
}

/** One connection's bytes in pieces, and what becomes of it behind them. */
interface Barrage {
  readonly requests: number;
  readonly pieces: readonly Buffer[];
  /** Whether every request deserves an answer, and the connection stays until they are read. */
  readonly isWhole: boolean;
  readonly breaksOff: boolean;
}

function barrageOf(random: Random): Barrage {
  const framed = Array.from({ length: 1 + random.below(MAX_REQUESTS_EACH) }, () =>
    framedRequest(random, server.apiKey),
  );
  const broken = random.chance(1, 3) ? [brokenRequest(random, server.apiKey)] : [];
  const bytes = Buffer.concat([...framed, ...broken]);
  const pieces: Buffer[] = [];
  let at = 0;
  for (let cuts = random.below(6); cuts > 0; cuts -= 1) {
    const next = at + random.below(bytes.length - at + 1);
    pieces.push(bytes.subarray(at, next));
    at = next;
  }
  const breaksOff = random.chance(1, 10);
  if (!breaksOff || random.chance(1, 2)) pieces.push(bytes.subarray(at));
  const requests = framed.length + broken.length;
  return { requests, pieces, isWhole: broken.length === 0 && !breaksOff, breaksOff };
}

/** Answers what the server said until the connection was over. */
function fire({ pieces, breaksOff }: Barrage): Promise<string> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const options = { host: hostname, port: Number(port), noDelay: true, allowHalfOpen: true };
    const socket = connect(options);
    let text = "";
    socket.setEncoding("latin1").setTimeout(HANGS_MS);
    socket.on("data", (part) => {
      text += part;
    });
    socket.on("timeout", () => {
      socket.destroy();
      reject(new Error("the connection hangs"));
    });
    socket.on("end", () => socket.end());
    // A server may break off what isn't HTTP.
    socket.on("error", () => {});
    socket.on("close", () => resolve(text));
    void (async () => {
      for (const piece of pieces) {
        if (!socket.writable) return;
        await new Promise<void>((sent) => socket.write(piece, () => sent()));
      }
      if (breaksOff) socket.resetAndDestroy();
      else socket.end();
    })();
  });
}

function isClientsFault(status: number): boolean {
  return status >= 400 && status < 500;
}

async function fuzz(random: Random, requests: number): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  let left = requests;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      const barrage = barrageOf(random);
      left -= barrage.requests;
      const answers = await fire(barrage);
      // Beside the final ones there is "100 Continue".
      const statuses = statusesIn(answers).filter((status) => status !== 100);
      for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
      const isComplete =
        !barrage.isWhole ||
        statuses.length === barrage.requests ||
        answers.toLowerCase().includes("connection: close");
      if (isComplete && statuses.every((status) => status < 300 || isClientsFault(status)))
        continue;
      const sent = Buffer.concat(barrage.pieces).toString("latin1");
      throw new Error(`${statuses} to ${barrage.requests}: ${JSON.stringify(sent)}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS_AT_ONCE }, worker));
  return counts;
}

/** Right calls through a real client, each answered rightly, until `isOver`. */
async function useRightly(isOver: () => boolean): Promise<number> {
  const core = connectTo(server);
  const { password, passwordHash } = KNOWN_HASHES.bcrypt;
  let calls = 0;
  while (!isOver()) {
    const email = `well.behaved.${calls}@example.com`;
    const { user } = await core.importUser({ email, passwordHash });
    expect(await core.findUsers({ email })).toEqual([user]);
    expect(await core.signIn({ email, password })).toMatchObject({ status: "OK", user });
    expect((await core.signIn({ email, password: "something else" })).status).not.toBe("OK");
    calls += 4;
  }
  await core.close();
  return calls;
}

/** Megabytes that the server occupies; NaN where the system doesn't say. */
function residentMegabytes(): number {
  const status = `/proc/${server.pid}/status`;
  if (!existsSync(status)) return Number.NaN;
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(status, "utf8"))?.[1]) / 1024;
}

describe.each(tried([CUT_OFF_SEED, SEED], 1))(
  `auth-migrate serve under ${REQUESTS} requests of seed %i`,
  (seed) => {
    it("answers nothing but 2xx and 4xx, serves the well behaved, and stays as large as it was", async () => {
      const core = connectTo(server);
      const { passwordHash } = KNOWN_HASHES.bcrypt;
      await core.importUser({ email: KNOWN_EMAIL, passwordHash });
      const random = randomFrom(seed);
      // Compiles the code and fills the caches.
      await fuzz(random, Math.min(REQUESTS / 2, 20_000));
      const before = residentMegabytes();

      let isOver = false;
      const rightly = useRightly(() => isOver);
      const counts = await fuzz(random, REQUESTS).finally(() => {
        isOver = true;
      });
      expect(await rightly).toBeGreaterThan(0);

      const growth = residentMegabytes() - before;
      if (!Number.isNaN(growth)) expect(growth).toBeLessThan(MAX_GROWTH_MB);
      // It reached the endpoints, not only the guards before them.
      for (const status of [200, 400, 401, 404, 405]) expect(counts.get(status)).toBeGreaterThan(0);
      await core.close();
    }, 3_600_000);
  },
);

describeCoreContract(
  "auth-migrate serve that was fuzzed",
  async () => {
    const core = connectTo(server);
    return { core, close: () => core.close() };
  },
  {
    timeJoined: "no call over the wire takes it",
    accounts: "nor does one take a whole account",
    guardedHashes: "nor does one replace a hash that the caller knows",
    queue: "its job goes by the clock",
  },
);

describe("auth-migrate serve that was fuzzed", () => {
  it("ends well, without a word about what happened", async () => {
    stopped = await server.stop();
    expect(stopped.code).toBe(0);
    expect(stopped.stderr.trim().split("\n")).toEqual([expect.stringContaining("Stopping")]);
  });
});
