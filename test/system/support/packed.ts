/** The package as a user has it: packed by npm, unpacked into a folder's node_modules, its dependencies linked from the checkout. Nothing is fetched. */

import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "../../laws/source-files.js";

/** Packs the checkout as it was built; npm's scripts would build it anew under other tests. */
export function packInto(folder: string): string {
  const args = ["pack", "--ignore-scripts", "--pack-destination", folder];
  execFileSync("npm", args, { cwd: ROOT, stdio: "pipe" });
  const [name = ""] = readdirSync(folder).filter((file) => file.endsWith(".tgz"));
  return join(folder, name);
}

/** Makes an empty project of a folder that has the package installed, as `npm install` would. */
export function installInto(folder: string, tarball: string): void {
  const home = join(folder, "node_modules", "auth-migrate");
  mkdirSync(home, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "--strip-components=1", "-C", home], { stdio: "pipe" });
  const {
    dependencies,
    peerDependencies,
  }: Record<string, Record<string, string>> = JSON.parse(
    readFileSync(join(home, "package.json"), "utf8"),
  );
  for (const name of Object.keys(dependencies ?? {})) link(name, join(home, "node_modules"));
  // Who compiles programs for Node has its types.
  for (const name of Object.keys(peerDependencies ?? {})) link(name, join(folder, "node_modules"));
  const project = { name: "a-users-project", private: true, type: "module" };
  writeFileSync(join(folder, "package.json"), JSON.stringify(project));
}

function link(name: string, folder: string): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(join(ROOT, "node_modules", name), path);
}
