/** Job arrays of a cluster: submits them, tells how each task stands, runs tasks again, and finds the processes behind them. */

import { readdirSync, readFileSync } from "node:fs";
import type { Cluster } from "./cluster.js";

/** How a task stands, as the controller says it. */
export interface Task {
  readonly index: number;
  /** `PENDING`, `RUNNING`, `COMPLETED`, `FAILED`, … */
  readonly state: string;
  /** How often Slurm has run it again. */
  readonly restarts: number;
  /** Its last exit code and the signal that ended it. */
  readonly exit: string;
  /** Empty while it waits. */
  readonly node: string;
}

/** A process that belongs to a task. */
export interface TaskProcess {
  readonly pid: number;
  /** Its words, the program first. */
  readonly command: readonly string[];
}

export interface TaskArray {
  readonly job: string;
  /** All of its tasks, by index. */
  tasks(): Promise<Task[]>;
  /** Has a task that has ended run again, as an operator does. */
  requeue(index: number): Promise<void>;
  /** Ends all tasks for good, those that wait among them. */
  cancel(): Promise<void>;
  /** The processes of a task, parents first. Their ids are those of this process's space. */
  processesOf(index: number): TaskProcess[];
}

/** Submits a script as an array, with `options` of sbatch beside it. */
export async function submitArray(
  { cell, conf }: Cluster,
  script: string,
  ...options: readonly string[]
): Promise<TaskArray> {
  const job = (await cell.run("sbatch", "--parsable", ...options, script)).trim();
  return {
    job,
    tasks: async () => parseTasks(await cell.run("scontrol", "--oneliner", "show", "job", job)),
    requeue: async (index) => void (await cell.run("scontrol", "requeue", `${job}_${index}`)),
    cancel: async () => void (await cell.run("scancel", job)),
    processesOf: (index) =>
      findProcesses([
        `SLURM_CONF=${conf}`,
        `SLURM_ARRAY_JOB_ID=${job}`,
        `SLURM_ARRAY_TASK_ID=${index}`,
      ]),
  };
}

/** Reads `scontrol --oneliner show job`: a line for a task, and one for all that never began. */
export function parseTasks(text: string): Task[] {
  return text
    .split("\n")
    .filter((line) => line.includes("ArrayTaskId="))
    .flatMap((line) => {
      const field = (name: string): string =>
        new RegExp(`(?:^| )${name}=(\\S*)`).exec(line)?.[1] ?? "";
      const node = field("NodeList");
      return indexesIn(field("ArrayTaskId")).map((index) => ({
        index,
        state: field("JobState"),
        restarts: Number(field("Restarts")),
        exit: field("ExitCode"),
        node: node === "(null)" ? "" : node,
      }));
    })
    .sort((one, other) => one.index - other.index);
}

/** The numbers in `4,6-8%3`. */
function indexesIn(list: string): number[] {
  const [ranges = ""] = list.split("%");
  return ranges.split(",").flatMap((range) => {
    const [first = Number.NaN, last = first] = range.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, place) => first + place);
  });
}

/** Looks through all processes, those of cells among them, for those with these variables. */
function findProcesses(variables: readonly string[]): TaskProcess[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .sort((one, other) => one - other)
    .flatMap((pid) => {
      const environment = wordsOf(`/proc/${pid}/environ`);
      if (!variables.every((variable) => environment.includes(variable))) return [];
      return [{ pid, command: wordsOf(`/proc/${pid}/cmdline`) }];
    });
}

/** A process may end while it is looked at. */
function wordsOf(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\0");
  } catch {
    return [];
  }
}
