/** Runs scripts on SQLite, each inside the caller's transaction. A statement is prepared when it is first asked for. */

import type { Database, Statement } from "../../../sqlite/database.js";
import { AMONG, inSqlite, type Script, type ScriptRow } from "../script.js";

interface Prepared {
  readonly statement: Statement<ScriptRow>;
  /** The places of the values that it is asked with, where they aren't asked for once each and in order. */
  readonly order: readonly number[] | null;
}

export class SqliteScripts {
  readonly #database: Database;
  readonly #ofOne = new Map<string, Prepared>();
  readonly #ofList = new Map<string, Prepared>();

  constructor(database: Database) {
    this.#database = database;
  }

  run<T>(script: Script<T>): T {
    let step = script.next();
    while (step.done !== true) {
      const { sql, sets, counts } = step.value;
      const [only = []] = sets;
      const isOne = sets.length === 1;
      const { statement, order } = this.#prepared(sql, isOne);
      const given = isOne ? only : [JSON.stringify(sets)];
      const values = order?.map((at) => given[at] ?? null) ?? given;
      step = script.next(counts ? [[statement.run(...values).changes]] : statement.all(...values));
    }
    return step.value;
  }

  #prepared(sql: string, isOne: boolean): Prepared {
    const known = isOne ? this.#ofOne : this.#ofList;
    const there = known.get(sql);
    if (there !== undefined) return there;
    const text = isOne ? sql.replaceAll(AMONG, () => "= $1") : fromList(sql);
    const order = [...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number) - 1);
    const isPlain = order.every((at, index) => at === index);
    const statement = this.#database.prepare<ScriptRow>(inSqlite(text));
    const prepared = { statement, order: isPlain ? null : order };
    known.set(sql, prepared);
    if (isOne && sql.includes("VALUES")) this.#compileList(sql);
    return prepared;
  }

  /** By a list of none, before it is asked for in earnest: the driver panics where the process exits while it compiles. */
  #compileList(sql: string): void {
    const { statement, order } = this.#prepared(sql, false);
    statement.all(...(order ?? [0]).map(() => "[]"));
  }
}

/** With many sets of values the driver takes them as one list in JSON, in half of the time. */
function fromList(sql: string): string {
  return sql.replaceAll(/VALUES \(([^()]*)\)/g, (_, tuple: string) => {
    const values = tuple.replaceAll(/\$(\d+)/g, (__, number) => `value->>${Number(number) - 1}`);
    return `SELECT ${values} FROM json_each($1) WHERE true`;
  });
}
