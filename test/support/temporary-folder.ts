/** A folder of its own for each test file, removed at the end. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** Answers a new path in a private folder at every call. */
export function temporaryPaths(parent = tmpdir()): (name: string) => string {
  const folder = mkdtempSync(join(parent, "auth-migrate-"));
  let count = 0;
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return (name) => {
    count += 1;
    return join(folder, `${count}-${name}`);
  };
}
