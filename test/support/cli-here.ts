/** Runs the built command line within the test's process: a tenth of what a process of its own costs. */

import { EventEmitter } from "node:events";
import { Readable, Writable } from "node:stream";
import { SYSTEM_TIMING, type Timing } from "../../src/events/timing.js";
const BUILT = new URL("../../dist/program/run.js", import.meta.url);

/** What it is given; the working directory and the environment are the process's while it runs. */
export interface HereOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string | Buffer;
  /** Five hundred times as fast: for a run that waits, which may be ten minutes. */
  readonly isHurried?: boolean;
  /** Has stdout and stderr be a terminal of so many columns. */
  readonly screen?: number | undefined;
}

/** What had the working directory before, behind which the next one waits: there is one. */
let before: Promise<unknown> = Promise.resolve();

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = before.then(work);
  before = turn.catch(() => {});
  return turn;
}

/** Runs a command to its end, behind those that were asked for before it. */
export function runHere(args: readonly string[], options: HereOptions) {
  return inTurn(() => inPlace(options, async () => (await begin(args, options)).ended));
}

/** Starts a command that goes on until it is stopped, and waits for its first line. It has the working directory until then, and while it ends. */
export async function startHere(args: readonly string[], options: HereOptions) {
  const { events, ended, firstLine } = await inTurn(() =>
    inPlace(options, async () => {
      const started = await begin(args, options);
      const first = await Promise.race([started.first, started.ended]);
      if (typeof first !== "string") throw new Error(`it ended before that: ${first.stderr}`);
      return { ...started, firstLine: first };
    }),
  );
  const stop = () =>
    inTurn(() =>
      inPlace(options, () => {
        events.emit("SIGTERM", "SIGTERM");
        return ended;
      }),
    );
  return { firstLine, stop };
}

const HURRIED: Timing = {
  ...SYSTEM_TIMING,
  now: () => 500 * SYSTEM_TIMING.now(),
  sleep: (ms, signal) => SYSTEM_TIMING.sleep(ms / 500, signal),
};

async function begin(args: readonly string[], { stdin = "", isHurried, screen }: HereOptions) {
  const { run }: typeof import("../../src/cli/run.js") = await import(BUILT.href);
  const [stdout, stderr] = [collector(screen), collector(screen)];
  const events = new EventEmitter();
  const code = run({
    argv: [process.execPath, "auth-migrate", ...args],
    stdin: Readable.from(stdin.length === 0 ? [] : [Buffer.from(stdin)], { objectMode: false }),
    stdout: stdout.stream,
    stderr: stderr.stream,
    timing: isHurried === true ? HURRIED : SYSTEM_TIMING,
    events,
    exit: (exitCode) => {
      throw new Error(`left with ${exitCode}`);
    },
    leaveBy: () => {},
  });
  const ended = code.then((code) => ({ code, stdout: stdout.text(), stderr: stderr.text() }));
  return { events, ended, first: stdout.first };
}

function collector(columns?: number) {
  const pieces: Buffer[] = [];
  const text = (): string => Buffer.concat(pieces).toString("utf8");
  let tellFirst = (_line: string): void => {};
  const first = new Promise<string>((resolve) => {
    tellFirst = resolve;
  });
  const stream = new Writable({
    write(piece: Buffer, _encoding, done) {
      pieces.push(piece);
      if (piece.includes("\n")) tellFirst(text().split("\n")[0] ?? "");
      done();
    },
  });
  return { stream: Object.assign(stream, columns && { isTTY: true, columns }), text, first };
}

async function inPlace<T>({ cwd, env }: HereOptions, work: () => Promise<T>): Promise<T> {
  const [home, environment] = [process.cwd(), { ...process.env }];
  process.chdir(cwd);
  setEnvironment(env);
  try {
    return await work();
  } finally {
    setEnvironment(environment);
    process.chdir(home);
  }
}

/** In place: what asks the system and not JavaScript finds the same. */
function setEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) {
    if (!(name in env)) delete process.env[name];
  }
  Object.assign(process.env, env);
}
