/** TypeScript blocks: compiled together as a program that has installed the package would be, and left as JavaScript to run. */

import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../../laws/source-files.js";

const OPTIONS = {
  module: "nodenext",
  target: "es2023",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  types: ["node"],
  outDir: "out",
  rootDir: ".",
};

/**
 * Compiles programs against the built package.
 *
 * @param folder a new one, which is created
 * @param programs by their names, without an ending
 * @returns what the compiler says against them, empty where it is content; and where the JavaScript is
 */
export async function compile(
  folder: string,
  programs: ReadonlyMap<string, string>,
): Promise<{ readonly problems: string; pathOf(name: string): string }> {
  const modules = join(folder, "node_modules");
  mkdirSync(modules, { recursive: true });
  symlinkSync(ROOT, join(modules, "auth-migrate"));
  symlinkSync(join(ROOT, "node_modules/@types"), join(modules, "@types"));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  const files = [...programs.keys()].map((name) => `${name}.ts`);
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: OPTIONS, files }));
  for (const [name, text] of programs) writeFileSync(join(folder, `${name}.ts`), text);
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const problems = await promisify(execFile)(process.execPath, [tsc, "-p", folder]).then(
    () => "",
    (error: { readonly stdout: string }) => error.stdout,
  );
  return { problems, pathOf: (name) => join(folder, "out", `${name}.js`) };
}
