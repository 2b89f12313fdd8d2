/** A cell: a part of this machine with its own processes, mounts, network and host name, made by root. Whatever is started in it ends with it, and it ends with this process, however that dies. */

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const MOST_OUTPUT_BYTES = 64 * 1024 * 1024;
/** Slurm asks for addresses as programs do that want none of loopback. */
const ADDRESS = "10.77.0.1/32";

const SPACES = ["--mount", "--net", "--pid", "--uts"];

/**
 * What the first process of the cell does. It takes in whoever loses their parent, and ends, and all
 * others with it, when nobody holds the other end of its input any more.
 */
const INIT = `
set -e
mount --make-rprivate /
mount --bind "$1" /etc/hosts
hostname "$2"
ip link set lo up
ip address add ${ADDRESS} dev lo
echo ready
cat >/dev/null
`;

export interface Started {
  /** The first line on stdout; rejects where the process ends without one. */
  readonly firstLine: Promise<string>;
  readonly process: ChildProcess;
}

export interface Cell {
  /** Runs a program to its end and answers its stdout; rejects where it fails. */
  run(program: string, ...args: readonly string[]): Promise<string>;
  /**
   * Starts a program that goes on until the cell ends.
   *
   * @param log takes what it says on stderr
   */
  start(log: string, program: string, ...args: readonly string[]): Started;
  /** Ends everything in it, and waits for the end. */
  end(): Promise<void>;
}

/**
 * Makes a cell.
 *
 * @param folder is there; the cell works in it
 * @param host its name, for itself and for `aliases`
 * @param env all that its programs know; PATH is this process's where it has none
 */
export async function openCell(
  folder: string,
  host: string,
  aliases: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Cell> {
  const hosts = join(folder, "hosts");
  writeFileSync(hosts, `127.0.0.1 localhost ${[host, ...aliases].join(" ")}\n`);
  const keeper = spawn(
    "setpriv",
    [
      ...["--pdeathsig", "KILL", "unshare", ...SPACES, "--fork", "--kill-child=KILL"],
      ...["--mount-proc", "bash", "-c", INIT, "init", hosts, host],
    ],
    { stdio: ["pipe", "pipe", "pipe"] },
  );
  const gone = once(keeper, "exit");
  await firstLineOf(keeper);
  const spaces = `/proc/${keeper.pid}/ns`;
  // Slurm's daemons are where a user's own path may not look.
  const path = `${env.PATH ?? process.env.PATH}:/usr/sbin:/sbin`;
  const inside = [
    ...[`--mount=${spaces}/mnt`, `--net=${spaces}/net`, `--uts=${spaces}/uts`],
    ...[`--pid=${spaces}/pid_for_children`, "env", "-i", `--chdir=${folder}`],
    ...Object.entries({ ...env, PATH: path }).map((each) => each.join("=")),
  ];
  return {
    async run(program, ...args) {
      const all = [...inside, program, ...args];
      const { stdout } = await promisify(execFile)("nsenter", all, {
        maxBuffer: MOST_OUTPUT_BYTES,
      });
      return stdout;
    },
    start(log, program, ...args) {
      const file = openSync(log, "a");
      const child = spawn("nsenter", [...inside, program, ...args], {
        stdio: ["ignore", "pipe", file],
      });
      closeSync(file);
      const firstLine = firstLineOf(child);
      // Not everybody who starts something wants to hear of it.
      firstLine.catch(() => {});
      return { firstLine, process: child };
    },
    async end() {
      // Its first process ends, and isn't gone before all others are.
      keeper.stdin.end();
      await gone;
    },
  };
}

function firstLineOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    let messages = "";
    child.stderr?.on("data", (part) => {
      messages += part;
    });
    child.stdout?.on("data", (part) => {
      text += part;
      if (text.includes("\n")) resolve(text.slice(0, text.indexOf("\n")));
    });
    child.on("error", reject);
    child.on("close", () => reject(new Error(`it ended before its first line: ${messages}`)));
  });
}
