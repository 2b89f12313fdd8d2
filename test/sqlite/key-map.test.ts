import { mkdirSync, readdirSync } from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createDigester } from "../../src/plan/digests.js";
import { KeyMap } from "../../src/sqlite/key-map.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const folder = temporaryPaths()("keys");
mkdirSync(folder);
const digester = createDigester("test");

function keyOf(number: number): string {
  return digester.contact("email", `reader.${number}@example.com`);
}

it("numbers are found by their keys, the last one of each, however few are held in memory", () => {
  const key = fc.integer({ min: 1, max: 60 });
  const steps = fc.array(fc.tuple(key, fc.nat(Number.MAX_SAFE_INTEGER)), { maxLength: 200 });
  fc.assert(
    fc.property(steps, fc.constantFrom(1, 2, 7, 1000), (numbers, most) => {
      const keys = new KeyMap(folder, most);
      const plain = new Map<string, number>();
      for (const [place, number] of numbers) {
        expect(keys.get(keyOf(place))).toBe(plain.get(keyOf(place)));
        keys.set(keyOf(place), number);
        plain.set(keyOf(place), number);
      }
      for (let place = 1; place <= 60; place += 1) {
        expect(keys.get(keyOf(place))).toBe(plain.get(keyOf(place)));
      }
      expect(readdirSync(folder)).toEqual([]);
      keys.close();
    }),
  );
});

it("a folder that can't be written to stops the run with what to do", () => {
  const keys = new KeyMap(`${folder}/gone`, 2);
  keys.set(keyOf(1), 1);
  expect(() => keys.set(keyOf(2), 2)).toThrow(
    expect.objectContaining({ code: "disk", hint: expect.stringContaining("Make room there") }),
  );
});
