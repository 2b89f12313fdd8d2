/** An import whose core is behind the fault proxy: runs again and again until everybody has an outcome, and then the oracle speaks. */

import { onTestFinished } from "vitest";
import { openEmbeddedCore } from "../../src/core/embedded/embedded-core.js";
import { connectCore } from "../../src/core/http/client.js";
import { type CoreServer, startCoreServer } from "../../src/core/http/server.js";
import { RunError } from "../../src/errors/run-error.js";
import type { ImportSummary } from "../../src/events/summary.js";
import { importUsers } from "../../src/run/import-users.js";
import { openInputs } from "../../src/source/inputs.js";
import {
  type Fault,
  type FaultProxy,
  type ProxiedRequest,
  startFaultProxy,
} from "../support/fault-proxy.js";
import { type CleanRun, createOracle, type Oracle, runClean } from "../support/oracle.js";
import { type Random, randomFrom } from "../support/random.js";
import { writeCrowd } from "./crowd.js";
import { pass } from "./faults.js";
import { quickTiming } from "./quick-timing.js";

export const API_KEY = "faulty-road-key-0001";
/** What a preflight asks at most: is it a core, has it look-ups, are twenty finished users there. */
const PREFLIGHT = 25;
/** After so many runs it is the code that is at fault, not the road. */
const MOST_RUNS = 30;
const HOST = "127.0.0.1";

export interface RoadOptions {
  readonly users: number;
  readonly seed: number;
  readonly keepIds?: boolean;
  /** Users go by the core's queue, so many in a batch. */
  readonly batch?: number;
  /** How long the client waits for an answer, in real milliseconds; 5000 by default. */
  readonly timeoutMs?: number;
  /** How fast the clock of the run is; 100 by default. */
  readonly timesAsFast?: number;
}

/** How one run ended: with a summary, or by an error with this code. */
export type Ended = ImportSummary | string;

export interface Road {
  readonly proxy: FaultProxy;
  readonly oracle: Oracle;
  readonly random: Random;
  /** What happens to the requests from now on, by their number in their run behind the preflight. */
  faults(choose: (number: number, request: ProxiedRequest) => Fault): void;
  /** One run with this key. */
  run(apiKey?: string): Promise<Ended>;
  /** Runs until everybody has an outcome; answers how the runs ended. */
  runToTheEnd(): Promise<readonly Ended[]>;
  /** Ends the core's server and starts another one, that takes this key. */
  restart(apiKey: string): Promise<void>;
  /** Closes the core and asks the oracle about the last run. */
  expectRecovered(last: Ended | undefined): Promise<void>;
}

/** @param path from `temporaryPaths` */
export async function openRoad(
  path: (name: string) => string,
  options: RoadOptions,
): Promise<Road> {
  const { users, seed, keepIds = false, timeoutMs = 5000, timesAsFast, batch } = options;
  const [csv, data, checkpoint] = [path("readers.csv"), path("core.db"), path("checkpoint")];
  writeCrowd(csv, users);
  const oracle = createOracle(await cleanRunOf(csv, users, keepIds), data, checkpoint);
  const random = randomFrom(seed);
  const timing = quickTiming(() => random.below(2 ** 20) / 2 ** 20, timesAsFast);
  const core = openEmbeddedCore({ file: data });
  const serve = (apiKey: string): Promise<CoreServer> =>
    startCoreServer(oracle.watch(core), {
      ...{ host: HOST, port: 0, apiKeys: [apiKey], queueIntervalMs: 10 },
    });
  let server = await serve(API_KEY);
  let choose: (number: number, request: ProxiedRequest) => Fault = () => pass;
  let before = 0;
  const proxy = await startFaultProxy(server.url, (request, number) => {
    const sent = number - before - PREFLIGHT;
    return sent > 0 || isToQueue(request) ? choose(sent, request) : pass;
  });
  onTestFinished(async () => {
    await server.close();
    await core.close();
  });

  const run = async (apiKey = API_KEY): Promise<Ended> => {
    before = proxy.requests;
    const remote = connectCore({ url: proxy.url, apiKey, connections: 32, timeoutMs });
    try {
      return await importUsers({
        policy: { keepIds },
        inputs: await openInputs([csv]),
        core: remote,
        checkpoint,
        concurrency: 32,
        timing,
        ...(batch === undefined ? {} : { bulk: "always", bulkBatch: batch }),
      });
    } catch (error) {
      if (!(error instanceof RunError) || error.code === "internal") throw error;
      return error.code;
    } finally {
      await remote.close();
      oracle.runEnded();
    }
  };
  return {
    proxy,
    oracle,
    random,
    faults(chosen) {
      choose = chosen;
    },
    run,
    async runToTheEnd() {
      const ends: Ended[] = [];
      while (ends.length < MOST_RUNS) {
        const ended = await run();
        ends.push(ended);
        if (typeof ended !== "string" && ended.failed + ended.pending === 0) return ends;
      }
      throw new Error(`it didn't end: ${ends.map(nameOfEnd).join(", ")}`);
    },
    async restart(apiKey) {
      await server.close();
      server = await serve(apiKey);
      proxy.lead(server.url);
    },
    async expectRecovered(last) {
      if (last === undefined || typeof last === "string") throw new Error(`it ended with ${last}`);
      await server.close();
      await core.close();
      oracle.expectRecovered(last);
    },
  };
}

/** Whether accounts are queued, or the queue is listed. */
export function isToQueue({ path }: ProxiedRequest): boolean {
  return /\/bulk-import\/users(\?|$)/.test(path);
}

/** A crowd of one size is always the same, so that one clean run of it is enough. */
const cleanRuns = new Map<string, Promise<CleanRun>>();

function cleanRunOf(csv: string, users: number, keepIds: boolean): Promise<CleanRun> {
  const key = `${users} ${keepIds}`;
  const run = cleanRuns.get(key) ?? runClean([csv], { policy: { keepIds } });
  cleanRuns.set(key, run);
  return run;
}

function nameOfEnd(ended: Ended): string {
  return typeof ended === "string" ? ended : `${ended.failed} failed, ${ended.pending} pending`;
}
