/** The slurm.conf of a cluster whose nodes share one machine, for Debian's 22.05. Pure. */

/** The cell's name as a host, which the controller asks for. */
export const CELL_HOST = "cell";
/** Both are this machine, with slots of their own. */
export const NODES = ["n0", "n1"] as const;
export type NodeName = (typeof NODES)[number];

const CPUS_PER_NODE = 2;
/** As much as a script may ask for; nobody counts it. */
const MEGABYTES = 4096;
/** The cell has a network of its own, so nobody else is at these. */
const CONTROLLER_PORT = 6817;
const FIRST_NODE_PORT = 6818;

/**
 * The text of slurm.conf.
 *
 * @param folder is there, belongs to root, and takes what daemons keep and log
 */
export function slurmConf(folder: string): string {
  const ports = `[${FIRST_NODE_PORT}-${FIRST_NODE_PORT + NODES.length - 1}]`;
  const names = NODES.join(",");
  return `${[
    "ClusterName=shards",
    `SlurmctldHost=${CELL_HOST}(127.0.0.1)`,
    `SlurmctldPort=${CONTROLLER_PORT}`,
    "SlurmUser=root",
    "SlurmdUser=root",
    // Nobody else is in the cell. A task's credential has to expire before it is run again.
    "AuthType=auth/none",
    "CredType=cred/none",
    "AuthInfo=cred_expire=8",
    "ProctrackType=proctrack/linuxproc",
    "TaskPlugin=task/none",
    "SwitchType=switch/none",
    "MpiDefault=none",
    "JobAcctGatherType=jobacct_gather/none",
    "JobCompType=jobcomp/none",
    "AccountingStorageType=accounting_storage/none",
    "SelectType=select/cons_tres",
    "SelectTypeParameters=CR_CPU",
    // What this is about: 75 is run again, and so is what was lost with its node.
    "JobRequeue=1",
    "RequeueExit=75",
    "ReturnToService=2",
    "SlurmdTimeout=10",
    "SlurmctldTimeout=10",
    "SchedulerParameters=sched_interval=2",
    "SlurmdParameters=config_overrides",
    `PlugStackConfig=${folder}/plugstack.conf`,
    `StateSaveLocation=${folder}/state`,
    `SlurmdSpoolDir=${folder}/spool-%n`,
    `SlurmctldPidFile=${folder}/slurmctld.pid`,
    `SlurmdPidFile=${folder}/slurmd-%n.pid`,
    `SlurmctldLogFile=${folder}/slurmctld.log`,
    `SlurmdLogFile=${folder}/slurmd-%n.log`,
    `NodeName=${names} NodeAddr=127.0.0.1 Port=${ports} CPUs=${CPUS_PER_NODE} RealMemory=${MEGABYTES}`,
    `PartitionName=all Nodes=${names} Default=YES MaxTime=INFINITE State=UP`,
  ].join("\n")}\n`;
}
