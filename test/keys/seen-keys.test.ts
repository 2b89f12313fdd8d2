import { mkdirSync, readdirSync } from "node:fs";
import fc from "fast-check";
import { RANK } from "../../src/plan/rank.js";
import { describe, expect, it } from "vitest";
import { createSeenKeys, ROLE, type SeenKeys } from "../../src/keys/seen-keys.js";
import { createDigester, type Key } from "../../src/plan/digests.js";
import { RunError } from "../../src/errors/run-error.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { at } from "../run/support/user-keys.js";

const newPath = temporaryPaths();
const newFolder = (): string => {
  const folder = newPath("folder");
  mkdirSync(folder);
  return folder;
};
const digester = createDigester("test");
const BOTH = ROLE.identity | ROLE.contact;

/** A filter that is never sure and a log that is mostly in its file: what millions of keys make of them. */
const CROWDED = { early: 2, bytes: 64, keysOfAPart: 20, parts: 2 };

function keyOf(number: number): Key {
  return digester.contact("email", `reader.${number}@example.com`);
}

function take(keys: SeenKeys, number: number, roles: number): void {
  keys.add(keyOf(number), roles, {
    id: number,
    keyed: number % 3 === 0,
    rank: RANK.verified,
    row: at(number),
  });
}

describe("the keys of a run", () => {
  it.each([
    ["in memory", { few: true }],
    ["in memory first, then behind a filter", {}],
    ["in its file", CROWDED],
  ])("are found again with the row that came first, however many there are, %s", (_, options) => {
    const keys = createSeenKeys(newFolder(), options);
    for (let number = 1; number <= 3000; number += 1) {
      expect(keys.find(keyOf(number), BOTH)).toBeUndefined();
      take(keys, number, BOTH);
    }
    for (const number of [1, 2, 3, 1500, 2999, 3000]) {
      const first = { id: number, keyed: number % 3 === 0, rank: RANK.verified, row: at(number) };
      expect(keys.find(keyOf(number), BOTH)).toEqual({ ...first, isRefused: false });
    }
    keys.close();
  });

  it("are those of a user or of a contact, and never taken for the other", () => {
    const keys = createSeenKeys(newFolder(), CROWDED);
    take(keys, 1, ROLE.identity);
    expect(keys.find(keyOf(1), ROLE.contact)).toBeUndefined();
    keys.add(keyOf(1), ROLE.contact, {
      ...{ id: 2, keyed: true, rank: RANK.unverified },
      row: at(9, "others.csv"),
    });
    expect(keys.find(keyOf(1), ROLE.identity)?.id).toBe(1);
    expect(keys.find(keyOf(1), ROLE.contact)).toEqual({
      id: 2,
      keyed: true,
      rank: RANK.unverified,
      isRefused: false,
      row: at(9, "others.csv"),
    });
    keys.close();
  });

  it("say whose row is refused, in a map and in a file", () => {
    for (const options of [{ few: true }, CROWDED]) {
      const keys = createSeenKeys(newFolder(), options);
      for (let number = 1; number <= 9; number += 1) take(keys, number, ROLE.identity);
      const refused = { id: 10, keyed: true, rank: RANK.verified, isRefused: true, row: at(10) };
      keys.add(keyOf(10), ROLE.identity, refused);
      expect(keys.find(keyOf(10), ROLE.identity)).toEqual(refused);
      expect(keys.find(keyOf(9), ROLE.identity)).toMatchObject({ isRefused: false, rank: 0 });
      keys.close();
    }
  });

  it("say the same as a table of all of them", () => {
    const step = fc.record({
      number: fc.integer({ min: 1, max: 60 }),
      roles: fc.constantFrom(ROLE.identity, ROLE.contact, BOTH),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        const keys = createSeenKeys(newFolder(), CROWDED);
        const table = new Map<string, number>();
        for (const [index, { number, roles }] of steps.entries()) {
          const known = [ROLE.identity, ROLE.contact]
            .filter((role) => (role & roles) !== 0)
            .flatMap((role) => table.get(`${number} ${role}`) ?? []);
          const found = keys.find(keyOf(number), roles);
          if (known.length === 0) {
            expect(found).toBeUndefined();
            keys.add(keyOf(number), roles, {
              id: index,
              keyed: true,
              rank: RANK.notSaid,
              row: at(index),
            });
            for (const role of [ROLE.identity, ROLE.contact]) {
              if ((role & roles) !== 0) table.set(`${number} ${role}`, index);
            }
          } else expect(known).toContain(found?.id);
        }
        keys.close();
      }),
    );
  });

  it("leave no file behind, and none that anybody could see meanwhile", () => {
    const folder = newFolder();
    const keys = createSeenKeys(folder, CROWDED);
    for (let number = 1; number <= 1000; number += 1) take(keys, number, BOTH);
    expect(readdirSync(folder)).toEqual([]);
    keys.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("stop the run with what to do, where their file can't be written", () => {
    const keys = createSeenKeys(`${newFolder()}/gone`, CROWDED);
    const fill = (): void => {
      for (let number = 1; number <= 1000; number += 1) take(keys, number, BOTH);
    };
    expect(fill).toThrow(RunError);
    expect(fill).toThrow(/can't be used \(ENOENT\)/);
  });
});
