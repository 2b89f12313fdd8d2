import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const FOLDER = new URL("../../dist/program/", import.meta.url);
/** What begins by itself when it is loaded. */
const ENTRIES = /-worker\.js$/;

function evaluate(code: string): Promise<unknown> {
  const args = ["--enable-source-maps", "--input-type=module", "--eval", code];
  return promisify(execFile)(process.execPath, args, { cwd: FOLDER });
}

describe("the program's bundled files", () => {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(".js") && !ENTRIES.test(name));

  it("can be loaded in another order than the command line's", async () => {
    // Not of an empty folder: a chunk more or less is no matter.
    expect(files.length).toBeGreaterThan(20);
    const imports = files.map((name) => `await import("./${name}");`);
    await expect(evaluate(imports.join("\n"))).resolves.toMatchObject({ stderr: "" });
  });

  it("tell where in the source an error comes from", async () => {
    const name = files.find((file) => file.startsWith("run-error"));
    const code = `const all = Object.values(await import("./${name}"));
      const RunError = all.find((each) => each.name === "RunError");
      new RunError("lost", "Lost.", { get hint() { throw new Error("here"); } });`;
    const place = /at new RunError \(.*src\/errors\/run-error\.ts:\d+/;
    await expect(evaluate(code)).rejects.toThrow(place);
  });

  it("loads no option's schema for help and version", () => {
    const loaded = new Set(["main.js"]);
    for (const name of loaded) {
      const text = readFileSync(new URL(name, FOLDER), "utf8");
      // What is loaded later is within a function.
      for (const [, next = ""] of text.matchAll(/const [\w$]+=require\("\.\/([^"]+)"\)/g))
        loaded.add(next);
    }
    // How many chunks there are is no matter.
    expect(loaded.size).toBeGreaterThan(2);
    expect([...loaded].filter((name) => /schemas|shared|general|verb/.test(name))).toEqual([]);
  });
});
