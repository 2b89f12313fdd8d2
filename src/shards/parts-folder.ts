/** The folder of an export's parts. They are written in a hidden folder inside it, and stand in it once all are whole: what a split that was killed leaves is cleared away by the next one. */

import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { lockCheckpoint } from "../checkpoint/lock.js";
import { optionName } from "../errors/option-name.js";
import { RunError } from "../errors/run-error.js";
import { type Manifest, MANIFEST_NAME, manifestText } from "../events/shard.js";

const WORKING = ".unfinished";
/** Locked while a split goes on. */
const SPLIT = "split";
const PART = /^part-[1-9]\d*(?:-\d+)?$/;

export class PartsFolder {
  /** Where the parts are written until all of them are whole. */
  readonly working: string;
  readonly #path: string;
  readonly #unlock: () => void;

  /**
   * Takes a new or empty folder, or one in which a split was killed.
   *
   * @throws RunError `usage` for another one, `in_use` while another split goes on, `disk`
   */
  constructor(path: string) {
    this.#path = path;
    this.working = join(path, WORKING);
    requireVacant(path, namesIn(path));
    this.#unlock = this.#take();
    try {
      // Another split may have ended while the lock was waited for.
      const names = namesIn(path);
      requireVacant(path, names);
      attempt(path, () => {
        for (const name of names) if (name !== WORKING) rmSync(join(path, name));
        for (const name of readdirSync(this.working)) {
          if (!name.startsWith(SPLIT)) rmSync(join(this.working, name), { recursive: true });
        }
      });
    } catch (error) {
      this.#unlock();
      throw error;
    }
  }

  /**
   * Brings the parts into their place, and the manifest last: until it is there, they are none.
   *
   * @throws RunError `disk`
   */
  complete(manifest: Manifest): void {
    attempt(this.#path, () => {
      for (const { name } of manifest.parts.flatMap(({ files }) => files)) {
        renameSync(join(this.working, name), join(this.#path, name));
      }
      const fresh = join(this.working, MANIFEST_NAME);
      writeFileSync(fresh, manifestText(manifest), { mode: 0o600, flush: true });
      renameSync(fresh, join(this.#path, MANIFEST_NAME));
      syncFolder(this.#path);
    });
    this.#end();
  }

  /** Leaves nothing. Never throws. */
  abandon(): void {
    try {
      for (const name of readdirSync(this.#path)) {
        if (PART.test(name)) rmSync(join(this.#path, name));
      }
    } catch {
      // The failure that led here is told, and the next split clears away what is left.
    }
    this.#end();
  }

  #take(): () => void {
    attempt(this.#path, () => mkdirSync(this.working, { recursive: true, mode: 0o700 }));
    try {
      return lockCheckpoint(join(this.working, SPLIT));
    } catch (error) {
      if (!(error instanceof RunError) || error.code !== "in_use") throw error;
      throw new RunError(error.code, `Another split is writing into the folder ${this.#path}.`, {
        hint: `Wait until it ends and run the same command again, or name another folder with ${optionName("--out-dir")}. If none goes on, this file system can't lock files, as some network shares can't: name a folder on a disk of this machine.`,
        cause: error,
      });
    }
  }

  #end(): void {
    try {
      rmSync(this.working, { recursive: true, force: true });
    } catch {
      // Beside a manifest it means nothing, and without one the next split clears it away.
    }
    this.#unlock();
  }
}

function namesIn(path: string): string[] {
  return attempt(path, () => (existsSync(path) ? readdirSync(path) : []));
}

/** Beside the folder of a split that was killed, parts are what it left: it began in an empty folder. */
function requireVacant(path: string, names: readonly string[]): void {
  const isLeft = names.includes(WORKING);
  if (names.every((name) => isLeft && (name === WORKING || PART.test(name)))) return;
  throw new RunError("usage", `The folder ${path} isn't empty.`, {
    hint: `Name a new one with ${optionName("--out-dir")}: parts of two exports must not stand side by side.`,
  });
}

function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new RunError("disk", `The parts can't be written into the folder ${path}.`, {
      hint: `Make room there, and check that you may write to it, or name another one with ${optionName("--out-dir")}; then run the same command again.`,
      cause,
    });
  }
}

/** Makes the names in a folder durable. */
function syncFolder(path: string): void {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
