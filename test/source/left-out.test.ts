import { describe, expect, it } from "vitest";
import { genericCsv } from "../../src/source/generic/generic-csv.js";
import type { ReadOptions, RowSpan, SourceItem } from "../../src/source/source.js";
import { type Random, randomFrom } from "../support/random.js";
import { runs } from "../support/repeated.js";

const NAMES = ["Ada", '"Lee, Ben"', '"Cleo\r\nof two lines"', '"said ""hi"""', "Zoë", ""];

/** A table of users, now and then with a blank line or a row that can't be read. */
function tableOf(random: Random, rows: number): Buffer {
  const end = random.pick(["\n", "\r\n"]);
  const lines = Array.from({ length: rows }, (_, index) => {
    if (random.chance(1, 12)) return "";
    if (random.chance(1, 30)) return "too few columns";
    return `u-${index},reader.${index}@example.com,${random.pick(NAMES)}`;
  });
  const mark = random.chance(1, 3) ? "\uFEFF" : "";
  return Buffer.from(`${mark}id,email,name${end}${lines.join(end)}${end}`);
}

async function read(table: Buffer, size: number, options: Partial<ReadOptions> = {}) {
  const items: SourceItem[] = [];
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let at = 0; at < table.length; at += size) yield table.subarray(at, at + size);
  }
  const rules = { map: new Map(), now: 0, tellsOffsets: true, ...options };
  for await (const batch of genericCsv.read("users.csv", chunks(), rules)) items.push(...batch);
  return items;
}

/** Rows here and there, each span before a row that is read. */
function spansOf(items: readonly SourceItem[], random: Random): RowSpan[] {
  const spans: RowSpan[] = [];
  for (let at = random.below(4); at < items.length - 1; at += 1 + random.below(6)) {
    const end = Math.min(items.length - 1, at + 1 + random.below(7));
    const [first, behind] = [items[at], items[end]];
    if (first?.offset === undefined || behind?.offset === undefined) continue;
    const lines = (behind.line ?? 0) - (first.line ?? 0);
    const [from, to, number] = [first.offset, behind.offset, first.number];
    spans.push({ number, rows: end - at, from, to, lines });
    at = end;
  }
  return spans;
}

describe("a reading that leaves rows out", () => {
  it("has the others with the numbers, lines and places of the whole file", async () => {
    for (let seed = 1; seed <= runs(80); seed += 1) {
      const random = randomFrom(seed);
      const table = tableOf(random, 5 + random.below(60));
      const whole = await read(table, 1 + random.below(500));
      const leftOut = spansOf(whole, random);
      const isLeft = ({ number }: SourceItem): boolean =>
        leftOut.some((span) => number >= span.number && number < span.number + span.rows);
      const rest = await read(table, 1 + random.below(500), { leftOut });
      expect(rest, `seed ${seed}`).toEqual(whole.filter((item) => !isLeft(item)));
    }
  });

  it("is told where rows begin only where it asks", async () => {
    const table = tableOf(randomFrom(1), 9);
    const items = await read(table, 64, { tellsOffsets: false });
    expect(items.map(({ offset }) => offset)).toEqual(items.map(() => undefined));
  });
});
