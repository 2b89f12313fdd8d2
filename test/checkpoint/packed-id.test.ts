import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { packId, unpackId } from "../../src/checkpoint/packed-id.js";

describe("a core's user id in the checkpoint", () => {
  it("comes back as it was, whatever it is", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uuid(),
          fc.string(),
          fc.uuid().map((id) => id.toUpperCase()),
        ),
        (id) => {
          expect(unpackId(packId(id))).toBe(id);
        },
      ),
    );
  });

  it("takes sixteen bytes where it is a UUID", () => {
    fc.assert(fc.property(fc.uuid(), (id) => void expect(packId(id)).toHaveLength(16)));
  });
});
