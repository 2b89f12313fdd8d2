/** Runs the built command line, in the test's process or as one of its own, in an environment that holds nothing of the tester's but PATH, HOME and TMPDIR. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { runHere, startHere } from "./cli-here.js";

export const BIN = fileURLToPath(new URL("../../bin/auth-migrate.js", import.meta.url));

const running = new Set<ChildProcess>();

/** Ends what still runs; called behind each test file, see end-processes.ts. */
export function endProcesses(): void {
  for (const child of running) child.kill("SIGKILL");
}

export interface CliOptions {
  readonly cwd: string;
  /** Beside PATH, HOME and NO_COLOR. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Buffer;
  /** Leaves stdin open behind what is written to it, as a terminal is. */
  readonly stdinStaysOpen?: boolean;
  /** Has waits end five hundred times as fast; not of a process of its own. */
  readonly isHurried?: boolean;
  /** Has stdout and stderr be a terminal of so many columns; not of a process of its own. */
  readonly screen?: number;
  /** The user and group to run as; only root may choose. */
  readonly uid?: number;
  /** What its new files lack of permissions; only together with `uid`. The tester's by default. */
  readonly umask?: number;
  /** The launcher to run instead of the checkout's. */
  readonly bin?: string;
  /** What `ulimit` is told before it starts. */
  readonly limits?: readonly string[];
}

export interface CliResult {
  /** Null where a signal ended the process. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process that may still run. */
export interface RunningCli {
  readonly pid: number;
  kill(signal: NodeJS.Signals): void;
  /** The first line on stdout; rejects where the process ends without one. */
  firstLine(): Promise<string>;
  /** Resolves with a line on stderr that has `text` in it, written before or later; rejects as `firstLine`. */
  says(text: string): Promise<string>;
  /** Stops reading what it writes, as a terminal or a pipe that goes away. */
  closeOutput(): void;
  /** The same for stdout alone. */
  closeStdout(): void;
  readonly ended: Promise<CliResult>;
}

export interface ServedCore {
  readonly url: string;
  readonly apiKey: string;
  /** Asks it to stop as a service manager does, and waits for its end. */
  stop(): Promise<CliResult>;
}

export interface ServedProcess extends ServedCore {
  readonly pid: number;
  /** Ends it at once, as `kill -9` does, and waits for its end. */
  kill(): Promise<CliResult>;
}

/** How a core is served, beside where. */
export interface ServeOptions extends CliOptions {
  readonly args?: readonly string[];
  readonly apiKey?: string;
}

/** Runs a command to its end: in this process, unless an option is a process's own. What a process alone shows is asked of {@link runProcess}. */
export function runCli(args: readonly string[], options: CliOptions): Promise<CliResult> {
  const { uid, bin, limits, stdinStaysOpen, env } = options;
  const ofProcess = uid ?? bin ?? limits ?? stdinStaysOpen ?? env?.NODE_OPTIONS;
  return ofProcess !== undefined
    ? runProcess(args, options)
    : runHere(args, { ...options, env: environmentOf(options) });
}

/** Runs a command to its end as a process of its own: for what becomes of its memory, its threads, its pipes or its open files. */
export function runProcess(args: readonly string[], options: CliOptions): Promise<CliResult> {
  return startCli(args, options).ended;
}

function environmentOf({ env = {} }: CliOptions): Record<string, string> {
  const { PATH = "", HOME = "", TMPDIR } = process.env;
  return { PATH, HOME, NO_COLOR: "1", ...(TMPDIR === undefined ? {} : { TMPDIR }), ...env };
}

/** Node.js itself may lie where only root can go, so it becomes the user after it has started. */
function become({ uid, umask = process.umask() }: CliOptions): string[] {
  if (uid === undefined) return [];
  const code = `process.umask(${umask});process.setgroups([]);process.setgid(${uid});process.setuid(${uid})`;
  return ["--import", `data:text/javascript,${code}`];
}

/** Starts a command and doesn't wait. */
export function startCli(args: readonly string[], options: CliOptions): RunningCli {
  const { cwd, stdin = "", stdinStaysOpen = false, bin = BIN, limits = [] } = options;
  const node = [process.execPath, ...become(options), bin, ...args];
  const commands = [...limits.map((limit) => `ulimit ${limit}`), 'exec "$@"'];
  const [program = "", ...rest] =
    limits.length === 0 ? node : ["/bin/sh", "-c", commands.join(" && "), "sh", ...node];
  const child = spawn(program, rest, {
    cwd,
    env: environmentOf(options),
    stdio: "pipe",
  });
  running.add(child);
  // A process may end without reading what it is given.
  child.stdin.on("error", () => {});
  if (stdinStaysOpen) child.stdin.write(stdin);
  else child.stdin.end(stdin);
  const output = createInterface(child.stdout);
  const messages = createInterface(child.stderr);
  const said: string[] = [];
  messages.on("line", (line) => void said.push(line));
  const ended = collect(child);
  const orEnd = <T>(line: Promise<T>): Promise<T> =>
    Promise.race([
      line,
      ended.then(({ stderr }) => Promise.reject(new Error(`it ended before that: ${stderr}`))),
    ]);
  const first = once(output, "line").then(([line]) => String(line));
  return {
    pid: child.pid ?? 0,
    kill: (signal) => void child.kill(signal),
    closeOutput() {
      child.stdout.destroy();
      child.stderr.destroy();
    },
    closeStdout: () => void child.stdout.destroy(),
    firstLine: () => orEnd(first),
    says: (text) =>
      orEnd(
        new Promise((resolve) => {
          const hear = (line: string): void => {
            if (line.includes(text)) resolve(line);
          };
          said.forEach(hear);
          messages.on("line", hear);
        }),
      ),
    ended,
  };
}

const SERVE = ["serve", "--json", "--port", "0"];
const SERVED_KEY = "served-core-key-0001";

/** Runs `auth-migrate serve` in this process, on a free loopback port, and waits until it listens. */
export async function serveHere(options: ServeOptions): Promise<ServedCore> {
  const { args = [], apiKey = SERVED_KEY, env = {} } = options;
  const { firstLine, stop } = await startHere([...SERVE, ...args], {
    cwd: options.cwd,
    env: environmentOf({ ...options, env: { AUTH_MIGRATE_API_KEY: apiKey, ...env } }),
  });
  const { url }: { url: string } = JSON.parse(firstLine);
  return { url, apiKey, stop };
}

/** The same as a process of its own: for what a kill or a limit does to it. */
export async function startServe(options: ServeOptions): Promise<ServedProcess> {
  const { args = [], apiKey = SERVED_KEY, env = {} } = options;
  const server = startCli([...SERVE, ...args], {
    ...options,
    env: { AUTH_MIGRATE_API_KEY: apiKey, ...env },
  });
  const { url }: { url: string } = JSON.parse(await server.firstLine());
  return {
    url,
    apiKey,
    pid: server.pid,
    kill() {
      server.kill("SIGKILL");
      return server.ended;
    },
    stop() {
      server.kill("SIGTERM");
      return server.ended;
    },
  };
}

async function collect(child: ChildProcess): Promise<CliResult> {
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text) => {
    stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  const [code] = await once(child, "close");
  running.delete(child);
  return { code, stdout, stderr };
}
