/** What many users have in common as small numbers, so that it costs a user's row a byte or two: the path of the input, the source and namespace, and what is told of the user. A number is given on first sight. */

import type { Database } from "../sqlite/database.js";
import { NO_NOTICES_YET, type Notices } from "../plan/entry.js";

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

export interface NoticeSets {
  /** The number of a set, which is given one on first sight; 0 for the empty one. */
  idOf(notices: Notices): number;
  of(id: number): Notices;
}

/** Loads the numbers that earlier runs gave. */
export function createNoticeSets(database: Database): NoticeSets {
  const insert = database.prepare("INSERT INTO notice_sets VALUES (?, ?, ?)");
  const ids = new Map<string, number>();
  const sets = new Map<number, Notices>([[0, NO_NOTICES_YET]]);
  for (const [id, notices] of selectNoticeSets(database)) {
    ids.set(`${notices.row};${notices.calls}`, id);
    sets.set(id, notices);
  }
  return {
    idOf(notices) {
      const { row, calls } = notices;
      if (row.length + calls.length === 0) return 0;
      const key = `${row};${calls}`;
      const known = ids.get(key);
      if (known !== undefined) return known;
      const id = sets.size;
      insert.run(id, row.join(","), calls.join(","));
      ids.set(key, id);
      sets.set(id, notices);
      return id;
    },
    of: (id) => sets.get(id) ?? NO_NOTICES_YET,
  };
}

/** All sets by their numbers; none in a checkpoint that keeps none. */
export function selectNoticeSets(database: Database): [id: number, notices: Notices][] {
  return database
    .prepare<[number, string, string]>('SELECT id, "row", calls FROM notice_sets ORDER BY id')
    .all()
    .map(([id, row, calls]) => [id, { row: codesOf(row), calls: codesOf(calls) }]);
}

function codesOf(text: string): string[] {
  return text === "" ? [] : text.split(",");
}

/** What keeps the ids of two databases apart. */
export interface Scope {
  /** The source's name. */
  readonly source: string;
  readonly namespace: string;
}

export interface Scopes {
  /** The number of a scope, which is given one on first sight. */
  idOf(scope: Scope): number;
}

/** Loads the numbers that earlier runs gave. */
export function createScopes(database: Database): Scopes {
  const insert = database.prepare("INSERT INTO scopes (source, namespace) VALUES (?, ?)");
  const ids = new Map(Array.from(selectScopes(database), ([id, scope]) => [keyOf(scope), id]));
  return {
    idOf(scope) {
      const key = keyOf(scope);
      const known = ids.get(key);
      if (known !== undefined) return known;
      const id = insert.run(scope.source, scope.namespace).lastInsertRowid;
      ids.set(key, id);
      return id;
    },
  };
}

/** All scopes by their numbers. */
export function selectScopes(database: Database): Map<number, Scope> {
  const rows = database
    .prepare<[number, string, string]>("SELECT id, source, namespace FROM scopes")
    .all();
  return new Map(rows.map(([id, source, namespace]) => [id, { source, namespace }]));
}

function keyOf({ source, namespace }: Scope): string {
  return JSON.stringify([source, namespace]);
}
