import { expect, it } from "vitest";
import { activeUsers } from "../../src/run/active-users.js";
import { BEHIND_URL } from "./support/run.js";

const SUPERTOKENS = { ...BEHIND_URL, dialect: "supertokens" } as const;

it("names active users from a thousand on, at a core of the dialect that counts them", () => {
  expect(activeUsers(SUPERTOKENS, 1000, {})).toMatchObject([{ code: "active_users", count: 1000 }]);
  expect(activeUsers(SUPERTOKENS, 999, {})).toEqual([]);
  expect(activeUsers({ ...BEHIND_URL, dialect: "interface" }, 5000, {})).toEqual([]);
  expect(activeUsers({ kind: "embedded", file: "core.db" }, 5000, {})).toEqual([]);
});
