/** Files of rejects that earlier runs over the same inputs have left: a run that comes to its end writes all of them anew, and takes their place where no person has touched them. */

import { existsSync, linkSync, lstatSync, unlinkSync } from "node:fs";
import { resolve } from "node:path";
import type { Checkpoint } from "../checkpoint/checkpoint.js";
import { numbered } from "./rows-file.js";

/** By what the files of earlier runs are found. */
export interface Earlier {
  /** The files that this run reads. */
  readonly inputs: readonly string[];
  readonly notes: Pick<Checkpoint, "rejectsNote" | "noteRejects">;
}

/** As it stands in the checkpoint, which no other program writes. */
interface Note {
  readonly inputs: readonly string[];
  readonly files: readonly { readonly path: string; readonly state: string }[];
}

/**
 * Removes the files that earlier runs over these inputs wrote and that haven't changed since. The
 * files that were written now get their names.
 *
 * @param wanted the name that the operator gave
 * @param written in their order; where there is none, all stays as it is
 * @returns how they are named now
 */
export function takePlaces(wanted: string, written: readonly string[], earlier: Earlier): string[] {
  if (written.length > 0) for (const path of leftBehind(earlier)) unlinkSync(path);
  return written.map((path) => {
    for (let number = 1; ; number += 1) {
      const name = numbered(wanted, number);
      if (name === path || moved(path, name)) return name;
    }
  });
}

/** Notes what a run has written, beside what of earlier ones is still there as it was. */
export function noteFiles(written: readonly string[], earlier: Earlier): void {
  const files = [...leftBehind(earlier), ...written.map((path) => resolve(path))];
  const states = files.map((path) => ({ path, state: stateOf(path) ?? "" }));
  const note: Note = { inputs: pathsOf(earlier), files: states };
  earlier.notes.noteRejects(JSON.stringify(note));
}

function leftBehind(earlier: Earlier): string[] {
  const text = earlier.notes.rejectsNote();
  if (text === null) return [];
  const { inputs, files }: Note = JSON.parse(text);
  if (JSON.stringify(inputs) !== JSON.stringify(pathsOf(earlier))) return [];
  return files.flatMap(({ path, state }) => (stateOf(path) === state ? [path] : []));
}

function pathsOf({ inputs }: Earlier): string[] {
  return inputs.map((path) => resolve(path));
}

/** Changes with every write by a person or a program; null where there is no file. */
function stateOf(path: string): string | null {
  const stat = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? null : [stat.ino, stat.size, stat.mtimeNs].join(" ");
}

/** @returns false where the name is taken, or the file system has no second names */
function moved(from: string, to: string): boolean {
  if (existsSync(to)) return false;
  try {
    // Unlike a renaming, it never goes over a file that has come meanwhile.
    linkSync(from, to);
  } catch {
    return false;
  }
  unlinkSync(from);
  return true;
}
