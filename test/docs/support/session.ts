/** A folder in which a page's commands are run as a reader would type them, with the programs and addresses of the docs standing for those of the test. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { freePort } from "../../../bench/frame/free-port.js";
import { BIN, runCli, type ServedCore, serveHere } from "../../support/cli.js";
import { ROOT } from "../../laws/source-files.js";

/** Where fixtures are looked for. */
const FIXTURES = [
  join(ROOT, "test/docs/fixtures"),
  join(ROOT, "test/cli/fixtures"),
  join(ROOT, "fixtures"),
];

/** What the docs write for the reader's core, and for the one that `serve` starts. */
const REMOTE_CORE = "https://core.example.com";
const SERVED_CORE = "127.0.0.1:3567";

const API_KEY = "docs-served-core-key-0001";

/**
 * Programs that stand for those of the docs:
 * `auth-migrate` and `npx auth-migrate` are a build, this checkout's by default; `npm ci` has been done already.
 */
const programsOf = (bin: string) => ({
  "auth-migrate": `exec ${process.execPath} ${bin} "$@"`,
  npx: `[ "$1" = auth-migrate ] || { echo "npx $1 is not for these tests" >&2; exit 127; }; shift; exec auth-migrate "$@"`,
  npm: `[ "$1" = ci ] || { echo "npm $1 is not for these tests" >&2; exit 127; }; mkdir -p node_modules/.bin; ln -sf "$(command -v auth-migrate)" node_modules/.bin/`,
});

export interface ShellResult {
  readonly code: number | null;
  /** What a terminal would show, with the docs' addresses in it. */
  readonly output: string;
}

export interface Session {
  readonly folder: string;
  /** Copies fixtures, as a block's directive names them. */
  give(fixtures: readonly string[]): void;
  /** Runs a script by `sh -e`; `shell` names another one. */
  run(
    script: string,
    shell?: readonly string[],
    env?: Record<string, string>,
  ): Promise<ShellResult>;
  /** The same for what a shell isn't needed for, commands of the checkout's auth-migrate alone: in the test's process, at a tenth of the cost. */
  runHere(script: string): Promise<ShellResult>;
  /** The docs' addresses as those of the test; serves the reader's core, where the text needs one. */
  addressed(text: string): Promise<string>;
  /** Runs one whose last command doesn't end, until it says where it listens. */
  serve(script: string): Promise<ShellResult>;
  end(): Promise<void>;
}

/**
 * Opens a session in a new folder.
 *
 * @param mentions all its text, by which a core for the reader is served or not
 * @param bin another program than this checkout's, such as an installed package's
 */
export async function openSession(folder: string, mentions: string, bin = BIN): Promise<Session> {
  const programs = join(folder, ".programs");
  const work = join(folder, "work");
  for (const path of [programs, work]) mkdirSync(path, { recursive: true });
  for (const [name, script] of Object.entries(programsOf(bin))) {
    writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  const port = await freePort();
  const servers: ChildProcess[] = [];
  let core: ServedCore | null = null;

  const give = (fixtures: readonly string[]): void => {
    for (const fixture of fixtures) {
      const [from = "", to = from.split("/").at(-1) ?? from] = fixture.split(":");
      const source = FIXTURES.map((each) => join(each, from)).find((path) => existsSync(path));
      if (source === undefined) throw new Error(`There is no fixture ${from}`);
      mkdirSync(dirname(join(work, to)), { recursive: true });
      cpSync(source, join(work, to), { recursive: true });
    }
  };
  const ensureCore = async (): Promise<void> => {
    if (core !== null || !mentions.includes(REMOTE_CORE)) return;
    const files = readdirSync(work, { recursive: true, encoding: "utf8" });
    const hashConfig = files.find((name) => name.endsWith("hash-config.txt"));
    const args = hashConfig === undefined ? [] : ["--hash-config", join(work, hashConfig)];
    core = await serveHere({ cwd: folder, args, apiKey: API_KEY });
  };
  const toTest = (text: string): string => {
    // This one first: the core may have a port that begins with the same digits.
    const served = text.replaceAll(SERVED_CORE, `127.0.0.1:${port}`);
    return core === null ? served : served.replaceAll(REMOTE_CORE, core.url);
  };
  const toDocs = (text: string): string => {
    const remote = core === null ? text : text.replaceAll(core.url, REMOTE_CORE);
    return remote.replaceAll(`127.0.0.1:${port}`, SERVED_CORE).replaceAll(work, ".");
  };
  const environment = () => ({
    AUTH_MIGRATE_PORT: String(port),
    ...(core === null ? {} : { AUTH_MIGRATE_API_KEY: API_KEY }),
  });
  const start = (shell: readonly string[], script: string, env: Record<string, string>) => {
    const [program = "sh", ...args] = shell;
    const { PATH = "", HOME = "" } = process.env;
    return spawn(program, [...args, `exec 2>&1\n${toTest(script)}`], {
      cwd: work,
      env: {
        PATH: `${programs}:${PATH}`,
        HOME,
        NO_COLOR: "1",
        ...environment(),
        ...env,
      },
      stdio: ["ignore", "pipe", "ignore"],
      detached: true,
    });
  };
  const run: Session["run"] = async (script, shell = ["sh", "-e", "-c"], env = {}) => {
    await ensureCore();
    const child = start(shell, script, env);
    const output = collect(child);
    const [code] = await once(child, "close");
    return { code, output: toDocs(output.text()) };
  };
  return {
    folder: work,
    give,
    run,
    async runHere(script) {
      const commands = plainCommands(script);
      if (commands === null || bin !== BIN) return run(script);
      await ensureCore();
      let output = "";
      for (const args of commands) {
        const result = await runCli(args.map(toTest), { cwd: work, env: environment() });
        output += result.stdout + result.stderr;
        if (result.code !== 0) return { code: result.code, output: toDocs(output) };
      }
      return { code: 0, output: toDocs(output) };
    },
    async addressed(text) {
      await ensureCore();
      return toTest(text);
    },
    async serve(script) {
      const child = start(["sh", "-e", "-c"], script, {});
      servers.push(child);
      const output = collect(child);
      const ended = once(child, "close").then(() => "ended");
      while (!output.text().includes("listens on")) {
        const next = await Promise.race([ended, once(child.stdout ?? child, "data")]);
        if (next === "ended") return { code: child.exitCode, output: toDocs(output.text()) };
      }
      return { code: 0, output: toDocs(output.text()) };
    },
    async end() {
      for (const { pid } of servers) if (pid !== undefined) killGroup(pid);
      await core?.stop();
    },
  };
}

/** The arguments of each command, or null where a shell has more to do than to cut words. */
function plainCommands(script: string): string[][] | null {
  const lines = script.replaceAll("\\\n", " ").trimEnd().split("\n");
  const commands = lines.map((line) => line.replace(/\s+#.*$/, ""));
  if (!commands.every((command) => /^auth-migrate(?: +[\w@%.,:/=+-]+)*$/.test(command)))
    return null;
  return commands.map((command) => command.split(/ +/).slice(1));
}

function collect(child: ChildProcess): { text(): string } {
  let text = "";
  child.stdout?.setEncoding("utf8").on("data", (piece) => {
    text += piece;
  });
  return { text: () => text };
}

/** The shell and what it started. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
