import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../laws/source-files.js";

/** A name that the package exports, and the lines of its declaration with the one before it. */
interface Exported {
  readonly name: string;
  readonly before: string;
  readonly declaration: readonly string[];
}

const EXPORTS = readExports();

function readExports(): readonly Exported[] {
  const index = readFileSync(join(ROOT, "src/index.ts"), "utf8");
  const lists = index.matchAll(/^export (?:type )?\{([^}]*)\} from "\.\/([^"]+)\.js";/gm);
  return [...lists].flatMap(([, names = "", path = ""]) => {
    const lines = readFileSync(join(ROOT, "src", `${path}.ts`), "utf8").split("\n");
    const each = names.split(",").map((name) => name.trim().replace(/^type /, ""));
    return each.filter((name) => name !== "").map((name) => find(name, lines, path));
  });
}

function find(name: string, lines: readonly string[], path: string): Exported {
  const kind = "(?:async )?(?:function\\*?|interface|type|const|class)";
  const opening = new RegExp(`^export ${kind} ${name}\\b`);
  const at = lines.findIndex((line) => opening.test(line));
  if (at === -1) throw new Error(`${path} declares no ${name}`);
  // What comes next at the margin, behind an empty line, is another declaration.
  const length = lines.slice(at).findIndex((line, index, rest) => {
    return line === "" && !/^\s/.test(rest[index + 1] ?? "");
  });
  return { name, before: lines[at - 1] ?? "", declaration: lines.slice(at).slice(0, length) };
}

/** Members of an interface or a class that have no comment above them. */
function bareMembers({ declaration }: Exported): string[] {
  return declaration.flatMap((line, index) => {
    const member = /^ {2}(?:override )?(?:readonly )?([a-z]\w*)\??[(:]/i.exec(line)?.[1];
    const isBare = !(declaration[index - 1] ?? "").endsWith("*/");
    return member !== undefined && isBare ? [member] : [];
  });
}

describe("the library's documentation", () => {
  it("sees what the package exports", () => {
    const names = EXPORTS.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["importUsers", "Core", "RunError", "Policy"]));
    expect(new Set(names).size).toBe(names.length);
    expect(EXPORTS.find(({ name }) => name === "Core")?.declaration.length).toBeGreaterThan(20);
  });

  it("stands above everything that is exported", () => {
    const silent = EXPORTS.filter(({ before }) => !before.endsWith("*/"));
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  it("says of every option what it does", () => {
    const options = EXPORTS.filter(({ name }) => /Options$|^Given|^Policy$|^Timing$/.test(name));
    expect(options.length).toBeGreaterThan(8);
    const silent = options.flatMap((one) =>
      bareMembers(one).map((member) => `${one.name}.${member}`),
    );
    expect(silent).toEqual([]);
  });

  it("says of every field of an error what it tells", () => {
    const errors = EXPORTS.filter(({ name }) => ["RunError", "CoreFailure"].includes(name));
    const silent = errors.flatMap((one) => bareMembers(one));
    expect(silent.filter((member) => member !== "constructor")).toEqual([]);
  });
});
