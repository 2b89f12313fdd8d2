/** What many users have in common as small numbers, so that it costs a user's row a few bytes. */

import { NO_NOTICES_YET, type Notices } from "../plan/entry.js";
import type { Database, Statement } from "../sqlite/database.js";

/** What keeps the ids of two databases apart: a checkpoint of both has newer exports of each. */
export interface Scope {
  readonly source: string;
  readonly namespace: string;
}

/** Values that JSON writes in one way. */
class Numbered<T> {
  readonly #insert: Statement;
  readonly #select: Statement<[id: number, value: string]>;
  readonly #ids = new Map<string, number>();
  readonly #values = new Map<number, T>();
  #last: { readonly value: T | null; readonly id: number } = { value: null, id: 0 };

  constructor(database: Database, table: "files" | "scopes" | "notice_sets") {
    // Another user of this database may have numbered the value first.
    this.#insert = database.prepare(`INSERT OR IGNORE INTO ${table} (value) VALUES (?)`);
    this.#select = database.prepare(`SELECT id, value FROM ${table} ORDER BY id`);
  }

  /** The number of a value, which is given one on first sight. */
  idOf(value: T): number {
    if (value === this.#last.value) return this.#last.id;
    const text = JSON.stringify(value);
    if (!this.#ids.has(text)) this.all();
    if (!this.#ids.has(text)) {
      this.#insert.run(text);
      this.all();
    }
    const id = this.#ids.get(text) ?? 0;
    this.#last = { value, id };
    return id;
  }

  of(id: number): T | undefined {
    return this.#values.get(id) ?? this.all().get(id);
  }

  all(): ReadonlyMap<number, T> {
    for (const [id, text] of this.#select.all()) {
      this.#ids.set(text, id);
      this.#values.set(id, JSON.parse(text));
    }
    return this.#values;
  }
}

/** The inputs' paths. */
export class FileIds extends Numbered<string> {
  constructor(database: Database) {
    super(database, "files");
  }

  pathOf(id: number): string {
    return this.of(id) ?? "";
  }
}

/** Sources with their namespaces. */
export class Scopes {
  readonly #pairs: Numbered<readonly [source: string, namespace: string]>;

  constructor(database: Database) {
    this.#pairs = new Numbered(database, "scopes");
  }

  idOf({ source, namespace }: Scope): number {
    return this.#pairs.idOf([source, namespace]);
  }

  /** No user at the core is without one. */
  of(id: number): Scope {
    const [source, namespace] = this.#pairs.of(id) ?? ["", ""];
    return { source, namespace };
  }
}

/** What is told of users: there are few different sets of codes. */
export class NoticeSets {
  readonly #pairs: Numbered<readonly [row: readonly string[], calls: readonly string[]]>;

  constructor(database: Database) {
    this.#pairs = new Numbered(database, "notice_sets");
  }

  /** 0 for the empty set. */
  idOf({ row, calls }: Notices): number {
    return row.length + calls.length === 0 ? 0 : this.#pairs.idOf([row, calls]);
  }

  of(id: number): Notices {
    const pair = id === 0 ? undefined : this.#pairs.of(id);
    return pair === undefined ? NO_NOTICES_YET : { row: pair[0], calls: pair[1] };
  }

  all(): [id: number, notices: Notices][] {
    return Array.from(this.#pairs.all(), ([id, [row, calls]]) => [id, { row, calls }]);
  }
}
