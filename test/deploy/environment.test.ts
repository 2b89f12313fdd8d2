import { describe, expect, it } from "vitest";
import { type Gate, startGate } from "../cli/gate.js";
import { everyone, workFolders } from "../cli/support.js";
import { startServe } from "../support/cli.js";
import { openBatch } from "./support/batch-engine.js";
import { type Engine, type Executed, exportOf, type Place } from "./support/engine.js";
import { openKubernetes } from "./support/kubernetes-engine.js";
import { openSlurm } from "./support/slurm-engine.js";

const newFolder = workFolders();
/** Some 125 a shard, and three of four with a password. */
const USERS = 1000;
/** Imports of the first shard until all calls are held. With 64 in flight some users haven't begun then. */
const LET_THROUGH = 20;
/** Indexes, from 0. */
const STOPPED = 2;
const MISSED = 4;

const ENGINES: readonly (readonly [string, (place: Place) => Engine])[] = [
  ["Kubernetes", openKubernetes],
  ["Slurm", openSlurm],
  ["AWS Batch", openBatch],
];

/** Two at a time, as many as there are processors. */
async function executeAll(engine: Engine, indexes: readonly number[]): Promise<(number | null)[]> {
  const codes: (number | null)[] = [];
  const waiting = [...indexes];
  const work = async (): Promise<void> => {
    for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
      const { code, output } = await engine.execute(index).ended;
      codes.push(code);
      expect(output).not.toContain("core-key");
    }
  };
  await Promise.all([work(), work()]);
  return codes;
}

describe.each(ENGINES)("the shards of the files for %s", (_, open) => {
  it("stop when they are asked to, go on, miss nobody, and are proved by the report", async () => {
    const core = await startServe({ cwd: newFolder() });
    const gate = await startGate(core, LET_THROUGH, (path) => path.endsWith("/import"));
    const place = { folder: newFolder(), core: { url: gate.url, apiKey: core.apiKey } };
    const engine = open({ ...place, users: exportOf(USERS) });
    expect(engine.shards).toBe(8);
    const stopped = await stopOne(engine, gate);
    expect(engine.runsAgain(stopped), `${stopped.code}: ${stopped.output}`).toBe(true);

    const again = await engine.execute(STOPPED).ended;
    expect(again.code, again.output).toBe(0);
    // It found its checkpoint: nobody is new to it whom it has brought.
    expect(again.output).toMatch(/"existed":0,.*"unchanged":[1-9]/);

    const indexes = Array.from({ length: engine.shards }, (_, index) => index);
    const others = indexes.filter((index) => index !== MISSED && index !== STOPPED).reverse();
    expect(await executeAll(engine, others)).toEqual(others.map(() => 0));
    const missing = await engine.report();
    expect(missing.code, missing.output).toBe(75);
    expect(missing.output).toContain(`${MISSED + 1}/${engine.shards}`);

    expect(await executeAll(engine, [MISSED])).toEqual([0]);
    const whole = await engine.report();
    expect(whole.code, whole.output).toBe(0);
    const there = await everyone(core);
    expect(there).toHaveLength(USERS);
    expect(new Set(there).size).toBe(USERS);
    await gate.close();
    await core.stop();
  }, 120_000);
});

/** Stops a shard in the middle of its users; meanwhile a second execution of it, where the engine could begin one, is turned away. */
async function stopOne(engine: Engine, gate: Gate): Promise<Executed> {
  const first = engine.execute(STOPPED);
  const tooEarly = first.ended.then(({ code, output }) =>
    Promise.reject(new Error(`it ended with ${code} before it was stopped: ${output}`)),
  );
  await Promise.race([gate.holding, tooEarly]);
  if (engine.sharesCheckpoints) {
    const second = await engine.execute(STOPPED).ended;
    expect(second.code, second.output).toBe(75);
    expect(second.output).toContain("checkpoint_locked");
    expect(engine.runsAgain(second)).toBe(true);
  }
  first.stop();
  await Promise.race([first.says("Stopping"), tooEarly]);
  gate.open();
  const ended = await first.ended;
  expect(ended.code, ended.output).not.toBe(0);
  return ended;
}
