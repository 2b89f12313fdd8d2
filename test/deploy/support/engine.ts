/** Runs on this machine what an engine runs: a container's mounts are folders, and its program is this checkout's. */

import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BIN } from "../../support/cli.js";
import { ROOT } from "../../laws/source-files.js";

/** What came of it. */
export interface Ended {
  readonly code: number;
  readonly output: string;
}

/** This checkout's program, as a shell's script. */
export const OURS = `exec '${process.execPath}' '${BIN}' "$@"`;

/** Writes a program and answers its path. */
export function programIn(folder: string, name: string, script: string): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
}

interface Place {
  readonly cwd: string;
  /** The folder of the programs that are found by their names. */
  readonly programs: string;
  readonly env: Readonly<Record<string, string>>;
}

function run(
  [command = "", ...args]: readonly string[],
  { cwd, programs, env }: Place,
): Promise<Ended> {
  const { PATH = "" } = process.env;
  const options = { cwd, env: { PATH: `${programs}:${PATH}`, NO_COLOR: "1", ...env } };
  return new Promise((resolve) => {
    execFile(command, args, options, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });
}

/** A container as an engine starts it. */
export interface Container {
  /** The command and its arguments; without a command of its own the image's comes first. */
  readonly words: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Where the container has a folder, and where it is on this machine. */
  readonly mounts: Readonly<Record<string, string>>;
}

/** Runs it to its end, in what it has as `/work`. */
export function runContainer({ words, env, mounts }: Container): Promise<Ended> {
  // All at once: what a folder is called on this machine may itself begin with a mount.
  const mounted = new RegExp(`(?<=^|[ =])(?:${Object.keys(mounts).join("|")})(?=/|$)`, "g");
  const here = words.map((word) => word.replaceAll(mounted, (inside) => mounts[inside] ?? inside));
  const { "/work": cwd = "", "/tmp": TMPDIR = "" } = mounts;
  const programs = join(TMPDIR, "bin");
  programIn(programs, "auth-migrate", OURS);
  return run(here, { cwd, programs, env: { TMPDIR, ...env } });
}

/** A task of a Slurm array whose job ids begin with 1000. */
interface Task {
  readonly folder: string;
  /** From 1. */
  readonly task: number;
  /** The program that the script runs. */
  readonly program: string;
  /** As `scontrol show config` has it; not set by default. */
  readonly requeueExit?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the script as a node would, with a `scontrol` that writes down which jobs are to be queued again. */
export async function runTask({ folder, task, program, requeueExit = "NONE", env = {} }: Task) {
  const programs = join(folder, ".programs");
  const asked = join(folder, ".requeued");
  programIn(
    programs,
    "scontrol",
    `case "$1 $2" in
  "show config") printf 'RequeueExit             = %s\\nRequeueExitHold         = 75\\n' '${requeueExit}' ;;
  requeue*) echo "$2" >> '${asked}' ;;
esac`,
  );
  const given = {
    HOME: process.env.HOME ?? "",
    SLURM_SUBMIT_DIR: folder,
    SLURM_JOB_ID: String(1000 + task),
    SLURM_ARRAY_JOB_ID: "1000",
    SLURM_ARRAY_TASK_ID: String(task),
    SLURM_ARRAY_TASK_MIN: "1",
    SLURM_ARRAY_TASK_COUNT: "8",
    AUTH_MIGRATE: program,
    PARTS: "parts",
    CORE: "https://core.example.com",
    ...env,
  };
  const script = join(ROOT, "deploy/slurm/auth-migrate.sbatch");
  const ended = await run(["bash", script], { cwd: folder, programs, env: given });
  const requeued = existsSync(asked) ? readFileSync(asked, "utf8").trim().split("\n") : [];
  return { ...ended, requeued };
}
