import { hash } from "node:crypto";
import { expect, it } from "vitest";
import { createKeyFilter } from "../../src/keys/key-spill.js";

function words(number: number): Uint32Array {
  const bytes = Buffer.from(hash("sha256", `key ${number}`, "hex"), "hex");
  return Uint32Array.of(bytes.readUInt32LE(0), bytes.readUInt32LE(4), bytes.readUInt32LE(8));
}

it.each([
  ["one part", 8192, 6000],
  ["several parts", 2048, 1500],
])(
  "knows every key again, and takes hardly one in thirty for known that isn't, in %s",
  (_, bytes, keysOfAPart) => {
    const filter = createKeyFilter({ bytes, keysOfAPart });
    for (let number = 0; number < 5900; number += 1) filter.add(words(number));
    for (let number = 0; number < 5900; number += 1)
      expect(filter.mayHave(words(number))).toBe(true);
    let wrong = 0;
    for (let number = 10_000; number < 20_000; number += 1) {
      if (filter.mayHave(words(number))) wrong += 1;
    }
    expect(wrong).toBeLessThan(10_000 / 30);
  },
);
