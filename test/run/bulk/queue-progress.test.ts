import { expect, it } from "vitest";
import type { MigrationEvent, QueueEvent } from "../../../src/events/events.js";
import { randomFrom } from "../../support/random.js";
import { repeated } from "../../support/repeated.js";
import { temporaryPaths } from "../../support/temporary-folder.js";
import { HASH } from "../support/accounts.js";
import { virtualTiming } from "../support/virtual-timing.js";
import { superTokensMigration } from "./supertokens-migration.js";

const newPath = temporaryPaths();
const QUEUES = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 3, full: 60 });

/** What a run tells of the queue, and how many of its users were at the core then, and when that was. */
async function toldOf(seed: number) {
  const random = randomFrom(seed);
  const members = Array.from({ length: 3 + random.below(40) }, (_, n) => ({
    ...{ id: `choir-${n}`, email: `singer.${n}@example.org`, password_hash: HASH },
  }));
  const stuck = new Set(members.filter(() => random.chance(1, 12)).map(({ id }) => id));
  const { stub, run, close } = await superTokensMigration(newPath, {
    batch: stuck.size + 1 + random.below(members.length),
    isStuck: (id) => stuck.has(id ?? ""),
  });
  const virtual = virtualTiming();
  const sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    await virtual.sleep(ms, signal);
    stub.round();
  };
  const told: (QueueEvent & { readonly there: number; readonly at: number })[] = [];
  const onEvent = (event: MigrationEvent): void => {
    const now = { there: stub.users.length, at: virtual.now() };
    if (event.type === "queue") told.push({ ...event, ...now });
  };
  const policy = { keepIds: true };
  const { summary } = await run(members, { policy, timing: { ...virtual, sleep }, onEvent });
  await close();
  return { users: members.length, summary, told };
}

it(`tells how many users are left in the queue, and a time that only runs down while nothing moves: ${QUEUES} queues`, async () => {
  let still = 0;
  for (let seed = 1; seed <= QUEUES; seed += 1) {
    const { users, summary, told } = await toldOf(seed);
    expect({ seed, imported: summary.imported }).toEqual({ seed, imported: users });
    expect(told.at(-1)).toMatchObject({ queued: 0, written: users, leftMs: 0 });
    for (const [place, { queued, written, failed, leftMs, there, at }] of told.entries()) {
      expect({ seed, queued, written, failed }).toEqual({
        ...{ seed, failed: 0 },
        ...{ queued: users - there, written: there },
      });
      if (written === 0) expect(leftMs).toBeNull();
      const last = told[place - 1];
      if (last === undefined || last.written !== written || queued === 0) continue;
      still += 1;
      const left = last.leftMs === null ? 0 : last.leftMs - (at - last.at);
      expect({ seed, leftMs }).toEqual({ seed, leftMs: left > 0 ? left : null });
    }
  }
  expect(still).toBeGreaterThan(QUEUES);
});
