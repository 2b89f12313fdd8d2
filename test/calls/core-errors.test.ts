import { describe, expect, it } from "vitest";
import { outage, runErrorFrom } from "../../src/calls/core-errors.js";
import { CoreFailure } from "../../src/core/core-failure.js";

const EXPIRED = new CoreFailure("unreachable", "the core can't be reached (CERT_HAS_EXPIRED)", {
  reached: "no",
  hint: "Have the core's certificate renewed.",
});
const SILENT = new CoreFailure("unreachable", "the core can't be reached", { reached: "no" });

describe("the error that ends a run at a core that can't be reached", () => {
  it("says what helps against just this failure, before the first user and in an outage", () => {
    expect(runErrorFrom(EXPIRED, "probe")?.hint).toBe(
      "Have the core's certificate renewed. Then run the same command again.",
    );
    expect(outage(EXPIRED, 60_000).hint).toMatch(
      /^Have the core's certificate renewed\. Then run the same command again: an import goes on/,
    );
  });

  it("says where to look where the failure says nothing", () => {
    expect(runErrorFrom(SILENT, "probe")?.hint).toMatch(/^Check the URL given by --core/);
    expect(outage(SILENT, 60_000).hint).toMatch(/^Bring the core back\./);
  });
});

describe("a refusal that isn't about the key", () => {
  it.each([
    ["forbidden" as const, "core_refuses_everything", /isn't about the key.*allowed addresses/],
    ["tenant_unknown" as const, "core_incompatible", /appid-public\/t1/],
  ])("ends the run as what it is: %s", (kind, code, helps) => {
    const failure = new CoreFailure(kind, "the core says so", { reached: "yes", status: 403 });
    for (const call of ["probe", "import"] as const) {
      expect(runErrorFrom(failure, call)).toMatchObject({
        code,
        message: "The core says so",
        hint: expect.stringMatching(helps),
      });
    }
  });
});

describe("the way on from a failure that the operator mends", () => {
  it.each(["key_refused", "forbidden", "disabled", "signer_key_missing", "disk"] as const)(
    "promises that a run goes on only where one has begun: %s",
    (kind) => {
      const failure = new CoreFailure(kind, "the core says so", { reached: "yes", status: 401 });
      expect(runErrorFrom(failure, "probe")?.hint).toMatch(/then run the same command again\./);
      expect(runErrorFrom(failure, "import")?.hint).toMatch(
        /then run the same command again: an import goes on where it stopped\./,
      );
    },
  );
});
