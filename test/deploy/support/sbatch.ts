/** Runs the Slurm script as a node would, with what Slurm gives to a task, and a `scontrol` that writes down what it is asked. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { ROOT } from "../../laws/source-files.js";
import { newLog } from "./log.js";

const SCRIPT = join(ROOT, "deploy/slurm/auth-migrate.sbatch");

/** What a cluster says of itself, and what the script is given. */
export interface Task {
  readonly folder: string;
  /** The array's task, from 1. */
  readonly task: number;
  /** The program that the script runs. */
  readonly program: string;
  /** As `scontrol show config` has it; not set by default. */
  readonly requeueExit?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface RunningTask {
  /** To the script's own process, as `--signal=B:` and `scancel` do. */
  signal(name: NodeJS.Signals): void;
  /** Resolves when it has written this; rejects where it ends without that. */
  says(text: string): Promise<void>;
  readonly ended: Promise<EndedTask>;
}

export interface EndedTask {
  readonly code: number | null;
  readonly output: string;
  /** The jobs that Slurm was asked to queue again. */
  readonly requeued: readonly string[];
}

/** Starts a task of an array whose job ids begin with 1000. */
export function startTask({
  folder,
  task,
  program,
  requeueExit = "NONE",
  env = {},
}: Task): RunningTask {
  const programs = join(folder, ".programs");
  const asked = join(folder, ".requeued");
  mkdirSync(programs, { recursive: true });
  writeFileSync(
    join(programs, "scontrol"),
    `#!/bin/sh
case "$1 $2" in
  "show config") printf 'RequeueExit             = %s\\nRequeueExitHold         = 75\\n' '${requeueExit}' ;;
  requeue*) echo "$2" >> '${asked}' ;;
esac
`,
    { mode: 0o755 },
  );
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn("bash", [SCRIPT], {
    cwd: folder,
    env: {
      PATH: `${programs}:${PATH}`,
      HOME,
      NO_COLOR: "1",
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
    },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let isRunning = true;
  onTestFinished(() => {
    if (isRunning && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  });
  const log = newLog();
  log.follow(child);
  const ended = once(child, "close").then(([code]) => {
    isRunning = false;
    const requeued = existsSync(asked) ? readFileSync(asked, "utf8").trim().split("\n") : [];
    return { code, output: log.text(), requeued };
  });
  return {
    signal: (name) => void child.kill(name),
    says: (text) =>
      Promise.race([
        log.says(text),
        ended.then(({ output }) => Promise.reject(new Error(`it ended before that: ${output}`))),
      ]),
    ended,
  };
}

/** Runs a task to its end. */
export function runTask(task: Task): Promise<EndedTask> {
  return startTask(task).ended;
}
