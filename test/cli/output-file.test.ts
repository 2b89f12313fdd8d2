import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { writeNewFile } from "../../src/cli/output-file.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const newPath = temporaryPaths();

describe("a result in a file", () => {
  it("is whole, and for nobody else to read", () => {
    const path = newPath("list.csv");
    writeNewFile(path, ["first\n", "zweite, größere\n"]);
    expect(readFileSync(path, "utf8")).toBe("first\nzweite, größere\n");
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("isn't there where it can't be made to its end", () => {
    const path = newPath("list.csv");
    function* broken(): Generator<string> {
      yield "first\n";
      throw new Error("the checkpoint is gone");
    }
    expect(() => writeNewFile(path, broken())).toThrow();
    expect(existsSync(path)).toBe(false);
  });

  it("never goes over a file that is there", () => {
    const path = newPath("list.csv");
    writeFileSync(path, "somebody's work");
    expect(() => writeNewFile(path, ["new"])).toThrow(expect.objectContaining({ code: "usage" }));
    expect(readFileSync(path, "utf8")).toBe("somebody's work");
  });

  it("says so where its folder isn't there", () => {
    expect(() => writeNewFile(`${newPath("nowhere")}/list.csv`, ["new"])).toThrow(
      expect.objectContaining({ code: "disk", message: expect.stringContaining("ENOENT") }),
    );
  });
});
