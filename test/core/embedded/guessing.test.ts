import { randomBytes, randomInt } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import type { Code, ConsumeOutcome } from "../../../src/core/core.js";
import { openEmbeddedCore } from "../../../src/core/embedded/embedded-core.js";
import { temporaryPaths } from "../../support/temporary-folder.js";

const path = temporaryPaths();
const GUESSES = 10_000;

/** Six digits that aren't these: one in a million guesses would be right, and no test should be. */
function wrongDigits(right: string): string {
  const guess = randomInt(1_000_000).toString().padStart(6, "0");
  return guess === right ? wrongDigits(right) : guess;
}

function count(outcomes: readonly ConsumeOutcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of outcomes) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe("somebody who guesses codes", () => {
  const core = openEmbeddedCore({ file: path("core.db") });
  afterAll(() => core.close());

  const byDigits = ({ preAuthSessionId, deviceId }: Code, userInputCode: string) =>
    core.consumeCode({ preAuthSessionId, deviceId, userInputCode });

  it("is done with a device after five, though all of ten thousand come at once", async () => {
    const code = await core.createCode({ email: "ana@example.com" });
    const guesses = Array.from({ length: GUESSES }, () =>
      byDigits(code, wrongDigits(code.userInputCode)),
    );
    const outcomes = await Promise.all(guesses);
    const counted = outcomes.flatMap((outcome) =>
      "failedCodeInputAttemptCount" in outcome ? [outcome.failedCodeInputAttemptCount] : [],
    );
    expect(counted).toEqual([1, 2, 3, 4]);
    expect(count(outcomes).RESTART_FLOW_ERROR).toBe(GUESSES - 4);
    expect(await byDigits(code, code.userInputCode)).toEqual({ status: "RESTART_FLOW_ERROR" });
    const { preAuthSessionId, linkCode } = code;
    const byLink = await core.consumeCode({ preAuthSessionId, linkCode });
    expect(byLink).toEqual({ status: "RESTART_FLOW_ERROR" });
  });

  it("ends every device they spread over, and gets in nowhere", async () => {
    const phones = Array.from({ length: GUESSES / 5 }, (_, index) => `+1555${2_000_000 + index}`);
    const codes = await Promise.all(phones.map((phoneNumber) => core.createCode({ phoneNumber })));
    const outcomes: ConsumeOutcome[] = [];
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      outcomes.push(
        ...(await Promise.all(codes.map((one) => byDigits(one, wrongDigits(one.userInputCode))))),
      );
    }
    expect(count(outcomes)).toEqual({
      INCORRECT_USER_INPUT_CODE_ERROR: 4 * codes.length,
      RESTART_FLOW_ERROR: codes.length,
    });
    const right = await Promise.all(codes.map((one) => byDigits(one, one.userInputCode)));
    expect(count(right)).toEqual({ RESTART_FLOW_ERROR: codes.length });
  });

  it("gets in by none of ten thousand link codes, which end nothing", async () => {
    const code = await core.createCode({ email: "ben@example.com" });
    const { preAuthSessionId, linkCode } = code;
    const guesses = Array.from({ length: GUESSES }, () =>
      core.consumeCode({ preAuthSessionId, linkCode: randomBytes(32).toString("base64url") }),
    );
    expect(count(await Promise.all(guesses))).toEqual({ RESTART_FLOW_ERROR: GUESSES });
    expect(await core.countUsers()).toBe(0);
    expect((await core.consumeCode({ preAuthSessionId, linkCode })).status).toBe("OK");
  });

  it("can't use the digits of one device for another, nor its link", async () => {
    const [one, other] = [
      await core.createCode({ email: "cleo@example.com", userInputCode: "one" }),
      await core.createCode({ email: "dirk@example.com", userInputCode: "other" }),
    ];
    expect((await byDigits(one, "other")).status).toBe("INCORRECT_USER_INPUT_CODE_ERROR");
    const { preAuthSessionId } = one;
    const mixed = await core.consumeCode({ preAuthSessionId, linkCode: other.linkCode });
    expect(mixed).toEqual({ status: "RESTART_FLOW_ERROR" });
  });
});
