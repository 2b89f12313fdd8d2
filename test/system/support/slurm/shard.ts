/** One shard of an array, as it is seen from outside: what it says, how far it is, and its processes. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BIN } from "../../../support/cli.js";
import type { TaskArray } from "./array.js";
import type { Scene } from "./scene.js";

/** A shard that has come so far is in the midst of its work. */
const AT_WORK_USERS = 150;

/** A line of what a shard says, as `--json` has it. */
export interface ShardLine {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** What a shard has said so far, in all of its executions. */
export function linesOf({ folder }: Scene, output: string): ShardLine[] {
  const file = join(folder, output);
  if (!existsSync(file)) return [];
  return (
    readFileSync(file, "utf8")
      .split("\n")
      // A killed program may have left half a line.
      .filter((line) => line.startsWith("{") && line.endsWith("}"))
      .map((line) => JSON.parse(line))
  );
}

/** Whether the execution that is under way has sent some users. */
export function isAtWork(scene: Scene, array: TaskArray, index: number): boolean {
  if (programOf(array, index) === null) return false;
  const last = linesOf(scene, `shard-${index}.out`).findLast(
    ({ type }) => type === "progress" || type === "summary" || type === "error",
  );
  return last?.type === "progress" && Number(last.done) >= AT_WORK_USERS;
}

/** The program, but not the script that started it. */
export function programOf(array: TaskArray, index: number): number | null {
  const programs = array.processesOf(index).filter(({ command }) => command.includes(BIN));
  return programs[0]?.pid ?? null;
}

/** The script that a task runs. */
export function scriptOf(array: TaskArray, index: number): number | null {
  const isScript = (word: string): boolean => word.endsWith("/slurm_script");
  const scripts = array.processesOf(index).filter(({ command }) => command.some(isScript));
  return scripts[0]?.pid ?? null;
}

/** @throws Error where there is none any more */
export function kill(pid: number | null, signal: NodeJS.Signals): void {
  if (pid === null) throw new Error("a shard ended before it could be disturbed");
  process.kill(pid, signal);
}
