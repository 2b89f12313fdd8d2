import fc from "fast-check";
import { expect, it } from "vitest";
import { nearestName } from "../../src/cli/core-config-file.js";
import { runs } from "../support/repeated.js";

const NAMES = [
  "api_keys",
  "port",
  "host",
  "passwordless_code_lifetime",
  "verification_queue",
] as const;

it.each([
  ["prot", "port"],
  ["apikeys", "api_keys"],
  ["API_KEYS", "api_keys"],
  ["api-keys", "api_keys"],
  ["hots", "host"],
  ["password_code_lifetime", "passwordless_code_lifetime"],
  ["verifcation_queue", "verification_queue"],
])("%s is taken for %s", (given, name) => {
  expect(nearestName(given, NAMES)).toBe(name);
});

it.each(["", "p", "postgresql_uri", "supertokens_saas_secret", "x".repeat(60_000)])(
  "what is near no name has none (%#)",
  (given) => {
    expect(nearestName(given, NAMES)).toBeNull();
  },
);

it("one slip in a long name never leads elsewhere", () => {
  const name = fc.constantFrom("passwordless_code_lifetime", "verification_queue");
  fc.assert(
    fc.property(name, fc.nat(), fc.constantFrom("", "x", "__"), (meant, at, slip) => {
      const index = at % meant.length;
      const given = meant.slice(0, index) + slip + meant.slice(index + 1);
      expect(nearestName(given, NAMES)).toBe(meant);
    }),
    { numRuns: runs(200) },
  );
});
