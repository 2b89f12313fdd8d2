/** Runs the built command line within the test's process: a tenth of what a process of its own costs. */

import { EventEmitter } from "node:events";
import { Readable, Writable } from "node:stream";
const BUILT = new URL("../../dist/", import.meta.url);

/** What it is given; the working directory and the environment are the process's while it runs. */
export interface HereOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string | Buffer;
}

/** The run before, behind which the next one waits: there is one working directory. */
let before: Promise<unknown> = Promise.resolve();

/** Runs a command to its end, behind those that were asked for before it. */
export function runHere(args: readonly string[], options: HereOptions) {
  const run = before.then(() => inPlace(options, () => runWith(args, options.stdin)));
  before = run.catch(() => {});
  return run;
}

async function runWith(args: readonly string[], stdin: string | Buffer = "") {
  const { run }: typeof import("../../src/cli/run.js") = await import(
    new URL("cli/run.js", BUILT).href
  );
  const [stdout, stderr] = [collector(), collector()];
  const events = new EventEmitter();
  const code = await run({
    argv: [process.execPath, "auth-migrate", ...args],
    stdin: Readable.from(stdin.length === 0 ? [] : [Buffer.from(stdin)], { objectMode: false }),
    stdout: stdout.stream,
    stderr: stderr.stream,
    events,
    exit: (exitCode) => {
      throw new Error(`left with ${exitCode}`);
    },
    leaveBy: () => {},
  });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

function collector() {
  const pieces: Buffer[] = [];
  const stream = new Writable({
    write(piece: Buffer, _encoding, done) {
      pieces.push(piece);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(pieces).toString("utf8") };
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
