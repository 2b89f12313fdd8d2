/** Runs scripts on SQLite, each inside the caller's transaction. A statement is prepared when it is first asked for. */

import type { Database, Statement } from "../../../sqlite/database.js";
import { inSqlite, type Script, type ScriptRow } from "../script.js";

export class SqliteScripts {
  readonly #database: Database;
  readonly #ofOne = new Map<string, Statement<ScriptRow>>();
  readonly #ofList = new Map<string, Statement<ScriptRow>>();

  constructor(database: Database) {
    this.#database = database;
  }

  run<T>(script: Script<T>): T {
    let step = script.next();
    while (step.done !== true) {
      const { sql, sets, counts } = step.value;
      const [only = []] = sets;
      const isOne = sets.length === 1;
      const statement = this.#prepared(sql, isOne);
      const values = isOne ? only : [JSON.stringify(sets)];
      step = script.next(counts ? [[statement.run(...values).changes]] : statement.all(...values));
    }
    return step.value;
  }

  #prepared(sql: string, isOne: boolean): Statement<ScriptRow> {
    const known = isOne ? this.#ofOne : this.#ofList;
    const statement =
      known.get(sql) ?? this.#database.prepare(inSqlite(isOne ? sql : fromList(sql)));
    known.set(sql, statement);
    return statement;
  }
}

/** With many sets of values the driver takes them as one list in JSON, in half of the time. */
function fromList(sql: string): string {
  return sql.replace(/VALUES \(([^()]*)\)/, (_, tuple: string) => {
    const values = tuple.replaceAll(/\$(\d+)/g, (__, number) => `value->>${Number(number) - 1}`);
    return `SELECT ${values} FROM json_each(?) WHERE true`;
  });
}
