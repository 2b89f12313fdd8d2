import { parseAst } from "rolldown/parseAst";
import { describe, expect, it } from "vitest";
import { type SourceFile, sourceFiles } from "./source-files.js";

const FILES = sourceFiles();
const MOST_LINES = 300;
const MOST_LINES_OF_A_FUNCTION = 60;

function linesOf(text: string): number {
  return text.trimEnd().split("\n").length;
}

type Node = Readonly<Record<string, unknown>>;

/** The code of every such node of a file's syntax tree, of those inside others as well. */
function codeOf(text: string, isMeant: (node: Node) => boolean): string[] {
  const found: string[] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { start, end } = node as Node;
    if (isMeant(node as Node)) found.push(text.slice(Number(start), Number(end)));
    Object.values(node).forEach(walk);
  };
  walk(parseAst(text, { lang: "ts" }).body);
  return found;
}

function functionsIn(text: string): string[] {
  return codeOf(text, ({ type }) => /Function/.test(String(type)));
}

/** `...{ a, b }` and `...[a, b]`, which the formatter would write as a line each without the dots. */
function spreadLiteralsIn(text: string): string[] {
  if (!/\.\.\.\s*[[{]/.test(text)) return [];
  return codeOf(text, ({ type, argument }) => {
    const spread = (argument as Node | undefined)?.type;
    return type === "SpreadElement" && /^(?:Object|Array)Expression$/.test(String(spread));
  });
}

/** `path: lines, beginning` of each function that is too long. */
function longFunctions({ path, text }: SourceFile): string[] {
  if (linesOf(text) <= MOST_LINES_OF_A_FUNCTION) return [];
  return functionsIn(text)
    .filter((code) => linesOf(code) > MOST_LINES_OF_A_FUNCTION)
    .map((code) => `${path}: ${linesOf(code)}, ${code.slice(0, 60)}`);
}

describe("what has to be read at once", () => {
  it(`is a file of at most ${MOST_LINES} lines`, () => {
    const long = FILES.filter(({ text }) => linesOf(text) > MOST_LINES);
    expect(long.map(({ path, text }) => `${path}: ${linesOf(text)}`)).toEqual([]);
  });

  it(`is a function of at most ${MOST_LINES_OF_A_FUNCTION} lines`, () => {
    expect(FILES.flatMap(longFunctions)).toEqual([]);
  });

  it("is counted for functions of every form, from their first word to their last brace", () => {
    const text =
      "export class A {\n  b() {\n    return [(c) => c];\n  }\n}\nasync function* d() {\n}\n";
    expect(functionsIn(text).map(linesOf)).toEqual([3, 1, 2]);
  });

  it("isn't hidden by a literal that is spread into another to save lines", () => {
    const spread = FILES.map(({ path, text }) => [path, spreadLiteralsIn(text)] as const);
    expect(spread.filter(([, found]) => found.length > 0)).toEqual([]);
    const text = "f({ ...{ a, b }, ...c }, ...[d, ...e], ...(g ? { h } : {}));\n";
    expect(spreadLiteralsIn(text)).toEqual(["...{ a, b }", "...[d, ...e]"]);
  });
});
