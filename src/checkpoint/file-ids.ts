/** The inputs' paths as small numbers, so that a user's row costs a few bytes. */

import type { Database } from "../sqlite/database.js";

export interface FileIds {
  /** The number of a path, which is given one on first sight. */
  idOf(path: string): number;
  pathOf(id: number): string;
}

/** Loads the numbers that earlier runs gave. */
export function createFileIds(database: Database): FileIds {
  // Another user of this database may have numbered the file first.
  const insert = database.prepare("INSERT OR IGNORE INTO files (path) VALUES (?)");
  const select = database.prepare<[number]>("SELECT id FROM files WHERE path = ?");
  const selectPath = database.prepare<[string]>("SELECT path FROM files WHERE id = ?");
  const ids = new Map<string, number>();
  const paths = new Map<number, string>();
  const remember = (id: number, path: string): number => {
    ids.set(path, id);
    paths.set(id, path);
    return id;
  };
  const numberOf = (path: string): number => {
    insert.run(path);
    return select.all(path)[0]?.[0] ?? 0;
  };
  const stored = database.prepare<[number, string]>("SELECT id, path FROM files").all();
  for (const [id, path] of stored) remember(id, path);
  return {
    idOf: (path) => ids.get(path) ?? remember(numberOf(path), path),
    pathOf(id) {
      // Another one of these may have numbered the file since.
      const path = paths.get(id) ?? selectPath.get(id)?.[0] ?? "";
      if (!paths.has(id)) remember(id, path);
      return path;
    },
  };
}
