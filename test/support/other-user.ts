/** The command for tests under other user ids: in a place where everybody may go. */

import { cpSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Tests under two user ids are root's alone. */
export const isRoot = process.getuid?.() === 0;

/**
 * The checkout, or a copy of what the command needs, where not everybody may go into that.
 *
 * @param newFolder where everybody may go
 */
export function programForAll(newFolder: () => string): string {
  if (isReachable(ROOT)) return ROOT;
  const copy = newFolder();
  const tools = /node_modules\/(?:\.|@biomejs|@rolldown|@typescript|lightningcss|typescript|vite)/;
  for (const name of [
    "bin",
    "dist",
    "fixtures",
    "mappings",
    "words",
    "package.json",
    "node_modules",
  ]) {
    cpSync(join(ROOT, name), join(copy, name), {
      recursive: true,
      filter: (from) => !tools.test(from),
    });
  }
  return copy;
}

/** Whether everybody may go where a path leads. */
function isReachable(path: string): boolean {
  const parts = path.split(sep).slice(0, -1);
  return parts.every((_part, index) => {
    const folder = parts.slice(0, index + 1).join(sep) || sep;
    return (statSync(folder).mode & 0o001) !== 0;
  });
}
