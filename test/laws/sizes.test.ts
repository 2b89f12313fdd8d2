import { parseAst } from "rolldown/parseAst";
import { describe, expect, it } from "vitest";
import { type SourceFile, sourceFiles } from "./source-files.js";

const FILES = sourceFiles();
const MOST_LINES = 300;
const MOST_LINES_OF_A_FUNCTION = 60;

function linesOf(text: string): number {
  return text.trimEnd().split("\n").length;
}

/** The code of every function in a file, of those inside others as well. */
function functionsIn(text: string): string[] {
  const found: string[] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { type, start, end } = node as Readonly<Record<string, unknown>>;
    if (/Function/.test(String(type))) found.push(text.slice(Number(start), Number(end)));
    Object.values(node).forEach(walk);
  };
  walk(parseAst(text, { lang: "ts" }).body);
  return found;
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
});
