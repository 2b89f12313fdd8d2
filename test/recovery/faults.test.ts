import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryPaths } from "../support/temporary-folder.js";
import type { Fault } from "../support/fault-proxy.js";
import { randomFrom } from "../support/random.js";
import { API_KEY, isToQueue, openRoad } from "./faulty-road.js";
import { FAULTS, keyRefused, page, pass, silence } from "./faults.js";
import { repeated, tried } from "../support/repeated.js";

const USERS = repeated({ variable: "AUTH_MIGRATE_FAULT_USERS", few: 24, full: 40 });
const SEEDS = repeated({ variable: "AUTH_MIGRATE_FAULT_SEEDS", few: 1, full: 3 });
/** A call in the middle of a run. */
const AMID = USERS;
const path = temporaryPaths();

const warnings: string[] = [];
const onWarning = ({ name }: Error): void => void warnings.push(name);
beforeAll(() => void process.on("warning", onWarning));
afterAll(() => void process.off("warning", onWarning));

/** Every fourth call fails. */
function sometimes(fault: Fault): (number: number) => Fault {
  return (number) => (number % 4 === 0 ? fault : pass);
}

describe("an import over a bad network", () => {
  it.each(tried(Object.entries(FAULTS), 9))(
    "brings everybody once where every fourth call meets %s",
    async (_what, fault) => {
      const road = await openRoad(path, { users: USERS, seed: 1 });
      road.faults(sometimes(fault));
      const ends = await road.runToTheEnd();
      // A user may be the one who meets it every time, and is tried again by the next run.
      expect(ends.length).toBeLessThanOrEqual(3);
      expect(ends.filter((ended) => typeof ended === "string")).toEqual([]);
      await road.expectRecovered(ends.at(-1));
    },
  );

  it.each(tried(Object.entries(FAULTS), 4))(
    "brings each user once by the core's queue where every other call of it meets %s",
    async (_what, fault) => {
      const road = await openRoad(path, { users: USERS, seed: 1, batch: USERS / 3 });
      let calls = 0;
      road.faults((_number, request) => {
        if (!isToQueue(request)) return pass;
        calls += 1;
        return calls % 2 === 1 && calls < 40 ? fault : pass;
      });
      const ends = await road.runToTheEnd();
      expect(calls).toBeGreaterThan(3);
      await road.expectRecovered(ends.at(-1));
    },
  );

  it("brings everybody once where every fourth call is never answered", async () => {
    const road = await openRoad(path, { users: 24, seed: 1, timeoutMs: 100 });
    road.faults(sometimes(silence));
    const ends = await road.runToTheEnd();
    await road.expectRecovered(ends.at(-1));
  });

  it("ends with core_incompatible at a page with status 200, and the next run goes on", async () => {
    const road = await openRoad(path, { users: USERS, seed: 1 });
    road.faults((number) => (number === AMID ? page : pass));
    expect(await road.run()).toBe("core_incompatible");
    road.faults(() => pass);
    const ended = await road.run();
    await road.expectRecovered(ended);
  });

  it("ends with key_refused where the key is revoked, and goes on with the right one", async () => {
    const road = await openRoad(path, { users: USERS, seed: 1 });
    let revoked: Promise<void> | null = null;
    road.faults((number) => {
      if (number === AMID) revoked = road.restart("another-key-since-0002");
      if (revoked === null) return pass;
      return async (exchange) => {
        await revoked;
        await exchange.write(await exchange.forward());
      };
    });
    expect(await road.run(API_KEY)).toBe("key_refused");
    expect(await road.run(API_KEY)).toBe("key_refused");
    const ended = await road.run("another-key-since-0002");
    expect(ended).toMatchObject({ failed: 0, pending: 0 });
    await road.expectRecovered(ended);
  });

  it("waits for a core that restarts", async () => {
    const road = await openRoad(path, { users: USERS, seed: 1 });
    road.faults((number) =>
      number === AMID ? ({ reset }) => road.restart(API_KEY).then(reset) : pass,
    );
    const ended = await road.run();
    expect(ended).toMatchObject({ failed: 0, pending: 0 });
    await road.expectRecovered(ended);
  });

  it("waits while connections are refused", async () => {
    const road = await openRoad(path, { users: USERS, seed: 1 });
    road.faults((number) =>
      number === AMID
        ? async () => {
            await road.proxy.down();
            await new Promise((resolve) => setTimeout(resolve, 50));
            await road.proxy.up();
          }
        : pass,
    );
    const ended = await road.run();
    expect(ended).toMatchObject({ failed: 0, pending: 0 });
    await road.expectRecovered(ended);
  });

  it("ends with an outage where the core stays away, and the next run goes on", async () => {
    const road = await openRoad(path, { users: USERS, seed: 1, timesAsFast: 1000 });
    road.faults((number) => (number === AMID ? () => road.proxy.down() : pass));
    expect(await road.run()).toBe("outage");
    await road.proxy.up();
    road.faults(() => pass);
    const ended = await road.run();
    await road.expectRecovered(ended);
  });

  it("rides out a storm of 503", async () => {
    const road = await openRoad(path, { users: USERS, seed: 1 });
    road.faults((number) =>
      number > AMID && number <= 2 * AMID ? FAULTS["503 and a page"] : pass,
    );
    const ended = await road.run();
    expect(ended).toMatchObject({ failed: 0, pending: 0 });
    await road.expectRecovered(ended);
  });
});

it("has Node.js warn of nothing, however many calls wait", () => {
  expect(warnings).toEqual([]);
});

describe("an import over a network with all of it at once", () => {
  const faults = [...Object.values(FAULTS), page, keyRefused];
  const seeds = Array.from({ length: SEEDS }, (_, index) => index + 1);

  it.each(seeds)("brings everybody once (seed %i)", async (seed) => {
    const dice = randomFrom(seed);
    const road = await openRoad(path, { users: USERS, seed, keepIds: seed % 2 === 0 });
    const worst = 1 + dice.below(4);
    let left = USERS * 20;
    road.faults(() => {
      left -= 1;
      // It calms down at last.
      if (left < 0 || !dice.chance(worst, 10)) return pass;
      const fault = dice.pick(faults);
      return (fault === page || fault === keyRefused) && !dice.chance(1, 10) ? pass : fault;
    });
    const ends = await road.runToTheEnd();
    await road.expectRecovered(ends.at(-1));
  });
});
