/** Says what is missing before the first system test, and installs nothing. */

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { postgresPrograms } from "../../../bench/frame/postgres-cluster.js";

/** The browser, as Debian's package puts it into the path. */
export const CHROMIUM = "/usr/bin/chromium";

/** PostgreSQL's aren't in the path of Debian's package. */
const INITDB = join(postgresPrograms() ?? "", "initdb");

/** Each program with the Debian package that has it. */
const PROGRAMS = [
  { name: "tmux", package: "tmux", args: ["-V"] },
  { name: "strace", package: "strace", args: ["-V"] },
  { name: CHROMIUM, package: "chromium", args: ["--version"] },
  { name: INITDB, package: "postgresql", args: ["--version"] },
] as const;

export function setup(): void {
  const missing = PROGRAMS.filter(({ name, args }) => spawnSync(name, args).error !== undefined);
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(", ");
  const packages = missing.map((program) => program.package).join(" ");
  throw new Error(
    `The system tests need ${names}, and can't run without. On Debian: apt-get install ${packages}`,
  );
}
