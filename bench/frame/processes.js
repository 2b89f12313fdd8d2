/** Runs each side of a comparison as a process of its own, and says what it took. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { pathOf } from "./settings.js";

export const CLI = pathOf("../bin/auth-migrate.js");

const ACCOUNT = pathToFileURL(pathOf("frame/account.js")).href;
/** Enough for a summary, which is the last line. */
const KEPT_CHARACTERS = 100_000;

/** Starts Node.js; `account` can be asked for when it has closed. */
function start(parameters, stdin, stdout) {
  const child = spawn(process.execPath, ["--import", ACCOUNT, ...parameters.map(String)], {
    stdio: [stdin, stdout, "inherit", "pipe"],
  });
  let text = "";
  child.stdio[3].setEncoding("utf8").on("data", (piece) => {
    text += piece;
  });
  return { child, account: () => JSON.parse(text) };
}

/**
 * Runs Node.js to its end, which must be a good one.
 *
 * @param options `stdin` and `stdout` as `spawn` takes them; `onOutput` hears what is written
 * @returns `lastLine` of its output, and its account: `milliseconds` from the end of Node's own
 *   start to the exit, `cpuMilliseconds` of all threads, `megabytes` of memory at most
 */
export async function runNode(parameters, options = {}) {
  const { stdin = "ignore", stdout = "pipe", onOutput = () => {} } = options;
  const { child, account } = start(parameters, stdin, stdout);
  let output = "";
  child.stdout?.setEncoding("utf8").on("data", (text) => {
    output = (output + text).slice(-KEPT_CHARACTERS);
    onOutput(text);
  });
  const [code, signal] = await once(child, "close");
  const lastLine = output.trimEnd().split("\n").at(-1);
  if (code !== 0) throw new Error(`${parameters.join(" ")}: exit ${code ?? signal}\n${lastLine}`);
  return { lastLine, ...account() };
}

/**
 * Runs a file of `bench`, whose last line says `users` and `milliseconds`, by a clock of its own
 * that leaves out what is no part of the reference.
 */
export async function runSide(file, ...parameters) {
  const { lastLine, ...account } = await runNode([pathOf(file), ...parameters]);
  return { ...account, ...JSON.parse(lastLine) };
}

/**
 * Runs a command that ends with a summary. Its time is the whole process's but for Node's own start:
 * loading, reading, and also what comes after the summary.
 *
 * @param options as {@link runNode}; `node` are arguments of Node's own
 */
export async function runCli(parameters, { node = [], ...options } = {}) {
  const command = [...node, CLI, ...parameters, "--quiet", "--json"];
  const { lastLine, ...account } = await runNode(command, options);
  const summary = JSON.parse(lastLine);
  return { ...account, users: summary.read, summary };
}

/**
 * Runs `work` with the URL that a server, a process of its own, says as JSON on its first line.
 *
 * @param parameters those of Node.js
 * @returns what `work` answers, and as `server` the server's own account
 */
export async function withServer(parameters, work) {
  const server = start(parameters, "ignore", "pipe");
  const ended = once(server.child, "close");
  try {
    const [line] = await once(createInterface(server.child.stdout), "line");
    const result = await work(JSON.parse(line).url);
    server.child.kill("SIGTERM");
    await ended;
    return { ...result, server: server.account() };
  } finally {
    server.child.kill("SIGTERM");
    await ended;
  }
}
