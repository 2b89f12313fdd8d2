/** The embedded core's tables in a data file. */

import { PART_TABLES, userTables } from "../parts/tables.js";
import { inSqlite } from "../script.js";

/** Users have a rowid besides their id: SQLite appends to rowid tables without splitting pages. */
const USER_TABLES = userTables({
  number: "INTEGER PRIMARY KEY",
  userId: "TEXT NOT NULL UNIQUE",
  deviceNumber: "INTEGER PRIMARY KEY",
  listIndex: "CREATE INDEX user_recipe ON auth_core.users (recipe)",
});
const CORE = `
  CREATE TABLE core (core_id TEXT NOT NULL);
  INSERT INTO core VALUES (lower(hex(randomblob(16))));`;

/** A core's data file as a SQLite file. */
export const DATA_FILE = {
  // "AMco".
  applicationId: 0x414d636f,
  schema: `${CORE}${inSqlite(`${USER_TABLES}${PART_TABLES}`)}`,
  version: 1,
} as const;
