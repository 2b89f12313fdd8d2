/** Runs on this machine what an engine gives to a shell, with this checkout's program. */

import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BIN } from "../../support/cli.js";
import { ROOT } from "../../laws/source-files.js";

/** What came of it. */
interface Ended {
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

/** Runs a program to its end. */
export function runIn(
  { cwd, programs, env }: Place,
  command: string,
  ...args: readonly string[]
): Promise<Ended> {
  const { PATH = "" } = process.env;
  const options = { cwd, env: { PATH: `${programs}:${PATH}`, NO_COLOR: "1", ...env } };
  return new Promise((resolve) => {
    execFile(command, args, options, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });
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
  const ended = await runIn({ cwd: folder, programs, env: given }, "bash", script);
  const requeued = existsSync(asked) ? readFileSync(asked, "utf8").trim().split("\n") : [];
  return { ...ended, requeued };
}
