/** Runs the built command line among canaries, and looks for them in everything that it leaves behind. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type CliResult, type RunningCli, runCli, startCli } from "../../support/cli.js";
import type { Aviary } from "./canary.js";
import type { Exports } from "./exports.js";

/** Where a canary may be, each for a reason. */
const ALLOWED: readonly { readonly file: RegExp; readonly reason: string }[] = [
  { file: /^core\.db(?:-wal|-shm)?$/, reason: "the core's own users, with their hashes" },
  { file: /^mendable\.csv$/, reason: "rows to be mended, which the operator asked for by name" },
  { file: /^auth-core\.yaml$/, reason: "where the operator keeps the core's signer key" },
];

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly stdinStaysOpen?: boolean;
  readonly limits?: readonly string[];
  readonly isHurried?: boolean;
}

/** A working directory with exports, a home and a place for temporary files. */
export interface Scene {
  readonly folder: string;
  run(args: readonly string[], options?: RunOptions): Promise<CliResult>;
  start(args: readonly string[], options?: RunOptions): RunningCli;
  write(name: string, content: string): string;
  /** Fails where a canary is in the output of any command so far, or in any file that wasn't given. */
  expectSilence(): Promise<void>;
  /** The files that commands have made, by their paths in the folder. */
  made(): string[];
}

export function openScene(folder: string, aviary: Aviary, exports: Exports): Scene {
  const places = { HOME: join(folder, "home"), TMPDIR: join(folder, "tmp") };
  for (const place of Object.values(places)) mkdirSync(place, { recursive: true });
  // Second factors are canaries as well, and rejected they would go nowhere.
  const always = { ...places, AUTH_MIGRATE_ON_LOST_FACTOR: "accept" };
  const given = new Set<string>();
  const ended: Promise<readonly [string, CliResult]>[] = [];
  const keep = (args: readonly string[], result: Promise<CliResult>): Promise<CliResult> => {
    ended.push(result.then((all) => [args.join(" "), all] as const));
    return result;
  };
  const write = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content, { mode: 0o600 });
    given.add(name);
    return name;
  };
  for (const [name, content] of Object.entries(exports.files)) write(name, content);
  const made = (): string[] =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .filter((name) => !given.has(name));
  const start = (args: readonly string[], { env = {}, ...rest }: RunOptions = {}): RunningCli => {
    const child = startCli(args, { cwd: folder, env: { ...always, ...env }, ...rest });
    keep(args, child.ended);
    return child;
  };
  const run = (args: readonly string[], { env = {}, ...rest }: RunOptions = {}) =>
    keep(args, runCli(args, { cwd: folder, env: { ...always, ...env }, ...rest }));
  return {
    folder,
    write,
    start,
    made,
    run,
    async expectSilence() {
      const leaks: string[] = [];
      const look = (bytes: Buffer | string, where: string): void => {
        for (const canary of aviary.found(bytes)) leaks.push(`${canary} in ${where}`);
      };
      for (const [command, { stdout, stderr }] of await Promise.all(ended)) {
        look(stdout, `the result of ${command}`);
        look(stderr, `the messages of ${command}`);
      }
      for (const name of made()) {
        if (ALLOWED.some(({ file }) => file.test(name))) continue;
        look(readFileSync(join(folder, name)), name);
        look(name, "a file's name");
      }
      expect(leaks).toEqual([]);
    },
  };
}
