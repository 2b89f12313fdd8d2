/** The shard that an engine gives its task, by the variables that it sets. It starts nothing; what each engine promises is in docs/shards.md. */

import { RunError } from "../errors/run-error.js";
import { requireShard, type Shard } from "../events/shard.js";

/** Where an engine says which task of how many this is. */
interface Engine {
  readonly name: string;
  /** The variable by which it is recognized. */
  readonly index: string;
  read(variable: (name: string) => number | null, given: number | null): Placed;
}

/** From 0; `count` is null where the engine doesn't say. */
interface Placed {
  readonly place: number;
  readonly count: number | null;
}

const ENGINES: readonly Engine[] = [
  {
    // https://kubernetes.io/docs/concepts/workloads/controllers/job/#completion-mode
    name: "Kubernetes",
    index: "JOB_COMPLETION_INDEX",
    read: (variable) => ({ place: variable("JOB_COMPLETION_INDEX") ?? 0, count: null }),
  },
  {
    // https://docs.aws.amazon.com/batch/latest/userguide/job_env_vars.html
    name: "AWS Batch",
    index: "AWS_BATCH_JOB_ARRAY_INDEX",
    read: (variable) => ({
      place: variable("AWS_BATCH_JOB_ARRAY_INDEX") ?? 0,
      count: variable("AWS_BATCH_JOB_ARRAY_SIZE"),
    }),
  },
  {
    // https://slurm.schedmd.com/job_array.html
    name: "Slurm",
    index: "SLURM_ARRAY_TASK_ID",
    read: slurmPlace,
  },
];

/**
 * The shard of an engine's task.
 *
 * @param environment as `process.env`
 * @param given `--shards`, or null
 * @throws RunError `usage` where no engine or several speak, where nobody says the count, or where
 *   the two counts differ
 */
export function engineShard(
  environment: Readonly<Record<string, string | undefined>>,
  given: number | null,
): Shard {
  const found = ENGINES.filter(({ index }) => (environment[index] ?? "") !== "");
  const [engine] = found;
  if (engine === undefined || found.length > 1) throw noOneEngine(found);
  const variable = (name: string): number | null => numberIn(environment, name);
  const { place, count: told } = engine.read(variable, given);
  if (told !== null && given !== null && told !== given) throw otherCount(engine, told, given);
  const count = given ?? told;
  if (count === null) {
    throw usage(
      `${engine.name} says which task this is, but not of how many.`,
      "Add --shards N, the number of tasks that the job has.",
    );
  }
  return requireShard({ index: place + 1, count });
}

/** A part of an array that is sent once more has the same ids, and another count. */
function slurmPlace(variable: (name: string) => number | null, given: number | null): Placed {
  const id = variable("SLURM_ARRAY_TASK_ID") ?? 0;
  const first = variable("SLURM_ARRAY_TASK_MIN") ?? 0;
  const step = variable("SLURM_ARRAY_TASK_STEP") ?? 1;
  const count = variable("SLURM_ARRAY_TASK_COUNT");
  const place = (id - first) / Math.max(1, step);
  if (!Number.isInteger(place) || (count !== null && place >= count)) {
    throw usage(
      "The ids of this Slurm array have gaps, so that its tasks don't say which shards they are.",
      "Give it ids without gaps, as in --array=1-8, or each task its --shard i/n.",
    );
  }
  if (count === 1 && given === null) {
    throw usage(
      "This Slurm array has one task: it says nothing of the shards that there are beside it.",
      "To run one shard of several again, give it --shard i/n; for an array of one, add --shards 1.",
    );
  }
  return { place, count };
}

function numberIn(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
): number | null {
  const text = environment[name] ?? "";
  if (text === "") return null;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw usage(`The variable ${name} isn't a whole number.`, "Give --shard i/n instead.");
}

function noOneEngine(found: readonly Engine[]): RunError {
  const names = ENGINES.map(({ index, name }) => `${index} (${name})`).join(", ");
  return found.length === 0
    ? usage(
        "No engine says which shard this is.",
        `Give --shard i/n, as in 3/8, or run it as a task of an array, which sets one of ${names}.`,
      )
    : usage(
        `Several engines say which shard this is: ${found.map(({ index }) => index).join(", ")}.`,
        "Give --shard i/n, as in 3/8.",
      );
}

function otherCount({ name }: Engine, told: number, given: number): RunError {
  return usage(
    `${name} says that there are ${told} tasks, and --shards that there are ${given} shards.`,
    "Start the array with as many tasks as there are shards, or give each task its --shard i/n.",
  );
}

function usage(message: string, hint: string): RunError {
  return new RunError("usage", message, { hint });
}
