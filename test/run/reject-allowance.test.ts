import { describe, expect, it } from "vitest";
import { allowedRejects } from "../../src/run/reject-allowance.js";

describe("allowed rejects", () => {
  it("are a number, or a share of the rows", () => {
    expect(allowedRejects({ count: 7 }, 1000)).toBe(7);
    expect(allowedRejects({ percent: 2.5 }, 1000)).toBe(25);
  });
});
