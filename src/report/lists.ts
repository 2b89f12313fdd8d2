/** Lists line by line, so that memory stays flat: the id map and the rows that were refused. They hold personal ids, so an option must ask for them. */

import type { MigratedUser } from "../checkpoint/finished-users.js";
import type { ReportSource } from "../checkpoint/report-source.js";
import type { RowEvent } from "../events/events.js";
import { printable } from "./text.js";

/** A user of a list: both ids are known. */
type ListedUser = MigratedUser & { readonly coreId: string; readonly sourceId: string };

type Users = Pick<ReportSource, "migrated">;

function* usersOf(source: Users): Generator<ListedUser> {
  for (const user of source.migrated()) {
    const { coreId, sourceId } = user;
    if (coreId !== null && sourceId !== null) yield { ...user, coreId, sourceId };
  }
}

/** As CSV with a header. Ids stand in it to the byte: it is for programs. */
export function* idMapCsv(source: Users): Generator<string> {
  yield csvLine(["vendor_id", "core_user_id", "outcome", "id_kept", "source", "namespace"]);
  for (const user of usersOf(source)) {
    const { sourceId, coreId, outcome, idKept, scope } = user;
    const names = [scope.source, scope.namespace];
    yield csvLine([sourceId, coreId, outcome, String(idKept), ...names]);
  }
}

/** The id map as a JSON object a line. */
export function* idMapNdjson(source: Users): Generator<string> {
  for (const { sourceId, coreId, outcome, idKept, scope, row } of usersOf(source)) {
    const { source: name, namespace } = scope;
    const ids = { sourceId, coreId, outcome, idKept, source: name, namespace, row };
    yield `${JSON.stringify({ type: "id", v: 1, ...ids })}\n`;
  }
}

const OUTCOMES: Readonly<Record<RowEvent["type"], string>> = {
  reject: "rejected",
  skip: "skipped",
  failure: "failed",
};

/**
 * The lines, a header first. They hold the vendor's ids, except those that look like a contact.
 *
 * @throws RunError `disk`
 */
export function* reportCsv(source: Pick<ReportSource, "refused">): Generator<string> {
  yield csvLine(["file", "row", "vendor_id", "outcome", "code", "hint", "line"]);
  for (const { type, row, sourceId, code, hint } of source.refused()) {
    const { file, number, line = "" } = row;
    const cells = [file, `${number}`, sourceId ?? "", OUTCOMES[type], code, hint, `${line}`];
    yield csvLine(cells.map(safeCell));
  }
}

/** A line of CSV (RFC 4180) with its end; values stand in it to the byte. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(",")}\r\n`;
}

/**
 * A cell that a spreadsheet shows and doesn't run, with control characters made visible: for
 * people, since the value may be another one then.
 */
function safeCell(text: string): string {
  const shown = printable(text);
  return /^[\s]*[=+\-@\uff0b\uff0d\uff1d\uff20]/.test(shown) ? `'${shown}` : shown;
}

function quoted(cell: string): string {
  return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
