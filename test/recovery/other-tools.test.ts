import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { csvOf, newMigration, outcomes, told } from "../migration/support/run.js";
import type { Fault } from "../support/fault-proxy.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";
import { usersIn } from "../support/oracle.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { openRoad } from "./faulty-road.js";
import { FAULTS, pass } from "./faults.js";

/** As many as the other tools were measured with: 10 000. */
const USERS = Number(process.env.AUTH_MIGRATE_TABLE_USERS ?? 300);
const path = temporaryPaths();

const everyNth =
  (every: number, fault: Fault) =>
  (number: number): Fault =>
    number % every === 0 ? fault : pass;

/** What loses users, doubles them or crashes in other tools; `kill -9` is in kill.test.ts. */
describe("what other tools stumble over", () => {
  it.each([
    ["429 with Retry-After: 1 at every tenth call", 10, FAULTS["429 with seconds in Retry-After"]],
    ["500 at every hundredth call", 100, FAULTS["500 with the work done"]],
  ] as const)(
    "%s: one run, nobody lost, and only those calls are made again",
    async (_what, every, fault) => {
      const road = await openRoad(path, { users: USERS, seed: 1 });
      road.faults(everyNth(every, fault));
      const ended = await road.run();
      expect(ended).toMatchObject({ failed: 0, pending: 0 });
      await road.expectRecovered(ended);
      const again = road.oracle.calls.length - new Set(road.oracle.calls).size;
      expect(again).toBeLessThanOrEqual(Math.ceil(road.proxy.requests / every));
    },
  );

  it("an email in two cases: the first row is imported, the second one rejected and told", async () => {
    const migration = newMigration(path);
    const { passwordHash } = KNOWN_HASHES.bcrypt;
    const rows = [
      { id: "1", email: "Ada@Example.com", hash: passwordHash },
      { id: "2", email: "ada@example.com", hash: passwordHash.replace("$04$", "$05$") },
    ];
    const { summary, events } = await migration.run([migration.write("users.csv", csvOf(rows))]);
    expect(outcomes(summary)).toEqual({ imported: 1, rejected: 1 });
    expect(events.map(told)).toEqual(["2 reject duplicate_contact"]);
    const [user = "", ...others] = usersIn(join(dirname(migration.checkpoint), "core.db"));
    expect(user).toContain(passwordHash);
    expect(others).toEqual([]);
  });
});
