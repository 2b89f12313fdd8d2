/** Runs the built command line under strace, which makes the nth of its calls on a file fail, kills it there, or stops it behind each of them. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll } from "vitest";
import { BIN, type CliResult } from "../../support/cli.js";

/** The calls by which SQLite and we make, change and remove files. */
export const PERSISTENCE_CALLS = [
  "openat",
  "pwrite64",
  "fsync",
  "fdatasync",
  "ftruncate",
  "unlink",
] as const;

export type PersistenceCall = (typeof PERSISTENCE_CALLS)[number];

/** Those and the calls by which they are read. */
export type FileCall = PersistenceCall | "pread64";

/** What happens at which call. */
export interface Injection {
  readonly call: FileCall;
  /** From 1. */
  readonly number: number;
  /** `KILL`: the process dies before the call. An error: the call fails, alone or with all after it. */
  readonly what: "KILL" | "EIO" | "ENOSPC";
  readonly andAllAfter?: boolean;
}

/** A command under strace. */
export interface Command {
  readonly args: readonly string[];
  /** Whose calls count; those on any file where it is empty. */
  readonly files: readonly string[];
  /** A file for what strace tells. */
  readonly trace: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Traced extends CliResult {
  /** Whether it came so far. */
  readonly injected: boolean;
}

const running = new Set<ChildProcess>();
afterAll(() => {
  for (const child of running) child.kill("SIGKILL");
});

function start({ args, files, env }: Command, how: readonly string[]): ChildProcess {
  const paths = files.flatMap((file) => ["-P", file]);
  // -f: threads of Node.js read and write, too.
  const child = spawn("strace", ["-f", ...how, ...paths, process.execPath, BIN, ...args], {
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    env: { PATH: process.env.PATH, NO_COLOR: "1", ...env },
  });
  running.add(child);
  child.once("close", () => running.delete(child));
  return child;
}

/** What it writes and how it ends; strace ends as its child did. */
async function endOf(child: ChildProcess) {
  const [stdout, stderr, [code, signal]] = await Promise.all([
    text(child.stdout ?? Readable.from([])),
    text(child.stderr ?? Readable.from([])),
    once(child, "close"),
  ]);
  return { code, signal, stdout, stderr };
}

/** Runs it with one call disturbed. */
export async function runTraced(
  command: Command,
  { call, number, what, andAllAfter = false }: Injection,
): Promise<Traced> {
  const fault = what === "KILL" ? "signal=KILL" : `error=${what}`;
  const when = `${number}${andAllAfter ? "+" : ""}`;
  const { signal, ...result } = await endOf(
    start(command, [
      ...["-qq", "-y", "-o", command.trace, "-e", `trace=${call}`],
      // Stops at no other call, which is far quicker; but a signal is lost on that way.
      ...(what === "KILL" ? [] : ["--seccomp-bpf"]),
      ...["-e", `inject=${call}:${fault}:when=${when}`],
    ]),
  );
  const injected =
    what === "KILL"
      ? signal === "SIGKILL"
      : readFileSync(command.trace, "utf8").includes("(INJECTED)");
  return { ...result, injected };
}

/** A call as a run made it. */
export interface WatchedCall {
  readonly thread: string;
  readonly call: FileCall;
  /** Among the thread's calls of that name, from 1. */
  readonly number: number;
  readonly file: string;
}

/** Runs it to its end, undisturbed. */
export async function runWatched(
  command: Command,
  calls: readonly FileCall[],
): Promise<WatchedCall[]> {
  const how = ["-qq", "-y", "--seccomp-bpf", "-o", command.trace, "-e", `trace=${calls}`];
  await endOf(start(command, how));
  const counts = new Map<string, number>();
  return readFileSync(command.trace, "utf8")
    .split("\n")
    .flatMap((line) => {
      const [, thread = "", call = "", file = ""] = /^(\d+) +(\w+)\(\d+<([^>]*)>/.exec(line) ?? [];
      if (call === "") return [];
      const number = (counts.get(thread + call) ?? 0) + 1;
      counts.set(thread + call, number);
      return [{ thread, call: call as FileCall, number, file }];
    });
}

/**
 * Runs it to its end, and stops all its threads behind every so-and-so-many of each thread's calls.
 * What lies on the disk then is what a kill would leave that comes before the next one.
 *
 * @param onStop called while it stands still
 */
export async function runStopping(
  command: Command,
  { call, every }: { readonly call: PersistenceCall; readonly every: number },
  onStop: () => Promise<void>,
): Promise<CliResult> {
  const child = start(command, [
    ...["-q", "-o", "|exec cat >&3", "-e", `trace=${call}`],
    ...["-e", `inject=${call}:signal=STOP:when=${every}+${every}`],
  ]);
  const end = endOf(child);
  const still = new Set<string>();
  for await (const line of createInterface(child.stdio[3] as Readable)) {
    const [thread = ""] = line.split(" ", 1);
    if (line.includes("--- stopped by SIGSTOP")) still.add(thread);
    if (line.includes("+++ exited")) still.delete(thread);
    const [one] = still;
    if (one === undefined || still.size < threadsWith(one)) continue;
    await onStop();
    still.clear();
    process.kill(Number(one), "SIGCONT");
  }
  const { signal: _signal, ...result } = await end;
  return result;
}

/** How many threads the process has that one of them belongs to. */
function threadsWith(thread: string): number {
  return readdirSync(`/proc/${thread}/task`).length;
}
