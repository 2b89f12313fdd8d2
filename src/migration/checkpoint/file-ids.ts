/** The inputs' paths as small numbers, so that a user's row costs a few bytes. */

import type { Database } from "../../sqlite/database.js";

export interface FileIds {
  /** The number of a path, which is given one on first sight. */
  idOf(path: string): number;
  pathOf(id: number): string;
}

/** Loads the numbers that earlier runs gave. */
export function createFileIds(database: Database): FileIds {
  const insert = database.prepare("INSERT INTO files (path) VALUES (?)");
  const ids = new Map<string, number>();
  const paths = new Map<number, string>();
  const remember = (id: number, path: string): number => {
    ids.set(path, id);
    paths.set(id, path);
    return id;
  };
  const stored = database.prepare<[number, string]>("SELECT id, path FROM files").all();
  for (const [id, path] of stored) remember(id, path);
  return {
    idOf: (path) => ids.get(path) ?? remember(insert.run(path).lastInsertRowid, path),
    pathOf: (id) => paths.get(id) ?? "",
  };
}
