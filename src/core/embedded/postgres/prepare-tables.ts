/** The tables of a core on PostgreSQL, made once, however many processes start at a time. What isn't this core's is refused and left alone. */

import { randomBytes } from "node:crypto";
import { RunError } from "../../../errors/run-error.js";
import { PART_TABLES, userTables } from "../parts/tables.js";
import type { Ask, Connections } from "./connections.js";
import { asOpenError } from "./database-failure.js";

/** `ON CONFLICT`, identity columns and `gen_random_uuid` are older; nothing older is tested. */
const LEAST_SERVER = 130_000;
const CORE_ID_BYTES = 16;

/**
 * @param name the database's, as the target has it
 * @param mustExist refuse to make the tables of a core that isn't there
 * @returns the core id
 * @throws RunError `core_unreachable`, `key_refused`, `data_unusable` (also where
 *   `mustExist` and no core is there), `disk`, `outage`
 */
export async function prepareTables(
  connections: Connections,
  name: string,
  mustExist: boolean,
): Promise<string> {
  try {
    return await connections.transact(async (ask) => {
      await requireServer(ask, name);
      const found = await readCore(ask, name);
      if (found !== null) {
        // A database that takes no writes fails at once instead of at the first user.
        await ask(`UPDATE ${SCHEMA}.core SET version = version WHERE false`);
        return found;
      }
      if (mustExist) {
        throw new RunError("data_unusable", `the database ${name} has no core`, {
          hint: "Name the database that the earlier run wrote to, or start over with a new checkpoint.",
        });
      }
      // Held to the end of the transaction: the second process finds everything done.
      await ask("SELECT pg_advisory_xact_lock($1)", [MAKING_LOCK]);
      return (await readCore(ask, name)) ?? makeCore(ask);
    });
  } catch (error) {
    throw asOpenError(error, name);
  }
}

/**
 * Queries the catalogs as tables: a session remembers that a lookup by name found nothing,
 * even after another process has made the tables.
 *
 * @returns the core id; null where there is no core
 */
async function readCore(ask: Ask, name: string): Promise<string | null> {
  const { rows: tables } = await ask(
    `SELECT 1 FROM pg_catalog.pg_class AS class
       JOIN pg_catalog.pg_namespace AS space ON space.oid = class.relnamespace
     WHERE space.nspname = $1 AND class.relname = 'core'`,
    [SCHEMA],
  );
  if (tables.length === 0) return null;
  const { rows } = await ask<[string, number]>(`SELECT core_id, version FROM ${SCHEMA}.core`);
  const [row] = rows;
  if (row === undefined) return null;
  const [coreId, version] = row;
  if (version === VERSION) return coreId;
  throw invalid(
    `the database ${name} has the tables of another version of auth-migrate`,
    "Use the version that made them, or another database.",
  );
}

/** Where the schema exists already, the role needs no right to make one. */
async function makeCore(ask: Ask): Promise<string> {
  const { rows } = await ask("SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = $1", [SCHEMA]);
  if (rows.length === 0) await ask(`CREATE SCHEMA ${SCHEMA}`);
  await ask(`CREATE TABLE ${SCHEMA}.core (core_id text NOT NULL, version integer NOT NULL)`);
  const coreId = randomBytes(CORE_ID_BYTES).toString("hex");
  await ask(`INSERT INTO ${SCHEMA}.core VALUES ($1, $2)`, [coreId, VERSION]);
  for (const statement of TABLES.split(";")) if (statement.trim() !== "") await ask(statement);
  return coreId;
}

async function requireServer(ask: Ask, name: string): Promise<void> {
  const { rows } = await ask<[number, string, string]>(
    `SELECT current_setting('server_version_num')::integer, current_setting('server_version'),
       current_setting('server_encoding')`,
  );
  const [number = 0, version = "", encoding = ""] = rows[0] ?? [];
  if (number < LEAST_SERVER) {
    throw invalid(
      `the database ${name} is on PostgreSQL ${version}`,
      "Use PostgreSQL 13 or a newer one.",
    );
  }
  if (encoding !== "UTF8") {
    throw invalid(
      `the database ${name} has the encoding ${encoding}, which can't hold every email address`,
      "Make one with createdb --encoding UTF8 --template template0.",
    );
  }
}

function invalid(message: string, hint: string): RunError {
  return new RunError("data_unusable", message, { hint });
}

/** The core's own schema, so that it can share a database with an application's tables. */
const SCHEMA = "auth_core";

/** Of the tables: a database with another one is refused. */
const VERSION = 1;

/** The lock by which only one of several starting processes makes the tables: "AMco" as a number. */
const MAKING_LOCK = 0x414d636f;

/** Here a user is always looked for together with the recipe, so that one index serves lists and uniqueness. */
export const TABLES = `${userTables({
  number: "bigint GENERATED ALWAYS AS IDENTITY",
  userId: "uuid NOT NULL PRIMARY KEY",
  deviceNumber: "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
  listIndex: "CREATE UNIQUE INDEX users_joined ON auth_core.users (recipe, id)",
})}${PART_TABLES}`;
