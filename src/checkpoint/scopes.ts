/** Of which source and namespace users are, as small numbers: two databases in one checkpoint have newer exports of their own. */

import type { Database } from "../sqlite/database.js";

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
  let last = { source: "", namespace: "", id: 0 };
  const numberOf = (scope: Scope): number => {
    const key = keyOf(scope);
    const known = ids.get(key);
    if (known !== undefined) return known;
    const id = insert.run(scope.source, scope.namespace).lastInsertRowid;
    ids.set(key, id);
    return id;
  };
  return {
    idOf(scope) {
      const { source, namespace } = scope;
      if (source !== last.source || namespace !== last.namespace) {
        last = { source, namespace, id: numberOf(scope) };
      }
      return last.id;
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
