/** Users of several in one table: who they are, and the condition that leaves one's. */

import type { Tenants } from "../mapping/database-part.js";
import type { DatabaseKind, Table } from "./database.js";
import { SQL, type Tables, tableName } from "./query.js";

/** Where they are told apart, and in whose words. */
interface Place {
  readonly kind: DatabaseKind;
  readonly tables: Tables;
  /** Told of a table that isn't there. */
  readonly missing: (name: string) => Error;
}

/** The names of all whose users are in the table. */
export function tenantsQuery(tenants: Tenants, table: Table, place: Place): string {
  const { users, column, named } = partsOf(tenants, table, place);
  if (named === null) return `select distinct ${column} from ${users} u order by 1`;
  return `select ${named.name} from ${named.table} t
where exists (select 1 from ${users} u where ${column} = ${named.key}) order by 1`;
}

/** True of one's users, `u`. */
export function ofTenant(name: string, tenants: Tenants, table: Table, place: Place): string {
  const { column, named } = partsOf(tenants, table, place);
  const text = SQL[place.kind].text(name);
  if (named === null) return `${column} = ${text}`;
  return `${column} in (select ${named.key} from ${named.table} t where ${named.name} = ${text})`;
}

function partsOf(tenants: Tenants, table: Table, { kind, tables, missing }: Place) {
  const words = SQL[kind];
  const users = tableName(table, words);
  const column = `u.${words.name(tenants.column)}`;
  if (tenants.table === undefined) return { users, column, named: null };
  const found = tables.find(tenants.table);
  if (found === null) throw missing(tenants.table);
  const [key, name] = [tenants.key, tenants.name].map((one) => `t.${words.name(one)}`);
  return { users, column, named: { table: tableName(found, words), key, name } };
}
