import { writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openInputs } from "../../src/source/inputs.js";
import { type FindOptions, findUsers } from "../../src/prove/find-users.js";
import { DEFAULT_POLICY } from "../../src/plan/policy.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { inputOf } from "../run/support/batches.js";
import { email, record } from "../run/support/records.js";
import { csvUsers, type ExportedUser } from "../run/support/test-users.js";

const newPath = temporaryPaths();
const OPTIONS: FindOptions = { policy: DEFAULT_POLICY };

function write(users: readonly ExportedUser[]): string {
  const path = newPath("users.csv");
  writeFileSync(path, csvUsers(users));
  return path;
}

function readers(count: number, from = 1): ExportedUser[] {
  return Array.from({ length: count }, (_, index) => {
    const number = from + index;
    return {
      id: `r-${number}`,
      email: `reader.${number}@example.com`,
      phone: `+1555010${String(number).padStart(4, "0")}`,
    };
  });
}

/** The rows at which users are found. */
async function rowsOf(
  files: readonly string[],
  names: readonly string[],
  options: Partial<FindOptions> = {},
): Promise<(string | null)[]> {
  const found = await findUsers(await openInputs(files), names, { ...OPTIONS, ...options });
  return found.map((user) => user && `${files.indexOf(user.row.file)}:${user.row.number}`);
}

describe("test users are found", () => {
  it.each([
    ["email, in any case", "Reader.7@EXAMPLE.com"],
    ["phone, however written", "+1 (555) 010-0007"],
    ["vendor's id", " r-7"],
  ])("by %s", async (_by, name) => {
    expect(await rowsOf([write(readers(20))], [name])).toEqual(["0:7"]);
  });

  it("in every file, each at its place among the names", async () => {
    const files = [write(readers(3)), write(readers(3, 4))];
    const names = ["r-6", "nobody@example.com", "r-1", "r-6"];
    expect(await rowsOf(files, names)).toEqual(["1:3", null, "0:1", "1:3"]);
  });

  it("not by an id in another case, nor by a part of an email", async () => {
    const file = write(readers(3));
    expect(await rowsOf([file], ["R-1", "reader.1", "example.com", ""])).toEqual(
      Array(4).fill(null),
    );
  });

  it("in the first of their rows that the import takes", async () => {
    const [first] = readers(1);
    const file = write([{ ...first!, disabled: true }, ...readers(2, 2), first!, first!]);
    expect(await rowsOf([file], ["r-1"])).toEqual(["0:4"]);
    const policy = { ...DEFAULT_POLICY, include: ["disabled"] } as const;
    expect(await rowsOf([file], ["r-1"], { policy })).toEqual(["0:1"]);
  });

  it("in the first of their rows where the import takes none", async () => {
    const users = readers(3).map((user) => ({ ...user, disabled: true }));
    expect(await rowsOf([write([...users, ...users])], ["r-2"])).toEqual(["0:2"]);
  });
});

describe("the rows around a test user", () => {
  async function neighbors(names: readonly string[], count = 20): Promise<number[][]> {
    const found = await findUsers(await openInputs([write(readers(count))]), names, OPTIONS);
    return found.map((user) => user?.neighbors.map(({ row }) => row.number) ?? []);
  }

  it("are five before and five after, as far as there are any", async () => {
    expect(await neighbors(["r-10", "r-2", "r-19"])).toEqual([
      [5, 6, 7, 8, 9, 11, 12, 13, 14, 15],
      [1, 3, 4, 5, 6, 7],
      [14, 15, 16, 17, 18, 20],
    ]);
  });

  it("are each user's own where two stand together", async () => {
    const [one, other] = await neighbors(["r-3", "r-4"], 5);
    expect([one, other]).toEqual([
      [1, 2, 4, 5],
      [1, 2, 3, 5],
    ]);
  });

  it("are of the same file", async () => {
    const files = [write(readers(3)), write(readers(3, 4))];
    const [found] = await findUsers(await openInputs(files), ["r-4"], OPTIONS);
    expect(found?.neighbors.map(({ row }) => row)).toEqual([
      { file: files[1], number: 2, line: 3 },
      { file: files[1], number: 3, line: 4 },
    ]);
  });

  it("are found whatever the batches are", async () => {
    const records = readers(30).map(({ id, email: address }) =>
      record({ sourceId: id, email: email(address ?? "") }),
    );
    const size = fc.integer({ min: 1, max: 12 });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 30 }),
        fc.array(size, { minLength: 1, maxLength: 5 }),
        async (number, sizes) => {
          const [found] = await findUsers(
            [inputOf("users.csv", records, sizes)],
            [`r-${number}`],
            OPTIONS,
          );
          const near = found?.neighbors.map(({ row }) => row.number - number);
          const all = [-5, -4, -3, -2, -1, 1, 2, 3, 4, 5];
          expect(near).toEqual(all.filter((by) => number + by >= 1 && number + by <= 30));
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe("looking for test users", () => {
  it("ends once everybody and the rows around them are read", async () => {
    const records = Array.from({ length: 1000 }, (_, index) => record({ sourceId: `r-${index}` }));
    const input = inputOf("users.csv", records, [1]);
    let read = 0;
    async function* counted(...given: Parameters<typeof input.read>) {
      for await (const items of input.read(...given)) {
        read += items.length;
        yield items;
      }
    }
    const inputs = [{ ...input, read: counted }];
    expect(await findUsers(inputs, ["r-3"], OPTIONS)).toHaveLength(1);
    expect(read).toBe(9);
    // A second file isn't opened at all.
    const more = inputs.map((one) => ({ ...one, path: "more.csv" }));
    await findUsers([...inputs, ...more], ["r-3"], OPTIONS);
    expect(read).toBe(18);
  });

  it("stops when it is told to", async () => {
    const signal = AbortSignal.abort();
    await expect(
      findUsers(await openInputs([write(readers(3))]), ["r-9"], { ...OPTIONS, signal }),
    ).rejects.toBe(signal.reason);
  });
});
