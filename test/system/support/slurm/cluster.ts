/** A real Slurm cluster of two nodes in a cell: one controller, and nodes that can be killed with all that runs on them and be started again. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../until.js";
import { type Cell, openCell } from "./cell.js";
import { CELL_HOST, NODES, type NodeName, slurmConf } from "./config.js";

/** A node is a process space of its own: its first process has all others die with it. */
const NODE = `echo $$ >"$1"; exec unshare --mount --pid --fork --kill-child=KILL --mount-proc bash -c 'slurmd -D -N "$0" & wait' "$2"`;

export interface Cluster {
  readonly cell: Cell;
  /** Its slurm.conf, which every task has in its environment. */
  readonly conf: string;
  /** Kills a node as a power cut would: slurmd and every process of its tasks. */
  killNode(name: NodeName): Promise<void>;
  /** Starts a node that isn't running. */
  startNode(name: NodeName): void;
  /** What the controller thinks of a node, as `sinfo` says it: `idle`, `mixed`, `down*`. */
  nodeState(name: NodeName): Promise<string>;
  /** Ends all of it and waits for the end. */
  end(): Promise<void>;
}

/**
 * Starts the cluster and waits until both nodes are there.
 *
 * @param folder is there and empty
 * @param env what the submitting shell knows; Slurm hands it on to every task
 * @throws Error where a daemon doesn't come up; the logs are in the folder
 */
export async function startCluster(
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<Cluster> {
  const conf = join(folder, "slurm.conf");
  mkdirSync(join(folder, "state"));
  writeFileSync(conf, slurmConf(folder));
  writeFileSync(join(folder, "plugstack.conf"), "");
  const cell = await openCell(folder, CELL_HOST, NODES, { ...env, SLURM_CONF: conf });
  const pidFile = (name: NodeName): string => join(folder, `${name}.pid`);
  const startNode = (name: NodeName): void => {
    const log = join(folder, `${name}.err`);
    cell.start(log, "bash", "-c", NODE, "node", pidFile(name), name);
  };
  const nodeState = async (name: NodeName): Promise<string> =>
    (await cell.run("sinfo", "--noheader", `--nodes=${name}`, "--format=%T")).trim();
  const isIdle = async (name: NodeName): Promise<boolean> => (await nodeState(name)) === "idle";

  try {
    cell.start(join(folder, "slurmctld.err"), "slurmctld", "-D", "-c");
    for (const name of NODES) startNode(name);
    await until("both nodes are idle", async () => {
      // The controller may not listen yet.
      const idle = await Promise.all(NODES.map(isIdle)).catch(() => [false]);
      return idle.every(Boolean) ? true : null;
    });
  } catch (error) {
    await cell.end();
    throw error;
  }
  return {
    cell,
    conf,
    startNode,
    nodeState,
    killNode: async (name) =>
      void (await cell.run("sh", "-c", 'kill -9 $(cat "$0")', pidFile(name))),
    end: () => cell.end(),
  };
}
