import { describe, expect, it } from "vitest";
import { FileIds } from "../../src/checkpoint/numbered.js";
import { CHECKPOINT_FILE } from "../../src/checkpoint/schema.js";
import { openDatabase } from "../../src/sqlite/database.js";

describe("numbers of input files", () => {
  it("stay with their paths from one run to the next", () => {
    const database = openDatabase("", CHECKPOINT_FILE);
    const first = new FileIds(database);
    const ids = ["a.csv", "b.csv", "a.csv"].map((path) => first.idOf(path));
    expect(ids[0]).toBe(ids[2]);
    expect(ids[0]).not.toBe(ids[1]);

    const later = new FileIds(database);
    expect(later.idOf("b.csv")).toBe(ids[1]);
    expect(later.pathOf(ids[0] ?? 0)).toBe("a.csv");
    expect(later.idOf("c.csv")).not.toBe(ids[1]);
    database.close();
  });
});
