/** The id map as SQL: one UPDATE a user, for one column that holds the vendor's ids. It writes standard SQL, and only values that every database reads as values. */

import type { ReportSource } from "../checkpoint/report-source.js";
import { idPairs, matches, type ListFilter } from "./lists.js";

/** Where the vendor's ids stand. */
export interface SqlTarget {
  /** A table's name, with its schema where it has one: `orders`, `shop.orders`. */
  readonly table: string;
  readonly column: string;
}

/** As every database takes them: letters, digits, `_` and `$`. */
const NAME = /^[A-Za-z_][\w$]{0,62}$/;

/** A backslash ends a text early in some databases, a control character in some clients. */
const UNSAFE = /[\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

/**
 * The statements, in one transaction. Users whom the core knows by the vendor's id (`--keep-ids`)
 * are left out, since theirs stays valid; so are ids that can't be written in every database's SQL.
 * The last line says how many.
 *
 * @throws TypeError where {@link whyNoSql} has something to say
 * @throws RunError `disk`
 */
export function* idMapSql(
  source: Pick<ReportSource, "migrated" | "scopes">,
  { table, column }: SqlTarget,
  filter: ListFilter = {},
): Generator<string> {
  const flaw = whyNoSql(source, { table, column }, filter);
  if (flaw !== null) throw new TypeError(flaw.message);
  const into = quotedName(table);
  const field = quotedName(column);
  const counts = { imported: 0, created: 0, existed: 0 };
  let kept = 0;
  let unsafe = 0;
  yield `-- The core's user ids in place of the vendor's, in ${into}.${field}.\n`;
  yield "BEGIN;\n";
  for (const { sourceId, coreId, outcome, idKept } of idPairs(source, filter)) {
    if (idKept || sourceId === coreId) kept += 1;
    else if (UNSAFE.test(sourceId) || UNSAFE.test(coreId)) unsafe += 1;
    else {
      counts[outcome] += 1;
      const note = outcome === "existed" ? " -- existed" : "";
      yield `UPDATE ${into} SET ${field} = ${text(coreId)} WHERE ${field} = ${text(sourceId)};${note}\n`;
    }
  }
  yield "COMMIT;\n";
  const { imported, created, existed } = counts;
  const all = imported + created + existed;
  yield `-- users: ${all} (imported ${imported}, created ${created}, existed ${existed})\n`;
  if (kept > 0) yield `-- left out: ${kept} whose vendor's id the core knows them by\n`;
  if (unsafe > 0) yield `-- LEFT OUT: ${unsafe} whose id has a backslash or a control character\n`;
}

/** What stands in the way of the statements. */
export interface SqlFlaw {
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
}

/**
 * Whether the statements can be made: the names must be names, and the ids of the column those of
 * one database, since the same id may be two users' in two of them.
 *
 * @returns null where they can
 */
export function whyNoSql(
  source: Pick<ReportSource, "scopes">,
  { table, column }: SqlTarget,
  filter: ListFilter = {},
): SqlFlaw | null {
  const flaw = whyNoNames({ table, column });
  if (flaw !== null) return flaw;
  const scopes = source.scopes().filter((scope) => matches(scope, filter));
  if (scopes.length <= 1) return null;
  const names = scopes.map((scope) => `${scope.source} ("${scope.namespace}")`).join(", ");
  return {
    message: `This checkpoint has ids of several databases, which may be equal: ${names}.`,
    hint: "Say whose ids are in the column: --from SOURCE, --namespace NAME, or both.",
  };
}

/** Why names can't be put into SQL, or null. */
export function whyNoNames({ table, column }: SqlTarget): SqlFlaw | null {
  if (isName(table, 3) && isName(column, 1)) return null;
  return {
    message: `The ${isName(table, 3) ? "column" : "table"} has a name that can't be put into SQL.`,
    hint: "Write it as the database has it, of letters, digits and _, as in --table orders --column user_id; a schema may stand before the table, with a dot.",
  };
}

function isName(name: string, mostParts: number): boolean {
  const parts = name.split(".");
  return parts.length <= mostParts && parts.every((part) => NAME.test(part));
}

function quotedName(name: string): string {
  return name
    .split(".")
    .map((part) => `"${part}"`)
    .join(".");
}

function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
