/**
 * Writes dist/program: the command line, its threads and the library as a few files in place of some
 * four hundred, since loading those takes longer than most commands: a dry run of ten rows took 2.2
 * times the processor time without it. What five parts or more share is one file, for the same reason;
 * what a process or a thread begins with stays beside it. Imported packages are in them, but for native ones
 * and large ones that few runs need. All files lie side by side, as threads are found beside the code
 * that starts them; they keep all names and have source maps, and lack the comments and the
 * indentation, which Node.js would read on every start. They are CommonJS, which Node.js loads in less
 * time.
 */

import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { rolldown } from "rolldown";

const FOLDER = "dist/program";
/** What is imported from node_modules as it is installed; libphonenumber-js is required, and so stays there. */
const INSTALLED = /^(?:node:|(?:argon2|libsql|mysql2|pg)(?:\/|$))/;

/** What begins by itself: the command line, and its threads, which load no more than they need. */
const BEGIN = {
  main: "src/cli/main.ts",
  "core-worker": "src/core/embedded/threaded/core-worker.ts",
  "verification-worker": "src/core/embedded/verification/verification-worker.ts",
};

/** The paths of what these load; found when the bundler has read all modules. */
const loadedFirst = new Set(Object.values(BEGIN).map((path) => resolve(path)));
let isFound = false;

function isLoadedFirst(id, graph) {
  if (!isFound) {
    for (const path of loadedFirst) {
      for (const next of graph.getModuleInfo(path)?.importedIds ?? []) loadedFirst.add(next);
    }
  }
  isFound = true;
  return loadedFirst.has(id);
}

/** What is used of undici. Its own entry also loads fetch, caches and mocks: a seventh of the time that a remote import needs to start. */
const UNDICI = `
  export { default as Pool } from "undici/lib/dispatcher/pool.js";
  export { default as EnvHttpProxyAgent } from "undici/lib/dispatcher/env-http-proxy-agent.js";
  export { default as buildConnector } from "undici/lib/core/connect.js";
  import Dispatcher from "undici/lib/dispatcher/dispatcher.js";
  import connect from "undici/lib/api/api-connect.js";
  Dispatcher.prototype.connect = connect;`;

const bundle = await rolldown({
  plugins: [
    {
      name: "undici",
      resolveId: (id) => (id === "undici" ? "\0undici" : null),
      load: (id) => (id === "\0undici" ? UNDICI : null),
    },
  ],
  preserveEntrySignatures: "allow-extension",
  // What tests run in their own process is what is shipped.
  input: { ...BEGIN, run: "src/cli/run.ts", index: "src/index.ts" },
  platform: "node",
  external: INSTALLED,
  // A topic that is loaded when it is needed shares a file with another one that needs it always.
  checks: { ineffectiveDynamicImport: false },
});
const { output } = await bundle.write({
  dir: FOLDER,
  cleanDir: true,
  format: "cjs",
  entryFileNames: "[name].js",
  chunkFileNames: "[name].js",
  sourcemap: true,
  sourcemapExcludeSources: true,
  codeSplitting: {
    groups: [
      {
        name: (id, graph) => (isLoadedFirst(id, graph) ? null : "shared"),
        debugName: "shared",
        minShareCount: 5,
      },
    ],
    includeDependenciesRecursively: false,
  },
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
});
await bundle.close();
writeFileSync(join(FOLDER, "package.json"), '{ "type": "commonjs" }\n');

/** The library is a module, as its types say, and names what Node.js is to find in a CommonJS file. The index is read as text: the image's build lacks the files that it reads. */
const exported = readFileSync("dist/index.js", "utf8").matchAll(/^export \{([^}]*)\} from/gm);
const names = Array.from(exported, ([, some]) => some.match(/\w+/g)).flat();
writeFileSync("dist/library.js", `export { ${names.join(", ")} } from "./program/index.js";\n`);

/** The licenses of the packages that are in it ask to go along. */
const packages = new Set(
  output.flatMap(({ moduleIds = [] }) =>
    moduleIds.flatMap((id) => /.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []),
  ),
);
const licenses = [...packages].sort().map((folder) => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} brings no license along`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
});
writeFileSync(join(FOLDER, "LICENSES.txt"), licenses.join(`\n${"-".repeat(80)}\n\n`));

/** Zod is in the program, so that its declarations, which ours name, go along as well: else it would be installed a second time for them. */
for (const name of ["index.d.ts", "v4/classic", "v4/core"]) {
  cpSync(join("node_modules/zod", name), join("dist/zod", name), {
    recursive: true,
    filter: (path) => !/\.[cm]?(?:js|ts)$/.test(path) || path.endsWith(".d.ts"),
  });
}
/** Nothing of ours names the texts of its messages. */
const LOCALES = /^export \* as locales from .*$/m;

/**
 * The declarations that the library's own doesn't lead to are of no use to anybody who imports it,
 * and a twentieth of the package.
 */
const declared = new Set(["dist/index.d.ts"]);
for (const file of declared) {
  const zod = `./${relative(dirname(file), "dist/zod/index.js")}`;
  const before = readFileSync(file, "utf8");
  const text = before.replaceAll('from "zod"', `from "${zod}"`).replace(LOCALES, "");
  if (text !== before) writeFileSync(file, text);
  const named = text.matchAll(/(?:from |import\()"(\.[^"]+)\.js"/g);
  for (const [, path] of named) declared.add(join(dirname(file), `${path}.d.ts`));
}
for (const name of readdirSync("dist", { recursive: true })) {
  const file = join("dist", name);
  if (file.endsWith(".d.ts") && !declared.has(file)) rmSync(file);
}
