/** Records statements instead of running them, so that another thread can run them. */

import type { Database, SqlValue, Statement } from "../driver.js";
import type { Group, Operation } from "./messages.js";

/** What a recorded statement returns: its result isn't known yet. */
const NOT_RUN = { changes: 0, lastInsertRowid: 0 } as const;

export interface Recorder {
  /** The same database; while something is recorded, `run` of its statements writes nothing. */
  readonly database: Database;
  /**
   * What `work` would have run. It must not go by what `run` returns, nor read what it wrote.
   *
   * @throws what `work` throws
   */
  record(work: () => void): readonly Operation[];
  /** Statements that were prepared since it was asked last. */
  newStatements(): Group["statements"];
}

export function createRecorder(real: Database): Recorder {
  let recorded: Operation[] | null = null;
  let news: (readonly [number, string])[] = [];
  let statements = 0;
  return {
    database: {
      ...real,
      prepare<Row extends readonly unknown[]>(sql: string): Statement<Row> {
        const statement = real.prepare<Row>(sql);
        const number = statements;
        statements += 1;
        news.push([number, sql]);
        return {
          ...statement,
          run(...parameters: SqlValue[]) {
            if (recorded === null) return statement.run(...parameters);
            recorded.push([number, parameters]);
            return NOT_RUN;
          },
        };
      },
    },
    record(work) {
      const operations: Operation[] = [];
      recorded = operations;
      try {
        work();
      } finally {
        recorded = null;
      }
      return operations;
    },
    newStatements() {
      const taken = news;
      news = [];
      return taken;
    },
  };
}
