/** Runs the command line and measures it as the kernel accounts it. Needs Linux. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const CLI = fileURLToPath(new URL("../bin/auth-migrate.js", import.meta.url));

/**
 * Runs the command line to its end, which must be a good one; the process's high-water mark is read
 * four times a second.
 */
export async function measure(parameters, stdin = "ignore") {
  const start = performance.now();
  const child = spawn(process.execPath, [CLI, ...parameters, "--quiet", "--json"], {
    stdio: [stdin, "pipe", "inherit"],
  });
  let kilobytes = 0;
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    output = (output + text).slice(-100_000);
  });
  const timer = setInterval(() => {
    const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
    kilobytes = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? kilobytes);
  }, 250);
  const [code] = await once(child, "close");
  clearInterval(timer);
  if (code !== 0) throw new Error(`exit ${code}`);
  const summary = JSON.parse(output.trimEnd().split("\n").at(-1));
  const seconds = (performance.now() - start) / 1000;
  return { megabytes: (kilobytes * 1024) / 1e6, seconds, summary };
}
