import { expect, it } from "vitest";
import { verdictOf } from "../../src/cli/verdict.js";

it.each([
  ["75", false],
  ["a signal", true],
])(
  "an import that ended by %s speaks of the signer key only where a hash needs it",
  (_by, interrupted) => {
    const saidOf = (code: string): string => {
      const counts = { read: 3, imported: 2, rejected: 0, bridged: 0, unchanged: 0 };
      const files = { truncated: [], rejectsFiles: [], interrupted, limited: false, signIns: null };
      const standing = { queued: 0 };
      const ended = {
        summary: { command: "import", standing, ...counts, ...files },
        issues: { groups: [], findings: [{ code }] },
        bridge: [],
        ...{ values: {}, next: { again: "auth-migrate import users.csv" }, exitCode: 75 },
      };
      return verdictOf(ended as never)
        .map(({ text }) => text)
        .join(" ");
    };
    expect(saidOf("unproved")).toMatch(
      /^The signer key isn't proved: with --prove FILE .* To go on:$/,
    );
    expect(saidOf("proof_user_existed")).not.toContain("signer key");
  },
);
