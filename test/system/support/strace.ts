/** Runs the built command line under strace, which makes the nth of its calls on a file fail, or kills it there. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { onTestFinished } from "vitest";
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

/** What happens at which call. */
export interface Injection {
  readonly call: (typeof PERSISTENCE_CALLS)[number];
  /** From 1. */
  readonly number: number;
  /** `KILL`: the process dies before the call. An error: the call fails, alone or with all after it. */
  readonly what: "KILL" | "EIO" | "ENOSPC";
  readonly andAllAfter?: boolean;
}

export interface Traced extends CliResult {
  /** Whether it came so far. */
  readonly injected: boolean;
}

/**
 * @param files whose calls count
 * @param trace a file for what strace tells
 */
export async function runTraced(
  args: readonly string[],
  { files, trace }: { readonly files: readonly string[]; readonly trace: string },
  { call, number, what, andAllAfter = false }: Injection,
  env: Readonly<Record<string, string>> = {},
): Promise<Traced> {
  const fault = what === "KILL" ? "signal=KILL" : `error=${what}`;
  const when = `${number}${andAllAfter ? "+" : ""}`;
  const child = spawn(
    "strace",
    [
      // -f: threads of Node.js read and write, too.
      ...["-f", "-qq", "-o", trace, "-e", `trace=${call}`],
      // Stops at no other call, which is far quicker; but a signal is lost on that way.
      ...(what === "KILL" ? [] : ["--seccomp-bpf"]),
      ...files.flatMap((file) => ["-P", file]),
      ...["-e", `inject=${call}:${fault}:when=${when}`],
      ...[process.execPath, BIN, ...args],
    ],
    {
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env.PATH, NO_COLOR: "1", ...env },
    },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  const [code, signal] = await once(child, "close");
  // strace ends as its child did.
  const injected =
    what === "KILL" ? signal === "SIGKILL" : readFileSync(trace, "utf8").includes("(INJECTED)");
  return { code, stdout, stderr, injected };
}
