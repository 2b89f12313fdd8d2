import fc from "fast-check";
import { expect, it } from "vitest";
import { CoreFailure } from "../../../../src/core/core-failure.js";
import { failureOf, partsOf } from "../../../../src/core/embedded/threaded/messages.js";
import { RunError } from "../../../../src/errors/run-error.js";

/** As a thread gets it. */
const handOver = (error: unknown): unknown => failureOf(structuredClone(partsOf(error)));

const absent = fc.constant(undefined);
const failures = fc.record({
  kind: fc.constantFrom("unreachable", "busy", "refused", "signer_key_missing", "disk" as const),
  message: fc.string(),
  options: fc.record({
    reached: fc.constantFrom("no", "unknown", "yes" as const),
    status: fc.oneof(absent, fc.nat(599)),
    retryAfterMs: fc.oneof(absent, fc.nat()),
    field: fc.oneof(absent, fc.string()),
  }),
});

it("hands over a core's failure whole", () => {
  const property = fc.property(failures, ({ kind, message, options }) => {
    const failure = new CoreFailure(kind, message, options);
    const arrived = handOver(failure);
    expect(arrived).toBeInstanceOf(CoreFailure);
    expect(arrived).toEqual(failure);
    expect({ ...(arrived as CoreFailure) }).toEqual({ ...failure });
  });
  fc.assert(property);
});

it("hands over a run's error whole", () => {
  const property = fc.property(fc.string(), fc.string(), (message, hint) => {
    const arrived = handOver(new RunError("data_unusable", message, { hint }));
    expect(arrived).toBeInstanceOf(RunError);
    expect(arrived).toMatchObject({ code: "data_unusable", message, hint });
  });
  fc.assert(property);
});

it("hands over a bug as the error that it is", () => {
  const arrived = handOver(new TypeError("not a function"));
  expect(arrived).toBeInstanceOf(TypeError);
  expect(arrived).toMatchObject({ message: "not a function" });
});
