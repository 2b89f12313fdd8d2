import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openInputs } from "../../src/source/inputs.js";
import { type FindOptions, findUsers } from "../../src/prove/find-users.js";
import { DEFAULT_POLICY } from "../../src/plan/policy.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { inputOf } from "../run/support/batches.js";
import { record } from "../run/support/records.js";
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

describe("looking for test users", () => {
  it("ends once everybody is found", async () => {
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
    expect(read).toBe(4);
    // A second file isn't opened at all.
    const more = inputs.map((one) => ({ ...one, path: "more.csv" }));
    await findUsers([...inputs, ...more], ["r-3"], OPTIONS);
    expect(read).toBe(8);
  });

  it("stops when it is told to", async () => {
    const signal = AbortSignal.abort();
    await expect(
      findUsers(await openInputs([write(readers(3))]), ["r-9"], { ...OPTIONS, signal }),
    ).rejects.toBe(signal.reason);
  });
});
