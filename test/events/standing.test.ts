import fc from "fast-check";
import { expect, it } from "vitest";
import { countProved, NOBODY_PROVED, provedBy } from "../../src/events/standing.js";

const few = fc.nat({ max: 3 });
const users = fc.record({ sent: few, bridged: few });

it("a proof says what its latest run has proved of users who were brought so, and of others nothing", () => {
  fc.assert(
    fc.property(fc.array(users), few, few, few, few, (all, sent, bridged, queued, unknown) => {
      const runs = all.map((provedUsers) => ({ provedUsers }));
      const brought = { imported: sent + bridged, bridged, queued, unknown };
      const { proved, provedUsers } = provedBy(runs, brought);
      const known = sent + queued + unknown > 0;
      const held = all.map((one) => [known ? one.sent : 0, bridged > 0 ? one.bridged : 0] as const);
      const latest = held.findLast(([got, kept]) => got + kept > 0);
      expect(provedUsers).toEqual(latest ? { sent: latest[0], bridged: latest[1] } : NOBODY_PROVED);
      expect(proved).toBe(latest !== undefined);
    }),
  );
});

it("a test user who is named twice is one", () => {
  const row = (number: number) => ({ file: "users.csv", number });
  expect(countProved([{ row: row(1) }, { row: row(2), bridged: true }, { row: row(1) }])).toEqual({
    sent: 1,
    bridged: 1,
  });
});
