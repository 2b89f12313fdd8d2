/** Starts an embedded core in a process of its own, and speaks to it as to a core. */

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { Core } from "../../src/core/core.js";

const SCRIPT = fileURLToPath(new URL("./core-process.mjs", import.meta.url));
const BUILT = fileURLToPath(new URL("../../dist/core/embedded/embedded-core.js", import.meta.url));

/** What every core has. */
type Method = Exclude<keyof Core, "target">;

/** What of an `EmbeddedCoreOptions` goes through JSON. */
export interface CoreProcessOptions {
  readonly file: string;
  readonly lockWaitMs?: number;
}

export interface CoreProcess {
  readonly pid: number;
  /** Rejects with the kind and the message of the failure there. */
  call<M extends Method>(method: M, argument: Parameters<Core[M]>[0]): ReturnType<Core[M]>;
  /** Resolves once the process is gone. */
  kill(): Promise<void>;
}

interface Answer {
  readonly ready?: true;
  readonly id: number;
  readonly outcome?: unknown;
  readonly failure?: unknown;
}

/**
 * @param limits what `ulimit` is told before the core starts; it ends with the test in any case
 */
export async function startCoreProcess(
  options: CoreProcessOptions,
  limits: readonly string[] = [],
): Promise<CoreProcess> {
  if (!existsSync(BUILT)) throw new Error("run npm run build first");
  const commands = [...limits.map((limit) => `ulimit ${limit}`), 'exec "$@"'];
  const child = spawn(
    "/bin/sh",
    ["-c", commands.join(" && "), "sh", process.execPath, SCRIPT, JSON.stringify(options)],
    { stdio: ["ignore", "inherit", "inherit", "ipc"] },
  );
  const gone = new Promise<void>((resolve) => child.on("close", () => resolve()));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await gone;
  });
  const answers = listen(child);
  await answers.ready;
  return {
    pid: child.pid ?? 0,
    call: (method, argument) => answers.ask(method, argument) as never,
    kill() {
      child.kill("SIGKILL");
      return gone;
    },
  };
}

function listen(child: ChildProcess) {
  const waiting = new Map<number, (answer: Answer) => void>();
  let next = 0;
  const ready = new Promise<void>((resolve, reject) => {
    child.on("message", (answer: Answer) => {
      if (answer.ready) resolve();
      else waiting.get(answer.id)?.(answer);
    });
    child.on("close", (code, signal) => {
      const failure = new Error(`the core's process ended with ${code ?? signal}`);
      reject(failure);
      for (const [id, settle] of waiting) settle({ id, failure });
    });
  });
  return {
    ready,
    ask(method: string, argument: unknown): Promise<unknown> {
      const id = next++;
      return new Promise((resolve, reject) => {
        waiting.set(id, ({ outcome, failure }) => {
          waiting.delete(id);
          if (failure === undefined) resolve(outcome);
          else reject(failure);
        });
        child.send({ id, method, argument });
      });
    },
  };
}
