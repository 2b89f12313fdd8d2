import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { NormalizeOptions, RawHash } from "../../src/hash/hash.js";
import { normalizeHash } from "../../src/hash/normalize.js";
import { HashColumn } from "../../src/stage/hash-column.js";
import { at } from "../run/support/user-keys.js";
import { argon2Of, bcryptOf, bytesOf, scryptOf } from "../run/support/hashes.js";

/** A hash with its algorithm's name in another column. */
function named(password_hash: string): RawHash {
  return { kind: "credential", credential: { password_hash, password_algorithm: "argon2id" } };
}

/** What a column says of its hashes: each one's code, or the algorithm where it is accepted. */
function judge(
  column: HashColumn,
  texts: readonly (string | RawHash)[],
  options: NormalizeOptions = {},
): string[] {
  const taken = texts.map((text, index) => {
    const raw: RawHash = typeof text === "string" ? { kind: "text", text } : text;
    const verdict = normalizeHash(raw, options);
    return { raw, verdict, waits: column.take(raw, verdict, at(index + 1)) };
  });
  return taken.map(({ raw, verdict, waits }) => {
    const ofAnyLength = () => normalizeHash(raw, { allowHash: ["argon2-any"] });
    const judged = waits ? column.judge(raw, verdict, ofAnyLength) : verdict;
    if (judged.verdict === "refused") return judged.code;
    return judged.verdict === "accepted" ? judged.algorithm : "none";
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

  it("are all refused, those that look whole by a code of their own", () => {
    const codes = judge(new HashColumn(), texts);
    expect(codes).not.toContain("argon2");
    expect(codes).toContain("column_truncated");
  });

  it("leave bcrypt hashes of that very length alone: none of them is cut", () => {
    const mixed = [...cutArgon2(100, 60), ...people(10).map((person) => bcryptOf(person))];
    expect(judge(new HashColumn(), mixed).slice(100)).toEqual(people(10).map(() => "bcrypt"));
  });

  it("are told with their number, those that look whole among them, and a few rows", () => {
    const column = new HashColumn();
    judge(column, texts);
    expect(column.cutLengths()).toEqual([
      { length: 76, counter: { count: 200, rows: [at(1), at(2), at(3)] } },
    ]);
  });
});

describe("a column in which hashes of another length are whole", () => {
  it("keeps them", () => {
    const whole = people(20).map((person) => argon2Of(person));
    const texts = [...cutArgon2(50, 76), ...whole];
    expect(judge(new HashColumn(), texts).slice(50)).toEqual(whole.map(() => "argon2"));
  });
});

describe("a column with the algorithm's name beside it", () => {
  it("is judged by the lengths of its hashes, as one without", () => {
    const hashes = [...people(5).map((person) => argon2Of(person)), ...cutArgon2(5, 60)];
    const [bare, column] = [new HashColumn(), new HashColumn()];
    expect(judge(column, hashes.map(named))).toEqual(judge(bare, hashes));
    expect(column.cutLengths()).toEqual(bare.cutLengths());
    expect(column.cutLengths()).toMatchObject([{ length: 60 }]);
  });
});

describe("a column that is padded", () => {
  it("is told to be cut off where its hashes are", () => {
    const texts = [...cutArgon2(5, 60), ...people(5).map((person) => argon2Of(person))];
    const padded = texts.map((text) => text.padEnd(128));
    const column = new HashColumn();
    expect(judge(column, padded).slice(5)).toEqual(people(5).map(() => "argon2"));
    expect(column.cutLengths()).toMatchObject([{ length: 60, counter: { count: 5 } }]);
  });
});

describe("argon2 hashes of one length of which few are damaged", () => {
  it("are kept: nothing was cut off", () => {
    const damaged = argon2Of("damaged").replace(/.$/, "B");
    const texts = [damaged, ...people(20).map((person) => argon2Of(person)), damaged];
    const column = new HashColumn();
    const codes = judge(column, texts);
    expect(codes.filter((code) => code === "argon2")).toHaveLength(20);
    expect(column.cutLengths()).toEqual([]);
  });
});

describe("bcrypt hashes", () => {
  it("cut off at one length are told from two on", () => {
    const column = new HashColumn();
    judge(column, [bcryptOf(1).slice(0, 59)]);
    expect(column.cutLengths()).toEqual([]);
    judge(column, [bcryptOf(2).slice(0, 59)]);
    expect(column.cutLengths()).toMatchObject([{ length: 59, counter: { count: 2 } }]);
  });

  it("with something behind them aren't taken for cut ones", () => {
    const column = new HashColumn();
    judge(column, [`${bcryptOf(1)}abc`, `${bcryptOf(2)}abc`, `${bcryptOf(3)}abc`]);
    expect(column.cutLengths()).toEqual([]);
  });
});

describe("the vendor's scrypt hashes", () => {
  const hashConfig = { signerKey: null, saltSeparator: "Bw==", rounds: 8, memCost: 14 };

  it("cut off at one length are told, as texts and beside their salts", () => {
    const column = new HashColumn();
    for (const person of people(3)) {
      const { hash, salt } = scryptOf(person);
      const whole = { kind: "text", text: `$f_scrypt$${hash}$${salt}$m=14$r=8$s=Bw==` } as const;
      const text = { ...whole, text: whole.text.slice(0, 64) };
      const beside = { kind: "vendor_scrypt", hash: hash.slice(0, 50), salt } as const;
      judge(column, [whole, text, beside], { hashConfig });
    }
    expect(column.cutLengths().map(({ length, counter }) => [length, counter.count])).toEqual([
      [64, 3],
      [50, 3],
    ]);
  });
});

it("never holds the cut hashes of one algorithm against the whole ones of another", () => {
  const column = new HashColumn();
  const whole = argon2Of(1);
  // A wrapped bcrypt hash that was cut off where an argon2 hash ends.
  const cut = { kind: "text", text: `${"{crypt}".padEnd(38)}${bcryptOf(1).slice(0, 59)}` } as const;
  expect(cut.text).toHaveLength(whole.length);
  const refused = { verdict: "refused", code: "bcrypt_length", hint: "It was cut off." } as const;
  for (const row of [1, 2, 3]) column.take(cut, refused, at(row));
  expect(judge(column, [whole])).toEqual(["argon2"]);
});

describe("what waits for the whole column", () => {
  /** How many of some hashes do. */
  function waiting(texts: readonly string[], column = new HashColumn()): number {
    return texts.filter((text, index) => {
      const raw = { kind: "text", text } as const;
      return column.take(raw, normalizeHash(raw), at(index + 1));
    }).length;
  }

  it("are no bcrypt hashes, and of argon2 hashes only the first, where none is cut off", () => {
    expect(waiting(people(300).map((person) => bcryptOf(person)))).toBe(0);
    expect(waiting(people(300).map((person) => argon2Of(person)))).toBe(9);
  });

  it("are all argon2 hashes that look whole of a column that is cut off, and no other", () => {
    const codes = judge(new HashColumn(), cutArgon2(300, 76));
    const isWhole = (code: string) => code === "column_truncated" || code === "argon2_hash_length";
    expect(waiting(cutArgon2(300, 76))).toBe(codes.filter(isWhole).length);
  });

  it("are those that look whole again where a cut begins late", () => {
    const column = new HashColumn();
    // Whole ones, and then longer ones that were cut off at the same length.
    const whole = people(100).map((person) => argon2Of(person));
    const cut = people(900).map((person) => argon2With(64, person).slice(0, 97));
    const codes = judge(column, [...whole, ...cut]);
    // The first few have waited, and can't be told from those.
    expect(codes.slice(9, 100)).toEqual(whole.slice(9).map(() => "argon2"));
    expect(codes.slice(150)).not.toContain("argon2");
    expect(codes.slice(150)).toContain("column_truncated");
  });
});

it("keeps nothing of texts that are too long to be read, so that hostile lengths cost no memory", () => {
  const column = new HashColumn();
  const texts = people(50).map((more) => `$argon2id$${"a".repeat(2000 + more)}`);
  judge(column, [...texts, ...texts]);
  expect(column.cutLengths()).toEqual([]);
});

it("refuses every argon2 hash of a column that was cut at any length", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 40, max: 96 }),
      fc.integer({ min: 40, max: 120 }),
      fc.string(),
      (length, count, seed) => {
        const texts = people(count).map((person) => argon2Of(`${seed}${person}`).slice(0, length));
        expect(judge(new HashColumn(), texts)).not.toContain("argon2");
      },
    ),
    { numRuns: 60 },
  );
});

/** argon2 with an output of so many bytes. */
function argon2With(bytes: number, person: number): string {
  const output = bytesOf(`${person} output`, bytes).toString("base64").replaceAll("=", "");
  return argon2Of(person).replace(/[^$]+$/, output);
}

describe("argon2 outputs of an unusual length", () => {
  function judged(texts: readonly (string | RawHash)[]) {
    const column = new HashColumn();
    return { codes: judge(column, texts), column };
  }

  it.each([20, 40, 50, 128])("are accepted where nearly all are canonical: %i bytes", (bytes) => {
    const damaged = `${argon2With(bytes, 1).slice(0, -1)}/`;
    const texts = [...people(60).map((person) => argon2With(bytes, person)), damaged];
    const { codes, column } = judged(texts);
    expect(codes).toEqual([...people(60).map(() => "argon2"), "argon2_base64"]);
    expect(column.cutLengths()).toEqual([]);
    expect(column.oddOutputs()).toEqual([]);
  });

  it.each<readonly [string, (hash: string) => string | RawHash]>([
    ["in quotation marks", (hash) => `"${hash}"`],
    ["in hexadecimal", (hash) => `\\x${Buffer.from(hash).toString("hex")}`],
    ["beside their algorithm's name", named],
  ])("are accepted %s, too", (_how, written) => {
    const { codes } = judged(people(60).map((person) => written(argon2With(40, person))));
    expect(new Set(codes)).toEqual(new Set(["argon2"]));
  });

  it.each([24, 48, 96])(
    "are refused where nothing can show whether they are whole: %i bytes",
    (bytes) => {
      const texts = people(60).map((person) => argon2With(bytes, person));
      const { codes, column } = judged(texts);
      expect(new Set(codes)).toEqual(new Set(["argon2_hash_length"]));
      expect(column.cutLengths()).toEqual([]);
      expect(column.oddOutputs()).toMatchObject([{ bytes, counter: { count: 60 } }]);
    },
  );

  it("are refused where too few show it", () => {
    const { codes, column } = judged(people(9).map((person) => argon2With(40, person)));
    expect(new Set(codes)).toEqual(new Set(["argon2_hash_length"]));
    expect(column.oddOutputs()).toMatchObject([{ bytes: 40, counter: { count: 9 } }]);
  });

  it("are never accepted in a column that was cut off, at whatever length", () => {
    for (let length = 60; length < 97; length += 1) {
      const { codes } = judged(cutArgon2(120, length));
      expect(codes, `${length}`).not.toContain("argon2");
    }
  });

  it("are told as cut off where longer hashes are whole", () => {
    const whole = people(70).map((person) => argon2Of(person));
    const { column } = judged([...whole, ...cutArgon2(30, 74)]);
    expect(column.cutLengths()).toMatchObject([{ length: 74, counter: { count: 30 } }]);
    expect(column.oddOutputs()).toEqual([]);
  });
});

it("estimates how many whole-looking hashes are cut off where most of their length are whole", () => {
  const long = people(300).map((person) => argon2With(64, person).slice(0, 97));
  const texts = [...people(600).map((person) => argon2Of(person)), ...long];
  const column = new HashColumn();
  const alike = judge(column, texts)
    .slice(600)
    .filter((code) => code === "argon2").length;
  expect(alike).toBeGreaterThan(20);
  const [found] = column.partlyCut();
  expect(found).toMatchObject({ length: 97, counter: { count: 300 - alike } });
  expect(Math.abs((found?.alike ?? 0) - alike)).toBeLessThan(30);
});

describe("salts of the vendor's scrypt", () => {
  const hashConfig = { signerKey: null, saltSeparator: "Bw==", rounds: 8, memCost: 14 };

  /** The codes of hashes with these salts, and their column. */
  function saltsOf(change: (salt: string, person: number) => string, count = 100) {
    const column = new HashColumn();
    const hashes = people(count).map((person) => {
      const { hash, salt } = scryptOf(person);
      return { kind: "vendor_scrypt", hash, salt: change(salt, person) } as const;
    });
    return { codes: judge(column, hashes, { hashConfig }), column };
  }
  const howMany = (codes: readonly string[], code: string): number =>
    codes.filter((one) => one === code).length;

  it.each([8, 12])("are refused where they were cut to %i characters beside whole ones", (to) => {
    const { codes } = saltsOf((salt, person) => (person < 30 ? salt.slice(0, to) : salt));
    expect(howMany(codes, "scrypt_salt_cut")).toBe(30);
    expect(howMany(codes, "vendor_scrypt")).toBe(70);
  });

  it("are accepted where all are short, or longer: nothing shows that they were cut", () => {
    for (const change of [(salt: string) => salt.slice(0, 12), (salt: string) => `abcd${salt}`]) {
      expect(howMany(saltsOf(change).codes, "vendor_scrypt")).toBe(100);
    }
  });

  it("are told where more have letters of one case than by chance", () => {
    const { column } = saltsOf((salt, person) => (person < 30 ? lowered(salt) : salt));
    expect(column.foldedSalts()?.count).toBeGreaterThanOrEqual(30);
    expect(saltsOf((salt) => salt, 3000).column.foldedSalts()).toBeNull();
  });
});

/** In lower case, its last digit one that leaves no spare bits. */
function lowered(salt: string): string {
  return `${salt.toLowerCase().slice(0, 13)}g==`;
}
