import { expect, it } from "vitest";
import { CARRIED_BIT } from "../../src/events/tally.js";

it("each part of an account has a bit of its own, and so has a day of joining that is left", () => {
  const bits = Object.values(CARRIED_BIT);
  expect(bits).toEqual(bits.map((_bit, at) => 2 ** at));
});
