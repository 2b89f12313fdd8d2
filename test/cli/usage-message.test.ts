import { expect, it } from "vitest";
import { usageMessage } from "../../src/cli/program.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";

const HASH = KNOWN_HASHES.bcrypt.passwordHash;

it.each([
  ["error: unknown option '--api-key=heron's-key'", "error: unknown option '--api-key'"],
  ["unknown option '--api-key'\n(Did you mean --core?)", null],
  ["unknown command 'ann@example.com'", "unknown command '[removed]'"],
  [`unknown command '${HASH}'`, "unknown command '[removed]'"],
  ["unknown command 'users.csv'", null],
  [
    `option '--on-existing <what>' argument '${HASH}' is invalid. Allowed choices are skip, fail.`,
    "option '--on-existing <what>' argument '[removed]' is invalid. Allowed choices are skip, fail.",
  ],
  [
    `option '--on-existing <what>' value '${HASH}' from env 'AUTH_MIGRATE_ON_EXISTING' is invalid.`,
    "option '--on-existing <what>' value '[removed]' from env 'AUTH_MIGRATE_ON_EXISTING' is invalid.",
  ],
  ["option '--accept-rejects <n|p%>' argument 'all' is invalid. Write 98%.", null],
])("says %j without what may be a secret", (message, shown) => {
  expect(usageMessage(message)).toBe(shown ?? message);
});
