/** Runs scripts on SQLite, each inside the caller's transaction. A statement is prepared when it is first asked for. */

import type { Database, Statement } from "../../../sqlite/database.js";
import { inSqlite, type Script, type ScriptRow } from "../script.js";

export class SqliteScripts {
  readonly #database: Database;
  readonly #statements = new Map<string, Statement<ScriptRow>>();

  constructor(database: Database) {
    this.#database = database;
  }

  run<T>(script: Script<T>): T {
    let step = script.next();
    while (step.done !== true) {
      step = script.next(this.#prepared(step.value.sql).all(...step.value.values));
    }
    return step.value;
  }

  #prepared(sql: string): Statement<ScriptRow> {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare<ScriptRow>(inSqlite(sql));
    this.#statements.set(sql, statement);
    return statement;
  }
}
