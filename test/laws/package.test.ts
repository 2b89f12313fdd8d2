import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { linksOf } from "../docs/support/links.js";
import { ROOT, sourceFiles } from "./source-files.js";

const names = z.record(z.string(), z.string());
const PACKAGE = z
  .object({
    version: z.string(),
    bin: names,
    exports: z.record(z.string(), z.union([z.string(), names])),
    dependencies: names,
    devDependencies: names,
    peerDependencies: names,
    peerDependenciesMeta: z.record(z.string(), z.object({ optional: z.boolean() })),
  })
  .parse(readJson("package.json"));

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(join(ROOT, name), "utf8"));
}

/** What a user would get. Its scripts are left out: the build is the tests' own. */
function packedFiles(): string[] {
  const args = ["pack", "--dry-run", "--json", "--ignore-scripts"];
  const output = execFileSync("npm", args, { cwd: ROOT, encoding: "utf8", stdio: "pipe" });
  const packed = z.array(z.object({ files: z.array(z.object({ path: z.string() })) }));
  return packed.parse(JSON.parse(output)).flatMap(({ files }) => files.map(({ path }) => path));
}

describe("the package", () => {
  const files = packedFiles();

  it("holds only what a user needs", () => {
    // The docs, too: hints name their pages. And the files for engines, which are there to be copied.
    const needed =
      /^(?:dist\/(?:library\.js|.*\.d\.ts)|dist\/program\/(?:[\w-]+\.js|package\.json|LICENSES\.txt)|docs\/(?:[\w-]+\/)?[\w-]+\.md|mappings\/[\w-]+\.yaml|schemas\/[\w-]+\.json|words\/[\w-]+\.json|deploy\/[\w-]+\/(?:[\w-]+\.(?:yaml|json|sbatch)|Dockerfile)|bin\/auth-migrate\.js)$/;
    expect(files.filter((path) => !needed.test(path)).sort()).toEqual([
      "LICENSE",
      "README.md",
      "SECURITY.md",
      "SKILL.md",
      "package.json",
    ]);
  });

  it("has no page with a link to a file that isn't in it", () => {
    const isThere = (path: string): boolean =>
      files.some((file) => file === path || file.startsWith(`${path.replace(/\/$/, "")}/`));
    const dead = files
      .filter((file) => file.endsWith(".md"))
      .flatMap((page) => linksOf(page).filter(({ path }) => !isThere(path)));
    expect(dead).toEqual([]);
  });

  it("holds what its own description leads to", () => {
    const entries = Object.values(PACKAGE.exports).flatMap((target) =>
      typeof target === "string" ? [target] : Object.values(target),
    );
    const paths = [...entries, ...Object.values(PACKAGE.bin)].map((path) => path.replace("./", ""));
    // A star stands for the names in a folder.
    const isThere = (path: string): boolean => {
      const [start = "", end] = path.split("*");
      return files.some((file) =>
        end === undefined ? file === path : file.startsWith(start) && file.endsWith(end),
      );
    };
    expect(paths.filter((path) => !isThere(path))).toEqual([]);
    expect(files).toEqual(
      expect.arrayContaining(["dist/program/main.js", "dist/program/LICENSES.txt"]),
    );
  });
});

it("the package's module names all that the library exports", () => {
  const namesIn = (name: string): string => {
    const code = `import("./dist/${name}.js").then((all) => console.log(Object.keys(all).sort().join()))`;
    return execFileSync(process.execPath, ["-e", code], { cwd: ROOT, encoding: "utf8" });
  };
  expect(namesIn("library")).toBe(namesIn("index"));
});

describe("dependencies", () => {
  const shipped = packedFiles()
    .filter((path) => /^dist\/.*\.(?:js|d\.ts)$/.test(path))
    .map((path) => readFileSync(join(ROOT, path), "utf8"));
  const imported = sourceFiles().flatMap(({ imports }) =>
    imports.flatMap((one) => one.package ?? []),
  );
  /** In the program's files the bundler has left what is loaded as it is installed. */
  const isNamed = (name: string): boolean => {
    const named = new RegExp(`(?:from "|(?:require|import|load)(?:\\$\\d)?\\(\`)${name}["\`/]`);
    return shipped.some((text) => named.test(text));
  };
  const needed = [...new Set(imported)].filter(isNamed);

  it("are those that a shipped file loads, or that its types name", () => {
    expect(Object.keys(PACKAGE.dependencies).sort()).toEqual(needed.sort());
  });

  it("aren't those that are in the bundle alone", () => {
    const bundled = imported.filter((name) => !needed.includes(name));
    expect(bundled).toEqual(expect.arrayContaining(["commander", "undici"]));
    expect(Object.keys(PACKAGE.devDependencies)).toEqual(expect.arrayContaining(bundled));
  });

  it("leave Node.js's types to who wants the library's, whose index names them", () => {
    expect(readFileSync(join(ROOT, "src/index.ts"), "utf8")).toMatch(
      /^\/\/\/ <reference types="node"/m,
    );
    const { peerDependencies, peerDependenciesMeta } = PACKAGE;
    expect(Object.keys(peerDependencies)).toEqual(["@types/node"]);
    expect(peerDependenciesMeta).toEqual({ "@types/node": { optional: true } });
  });

  it("aren't among the tools as well", () => {
    const twice = Object.keys(PACKAGE.devDependencies).filter((name) => needed.includes(name));
    expect(twice).toEqual([]);
  });
});

describe("the lock file", () => {
  const lock = z
    .object({
      version: z.string(),
      packages: z.record(
        z.string(),
        z.object({
          version: z.string().optional(),
          resolved: z.string().optional(),
          integrity: z.string().optional(),
          dependencies: names.optional(),
          devDependencies: names.optional(),
        }),
      ),
    })
    .parse(readJson("package-lock.json"));

  it("names no host, so that any registry serves", () => {
    const hosts = Object.entries(lock.packages).filter(([, { resolved }]) => resolved);
    expect(hosts.map(([path]) => path)).toEqual([]);
    expect(JSON.stringify(lock)).not.toMatch(/https?:\/\/(?:localhost|\d|[\w.-]+:\d)/);
  });

  it("pins every package by its contents", () => {
    const loose = Object.entries(lock.packages).filter(([path, { integrity }]) => {
      return path !== "" && integrity === undefined;
    });
    expect(loose.map(([path]) => path)).toEqual([]);
  });

  it("is of this package", () => {
    const root = lock.packages[""];
    const { version, dependencies, devDependencies } = PACKAGE;
    expect(root).toMatchObject({ version, dependencies, devDependencies });
    expect(lock.version).toBe(version);
  });
});
