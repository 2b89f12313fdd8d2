/** An import as an array of eight shards on a cluster, to which everything happens that an array has to survive. It judges nothing: it tells what happened. */

import { until } from "../until.js";
import { submitArray, type Task, type TaskArray } from "./array.js";
import { NODES, type NodeName } from "./config.js";
import type { Scene } from "./scene.js";
import { isAtWork, kill, linesOf, programOf, type ShardLine, scriptOf } from "./shard.js";

export const SHARDS = 8;
/** Tasks at once: one of the cluster's four slots stays free for what is submitted beside them. */
const THROTTLE = 3;
const WHOLE_RUN_MS = 300_000;
/** Slurm never runs these again by itself. */
const ENDED = ["COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL"];

/** What happened to whom: tasks by their index, from 1. */
export interface DisturbedRun {
  /** Executed a second time while the first execution was at work. */
  readonly doubled: number;
  /** What the second execution said before it ended; Slurm would have run it again. */
  readonly second: readonly ShardLine[];
  /** Told by Slurm's signal that its time is over. */
  readonly stopped: number;
  /** Its program was killed with -9. */
  readonly killed: number;
  /** Were at work on the node when that was killed. */
  readonly lost: readonly number[];
  /** All tasks when none ran or waited any more. */
  readonly beforeFix: readonly Task[];
  /** The same once those that had failed were run again with more rejects allowed. */
  readonly tasks: readonly Task[];
}

/**
 * Runs the array to its end.
 *
 * @param allow told when no task is left that runs or waits: the operator's decision on rejects
 * @throws Error where something doesn't come about in time, with what did
 */
export async function runDisturbed(
  scene: Scene,
  allow: () => Promise<void>,
): Promise<DisturbedRun> {
  const story: string[] = [];
  try {
    return await disturb(scene, allow, (event) => void story.push(event));
  } catch (error) {
    const states = await scene.cluster.cell.run("squeue", "--array", "--states=all");
    const said = Array.from({ length: SHARDS }, (_, place) => {
      const last = linesOf(scene, `shard-${place + 1}.out`).at(-1);
      return `shard ${place + 1}: ${JSON.stringify(last)}`;
    });
    throw new Error([String(error), ...story, states, ...said].join("\n"), { cause: error });
  }
}

async function disturb(
  scene: Scene,
  allow: () => Promise<void>,
  tell: (event: string) => void,
): Promise<DisturbedRun> {
  const { cluster, folder } = scene;
  const submit = (...options: readonly string[]): Promise<TaskArray> =>
    submitArray(cluster, scene.script, `--chdir=${folder}`, "--open-mode=append", ...options);
  const array = await submit(`--array=1-${SHARDS}%${THROTTLE}`, "--output=shard-%a.out");
  const atWork = async (): Promise<Task[]> => {
    const tasks = await array.tasks();
    return tasks.filter(({ state, index }) => state === "RUNNING" && isAtWork(scene, array, index));
  };

  const [doubled, stopped, killed] = await until("three shards are at work", async () => {
    const [one, two, three] = (await atWork()).map(({ index }) => index);
    return one && two && three ? ([one, two, three] as const) : null;
  });
  // Somebody takes the shard for lost, and submits it once more.
  const beside = await submit(`--array=${doubled}`, "--output=second-%a.out");
  // scancel would go on signaling once the task is requeued, so Slurm's part is taken here.
  kill(scriptOf(array, stopped), "SIGUSR1");
  kill(programOf(array, killed), "SIGKILL");
  tell(`stopped ${stopped}, killed ${killed}`);

  const second = await until("the second execution of a shard has ended", async () => {
    const [task] = await beside.tasks();
    const lines = linesOf(scene, `second-${doubled}.out`);
    return lines.length > 0 && task?.state === "PENDING" ? lines : null;
  });
  await beside.cancel();
  tell(`executed ${doubled} twice`);

  const [node, lost] = await until("shards are at work on a node", async () => {
    const tasks = await atWork();
    const [name] = NODES.filter((each) => tasks.some((task) => task.node === each));
    if (name === undefined) return null;
    const indexes = tasks.filter((task) => task.node === name).map(({ index }) => index);
    return [name, indexes] as const;
  });
  await loseNode(scene, node);
  tell(`lost ${node} with ${lost.join(" and ")}, and brought it back`);

  const whenAllEnded = (): Promise<Task[]> =>
    until(
      "all shards have ended",
      async () => {
        const tasks = await array.tasks();
        return tasks.every(({ state }) => ENDED.includes(state)) ? tasks : null;
      },
      { withinMs: WHOLE_RUN_MS, everyMs: 1000 },
    );
  const beforeFix = await whenAllEnded();
  await allow();
  for (const { state, index } of beforeFix) if (state === "FAILED") await array.requeue(index);
  tell("allowed more rejects");
  const tasks = await whenAllEnded();
  return { doubled, second, stopped, killed, lost, beforeFix, tasks };
}

/** Kills a node with all that runs on it, and brings it back once the controller has missed it. */
async function loseNode({ cluster }: Scene, node: NodeName): Promise<void> {
  await cluster.killNode(node);
  await until(`${node} is missed`, async () => {
    const state = await cluster.nodeState(node);
    return state.startsWith("down") ? state : null;
  });
  cluster.startNode(node);
}
