/** What an engine does with a deployment file, as far as a test needs one: it executes shards, each with the arguments, variables and folders that the file and the engine give. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { KNOWN_HASHES } from "../../support/known-hashes.js";

/** Where an engine works. */
export interface Place {
  /** New and empty. */
  readonly folder: string;
  /** The core that takes the place of https://core.example.com. */
  readonly core: { readonly url: string; readonly apiKey: string };
  /** The export's text. */
  readonly users: string;
}

/** What came of an execution. */
export interface Executed {
  readonly code: number | null;
  /** What its log shows. */
  readonly output: string;
}

/** One execution of a shard. */
export interface Execution {
  /** Asks it to end, as the engine does before it takes the machine away. */
  stop(): void;
  /** Resolves when its log shows this. */
  says(text: string): Promise<unknown>;
  readonly ended: Promise<Executed>;
}

export interface Engine {
  /** How many shards the file asks for. */
  readonly shards: number;
  /** Whether two executions of one shard have one checkpoint; else the engine must never start a second. */
  readonly sharesCheckpoints: boolean;
  /** Executes the shard of an index, from 0. */
  execute(index: number): Execution;
  /** The report, as the file or its page has it. */
  report(): Promise<Executed>;
  /** What becomes of a shard that ended so. */
  runsAgain(executed: Executed): boolean;
}

/** The file name of a shard's checkpoint, its index from 0. */
export function checkpointOf(index: number, shards: number): string {
  return `auth-migrate.shard-${index + 1}-of-${shards}.checkpoint`;
}

/** What a test fills in for --rate-total: no limit that it would notice. */
export const RATE_TOTAL = 100_000;

/** Makes a folder, with files by their names, and answers its path. */
export function makeFolder(path: string, files: Readonly<Record<string, string>> = {}): string {
  mkdirSync(path, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return path;
}

/** An export of so many users, every fourth of them without a password. */
export function exportOf(count: number): string {
  const rows = Array.from({ length: count }, (_, index) => {
    const hash = index % 4 === 3 ? "" : KNOWN_HASHES.bcrypt.passwordHash;
    return `${index + 1},reader.${index + 1}@example.com,true,${hash}`;
  });
  return `id,email,email_verified,password_hash\n${rows.join("\n")}\n`;
}

/** A command line with its paths in a container put where the test has them. */
export function withPaths(
  words: readonly string[],
  paths: ReadonlyMap<string, string>,
): readonly string[] {
  return words.map((word) => {
    for (const [inside, outside] of paths) {
      const at = word.startsWith(inside) ? 0 : word.indexOf(`=${inside}`) + 1;
      const end = at + inside.length;
      if (word.slice(at, end) === inside && (word[end] ?? "/") === "/") {
        return word.slice(0, at) + outside + word.slice(end);
      }
    }
    return word;
  });
}
