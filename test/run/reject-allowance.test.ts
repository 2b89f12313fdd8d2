import { describe, expect, it } from "vitest";
import { allowedRejects, hasTooManyRejects } from "../../src/run/reject-allowance.js";

describe("allowed rejects", () => {
  it("are a number, or a share of the rows", () => {
    expect(allowedRejects({ count: 7 }, 1000)).toBe(7);
    expect(allowedRejects({ percent: 2.5 }, 1000)).toBe(25);
  });
});

describe("too many rejects", () => {
  const unknown = { expected: undefined };

  it("are more than the number", () => {
    expect(hasTooManyRejects({ count: 3 }, { rejected: 3, read: 3, ...unknown })).toBe(false);
    expect(hasTooManyRejects({ count: 3 }, { rejected: 4, read: 4, ...unknown })).toBe(true);
    expect(hasTooManyRejects({ count: 0 }, { rejected: 1, read: 1, ...unknown })).toBe(true);
  });

  it("are more than the share of the rows read, from the first few hundred on", () => {
    const tenth = { percent: 10 };
    expect(hasTooManyRejects(tenth, { rejected: 499, read: 499, ...unknown })).toBe(false);
    expect(hasTooManyRejects(tenth, { rejected: 51, read: 500, ...unknown })).toBe(true);
    expect(hasTooManyRejects(tenth, { rejected: 100, read: 1000, ...unknown })).toBe(false);
  });

  it("are more than the share of the rows that are expected, as soon as that is certain", () => {
    const tenth = { percent: 10 };
    expect(hasTooManyRejects(tenth, { rejected: 100, read: 100, expected: 1000 })).toBe(false);
    expect(hasTooManyRejects(tenth, { rejected: 101, read: 101, expected: 1000 })).toBe(true);
  });
});
