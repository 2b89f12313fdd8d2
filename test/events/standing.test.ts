import fc from "fast-check";
import { expect, it } from "vitest";
import { countProved, NOBODY_PROVED, provedBy } from "../../src/events/standing.js";

const few = fc.nat({ max: 3 });
const kinds = fc.dictionary(fc.constantFrom("bcrypt", "argon2", "md5"), few);
const users = fc.record({ sent: few, bridged: few, untried: kinds });

it("proofs say the most that one has proved of users who were brought so, of others nothing, and untried is what none has tried", () => {
  fc.assert(
    fc.property(fc.array(users), few, few, few, few, (all, sent, bridged, queued, unknown) => {
      const runs = all.map((provedUsers) => ({ provedUsers }));
      const brought = { imported: sent + bridged, bridged, queued, unknown };
      const { proved, provedUsers } = provedBy(runs, brought);
      const [got, kept] = [sent + queued + unknown > 0, bridged > 0];
      const held = all.filter((one) => (got && one.sent > 0) || (kept && one.bridged > 0));
      expect(proved).toBe(held.length > 0);
      if (!proved) expect(provedUsers).toEqual(NOBODY_PROVED);
      if (!proved) return;
      expect(provedUsers).toMatchObject({
        sent: got ? Math.max(...held.map((one) => one.sent)) : 0,
        bridged: kept ? Math.max(...held.map((one) => one.bridged)) : 0,
      });
      for (const kind of ["bcrypt", "argon2", "md5"]) {
        const told = held.flatMap(({ untried }) => untried[kind] ?? []);
        const open = told.includes(0) ? 0 : Math.max(...told);
        expect(provedUsers.untried?.[kind]).toBe(told.length === 0 ? undefined : open);
      }
    }),
  );
});

it("a test user who is named twice is one, and their hash is tried", () => {
  const one = (number: number) => ({ row: { file: "users.csv", number }, algorithm: "bcrypt" });
  const kept = { ...one(2), algorithm: "md5", bridged: true };
  expect(countProved([one(1), kept, one(1)], { argon2: 5 })).toEqual({
    sent: 1,
    bridged: 1,
    untried: { argon2: 5, bcrypt: 0, md5: 0 },
  });
});
