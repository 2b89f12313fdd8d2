import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalizeHash } from "../../../src/hash/normalize.js";
import { createHashColumn, type HashColumn } from "../../../src/migration/census/hash-column.js";
import { at } from "../support/candidates.js";
import { argon2Of, bcryptOf, scryptOf } from "../support/hashes.js";

/** Runs texts through a pass; answers each row's code, or the algorithm where it is accepted. */
function judge(column: HashColumn, texts: readonly string[]): string[] {
  return texts.map((text, index) => {
    const raw = { kind: "text", text } as const;
    const verdict = column.judge(raw, normalizeHash(raw), at(index + 1));
    if (verdict.verdict === "refused") return verdict.code;
    return verdict.verdict === "accepted" ? verdict.algorithm : "none";
  });
}

const people = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const cutArgon2 = (count: number, length: number): string[] =>
  people(count).map((person) => argon2Of(person).slice(0, length));

describe("argon2 hashes cut off at 76 characters", () => {
  const texts = cutArgon2(200, 76);

  it("may look whole: one in sixteen does", () => {
    const whole = texts.filter(
      (text) => normalizeHash({ kind: "text", text }).verdict !== "refused",
    );
    expect(whole.length).toBeGreaterThan(4);
    expect(whole.length).toBeLessThan(30);
  });

  it("are all refused in a pass that knows the column, those that look whole by a code of their own", () => {
    const first = createHashColumn();
    judge(first, texts);
    const codes = judge(first.again(), texts);
    expect(codes).not.toContain("argon2");
    expect(codes).toContain("column_truncated");
  });

  it("are refused in the same pass once the column is known to be cut", () => {
    const codes = judge(createHashColumn(), texts);
    expect(codes.slice(20)).not.toContain("argon2");
  });

  it("leave bcrypt hashes of that very length alone: none of them is cut", () => {
    const mixed = [...cutArgon2(100, 60), ...people(10).map((person) => bcryptOf(person))];
    const column = createHashColumn();
    judge(column, mixed);
    expect(judge(column.again(), mixed).slice(100)).toEqual(people(10).map(() => "bcrypt"));
  });

  it("are told with their number, those that look whole among them, and a few rows", () => {
    const column = createHashColumn();
    judge(column, texts);
    expect(column.cutLengths()).toEqual([
      { length: 76, sighting: { count: 200, rows: [at(1), at(2), at(3)] } },
    ]);
  });
});

describe("a column in which hashes of another length are whole", () => {
  it("keeps them", () => {
    const whole = people(20).map((person) => argon2Of(person));
    const column = createHashColumn();
    const texts = [...cutArgon2(50, 76), ...whole];
    judge(column, texts);
    expect(judge(column.again(), texts).slice(50)).toEqual(whole.map(() => "argon2"));
  });
});

describe("argon2 hashes of one length of which few are damaged", () => {
  it("are kept: nothing was cut off", () => {
    const damaged = argon2Of("damaged").replace(/.$/, "B");
    const texts = [damaged, ...people(20).map((person) => argon2Of(person)), damaged];
    const column = createHashColumn();
    judge(column, texts);
    const codes = judge(column.again(), texts);
    expect(codes.filter((code) => code === "argon2")).toHaveLength(20);
    expect(column.cutLengths()).toEqual([]);
  });
});

describe("bcrypt hashes", () => {
  it("cut off at one length are told from two on", () => {
    const column = createHashColumn();
    judge(column, [bcryptOf(1).slice(0, 59)]);
    expect(column.cutLengths()).toEqual([]);
    judge(column, [bcryptOf(2).slice(0, 59)]);
    expect(column.cutLengths()).toMatchObject([{ length: 59, sighting: { count: 2 } }]);
  });

  it("with something behind them aren't taken for cut ones", () => {
    const column = createHashColumn();
    judge(column, [`${bcryptOf(1)}abc`, `${bcryptOf(2)}abc`, `${bcryptOf(3)}abc`]);
    expect(column.cutLengths()).toEqual([]);
  });
});

describe("the vendor's scrypt hashes", () => {
  const hashConfig = { signerKey: null, saltSeparator: "Bw==", rounds: 8, memCost: 14 };

  it("cut off at one length are told, as texts and beside their salts", () => {
    const column = createHashColumn();
    for (const person of people(3)) {
      const { hash, salt } = scryptOf(person);
      const whole = { kind: "text", text: `$f_scrypt$${hash}$${salt}$m=14$r=8$s=Bw==` } as const;
      const text = { ...whole, text: whole.text.slice(0, 64) };
      const beside = { kind: "vendor_scrypt", hash: hash.slice(0, 50), salt } as const;
      for (const raw of [whole, text, beside]) {
        column.judge(raw, normalizeHash(raw, { hashConfig }), at(person + 1));
      }
    }
    expect(column.cutLengths().map(({ length, sighting }) => [length, sighting.count])).toEqual([
      [64, 3],
      [50, 3],
    ]);
  });
});

it("never holds the cut hashes of one algorithm against the whole ones of another", () => {
  const column = createHashColumn();
  const whole = argon2Of(1);
  // A wrapped bcrypt hash that was cut off where an argon2 hash ends.
  const cut = { kind: "text", text: `${"{crypt}".padEnd(38)}${bcryptOf(1).slice(0, 59)}` } as const;
  expect(cut.text).toHaveLength(whole.length);
  const refused = { verdict: "refused", code: "bcrypt_length", hint: "It was cut off." } as const;
  for (const row of [1, 2, 3]) column.judge(cut, refused, at(row));
  expect(judge(column, [whole])).toEqual(["argon2"]);
});

it("counts a row once, however many passes have met it", () => {
  const texts = cutArgon2(1, 60);
  const column = createHashColumn();
  judge(column, texts);
  const again = column.again();
  judge(again, texts);
  expect(again.cutLengths()).toEqual([]);
  judge(again, texts);
  expect(again.cutLengths()).toHaveLength(1);
});

it("leaves an earlier pass as it was", () => {
  const column = createHashColumn();
  judge(column, cutArgon2(1, 60));
  judge(column.again(), cutArgon2(9, 60));
  expect(column.cutLengths()).toEqual([]);
});

it("keeps nothing of texts that are too long to be read, so that hostile lengths cost no memory", () => {
  const column = createHashColumn();
  const texts = people(50).map((more) => `$argon2id$${"a".repeat(2000 + more)}`);
  judge(column, [...texts, ...texts]);
  expect(column.cutLengths()).toEqual([]);
});

it("refuses every argon2 hash of a column that was cut at any length, from the second look on", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 40, max: 96 }),
      fc.integer({ min: 40, max: 120 }),
      fc.string(),
      (length, count, seed) => {
        const texts = people(count).map((person) => argon2Of(`${seed}${person}`).slice(0, length));
        const column = createHashColumn();
        judge(column, texts);
        expect(judge(column.again(), texts)).not.toContain("argon2");
      },
    ),
    { numRuns: 60 },
  );
});
