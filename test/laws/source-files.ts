/** The project's own source as the laws see it: files, their rooms, what they import and what they do beside. */

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SRC = join(ROOT, "src");

export interface Import {
  /** As written: `./plan.js`, `node:fs`, `zod`. */
  readonly specifier: string;
  /** The package, or null for a file of ours or of Node's. */
  readonly package: string | null;
  /** The file of ours, as `plan/plan.ts`; null for others. */
  readonly file: string | null;
  /** Nothing of it is left at run time. */
  readonly typeOnly: boolean;
  /** Loaded only when the line is reached. */
  readonly lazy: boolean;
}

export interface SourceFile {
  /** As `plan/plan.ts`. */
  readonly path: string;
  /** The folder below src/; `index` for src/index.ts. */
  readonly room: string;
  readonly text: string;
  /** The text without its comments. */
  readonly code: string;
  readonly imports: readonly Import[];
}

const STATIC = /^(?:import|export)\s+(type\s)?([^"';]*?)from\s+"([^"]+)";/gm;
const BARE = /^import\s+"([^"]+)";/gm;
const LAZY = /\bimport\(\s*"([^"]+)"\s*\)/g;

/** Every file in src/, in the order of their paths. */
export function sourceFiles(): readonly SourceFile[] {
  const names = readdirSync(SRC, { recursive: true, encoding: "utf8" }).sort();
  return names.filter((name) => name.endsWith(".ts")).map(read);
}

function read(path: string): SourceFile {
  const text = readFileSync(join(SRC, path), "utf8");
  const room = path.includes("/") ? (path.split("/")[0] ?? "") : path.replace(/\.ts$/, "");
  const code = withoutComments(text);
  return { path, room, text, code, imports: importsOf(path, code) };
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}

function importsOf(path: string, code: string): Import[] {
  const imports: Import[] = [];
  for (const [, type, names = "", specifier = ""] of code.matchAll(STATIC)) {
    const typeOnly = type !== undefined || areTypes(names);
    imports.push(importOf(path, specifier, { typeOnly, lazy: false }));
  }
  for (const [, specifier = ""] of code.matchAll(BARE)) {
    imports.push(importOf(path, specifier, { typeOnly: false, lazy: false }));
  }
  for (const [, specifier = ""] of code.matchAll(LAZY)) {
    imports.push(importOf(path, specifier, { typeOnly: false, lazy: true }));
  }
  return imports;
}

/** True for `{ type A, type B }`. */
function areTypes(names: string): boolean {
  const inBraces = /^\{([\s\S]*)\}\s*$/.exec(names)?.[1];
  if (inBraces === undefined) return false;
  const each = inBraces.split(",").map((name) => name.trim());
  return each.every((name) => name === "" || name.startsWith("type "));
}

function importOf(
  path: string,
  specifier: string,
  how: { readonly typeOnly: boolean; readonly lazy: boolean },
): Import {
  const isOurs = specifier.startsWith(".");
  const isNodes = specifier.startsWith("node:");
  const file = relative(SRC, join(SRC, dirname(path), specifier)).replace(/\.js$/, ".ts");
  return {
    specifier,
    package: isOurs || isNodes ? null : packageOf(specifier),
    file: isOurs ? file : null,
    ...how,
  };
}

/** `@scope/name/part` is of the package `@scope/name`. */
function packageOf(specifier: string): string {
  const parts = specifier.split("/");
  return parts.slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
}
