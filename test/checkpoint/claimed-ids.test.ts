import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { createClaimedIds } from "../../src/checkpoint/core-ids.js";
import type { BroughtUser } from "../../src/checkpoint/finished-users.js";
import { KeyMap } from "../../src/sqlite/key-map.js";
import { at } from "../run/support/user-keys.js";

const EARLIER: readonly BroughtUser[] = [{ id: 1, coreId: "core-1" }];

function claimedIds(earlier: readonly BroughtUser[] = [], count = earlier.length) {
  return createClaimedIds(new KeyMap(tmpdir(), 7), () => earlier, count, at);
}

it("gives an id to one user, who may ask for it again", () => {
  const ids = claimedIds();
  expect(ids.claim("core-7", 7)).toBeNull();
  expect(ids.claim("core-7", 7)).toBeNull();
  expect(ids.claim("core-8", 8)).toBeNull();
});

it.each([
  ["grow", (user: number) => 1000 + user],
  ["fall", (user: number) => 2000 - user],
  ["come in no order", (user: number) => 1000 + ((user * 7919) % 501)],
])("names the row of another user of the run who has it, where ids %s", (_how, numberOf) => {
  const ids = claimedIds();
  for (let user = 1; user <= 500; user += 1) {
    expect(ids.claim(`core-${numberOf(user)}`, user)).toBeNull();
  }
  for (const user of [1, 7, 500]) {
    expect(ids.claim(`core-${numberOf(user)}`, 501)).toEqual(at(user));
  }
});

it("names the row of another user of an earlier run", () => {
  expect(claimedIds(EARLIER).claim("core-1", 9)).toEqual(at(1));
});

it("doesn't go through the users of a checkpoint that has many", () => {
  expect(claimedIds(EARLIER, 5_000_000).claim("core-1", 9)).toBeNull();
});
