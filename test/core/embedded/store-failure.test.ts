import { describe, expect, it } from "vitest";
import { asCoreFailure, asOpenError } from "../../../src/core/embedded/store-failure.js";
import { SqliteFailure, type SqliteFailureKind } from "../../../src/sqlite/sqlite-failure.js";

function failure(kind: SqliteFailureKind): SqliteFailure {
  return new SqliteFailure(kind, `/data/core.db: ${kind}`);
}

describe("failures of the store", () => {
  it.each([
    ["disk", "disk", "unknown"],
    ["damaged", "damaged", "unknown"],
    ["busy", "busy", "no"],
    ["constraint", "broken", "unknown"],
    ["bug", "broken", "unknown"],
  ] as const)("types %s as %s, reached %s", (kind, expected, reached) => {
    expect(asCoreFailure(failure(kind))).toMatchObject({ kind: expected, reached });
  });

  it.each([
    ["missing", "data_unusable"],
    ["foreign", "data_unusable"],
    ["damaged", "data_unusable"],
    ["busy", "outage"],
    ["disk", "disk"],
  ] as const)("stops the run for a file that is %s: %s", (kind, code) => {
    expect(asOpenError(failure(kind), "/data/core.db")).toMatchObject({
      code,
      message: expect.stringContaining("/data/core.db"),
      hint: expect.stringMatching(/\.$/),
    });
  });

  it("lets through what isn't SQLite's, and bugs", () => {
    const stranger = new TypeError("not a function");
    expect(asCoreFailure(stranger)).toBe(stranger);
    expect(asOpenError(stranger, "/data/core.db")).toBe(stranger);
    const bug = failure("bug");
    expect(asOpenError(bug, "/data/core.db")).toBe(bug);
  });
});
