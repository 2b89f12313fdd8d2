/** Runs a container's command on this machine: its mounts are folders, and its program is this checkout's. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BIN } from "../../support/cli.js";
import { newLog } from "./log.js";

/** A container as an engine starts it. */
export interface Container {
  /** The command and its arguments; without a command of its own the image's comes first. */
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Where the container has a folder, and where it is on this machine. */
  readonly mounts: Readonly<Record<string, string>>;
}

/** What came of it. */
export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Runs it to its end, in what it has as `/work`. */
export async function runContainer({ words, env, mounts }: Container): Promise<Ended> {
  // All at once: what a folder is called on this machine may itself begin with a mount.
  const mounted = new RegExp(`(?<=^|[ =])(?:${Object.keys(mounts).join("|")})(?=/|$)`, "g");
  const here = words.map((word) => word.replaceAll(mounted, (inside) => mounts[inside] ?? inside));
  const [command = "", ...args] = here;
  const { PATH = "" } = process.env;
  const child = spawn(command, args, {
    cwd: mounts["/work"],
    env: {
      PATH: `${programFolder(mounts)}:${PATH}`,
      NO_COLOR: "1",
      TMPDIR: mounts["/tmp"],
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const log = newLog();
  log.follow(child);
  const [code] = await once(child, "close");
  return { code, output: log.text() };
}

/** The image has the program under this name. */
function programFolder(mounts: Container["mounts"]): string {
  const folder = join(mounts["/tmp"] ?? "", "bin");
  mkdirSync(folder, { recursive: true });
  const script = `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`;
  writeFileSync(join(folder, "auth-migrate"), script, { mode: 0o755 });
  return folder;
}
