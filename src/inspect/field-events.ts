/** Says of each filled field what becomes of it, for `validate --fields`. It shows names and counts, no values. */

import type { FieldEvent } from "../events/events.js";
import { codeOf, type Fate } from "../source/fields/field-table.js";
import type { FieldsRead } from "../source/fields/field-watch.js";
import { shownName } from "../source/show-name.js";
import type { ColumnsRead } from "../source/source.js";

type Field = Omit<FieldEvent, "file">;

/** The fields of a vendor's export, those that no table names last. */
export function vendorFields({ known, unknown }: FieldsRead): Field[] {
  return [
    ...known.map(({ path, rows, fate }) => field(path, rows, fateOf(fate))),
    ...unknown.map(({ path, rows }) =>
      field(path, rows, { fate: "told", is: null, code: "field_unknown", reason: null }),
    ),
  ];
}

/** The fields of a table or document of no vendor's form. The event `columns` tells what isn't read. */
export function columnFields({ read, unread }: Pick<ColumnsRead, "read" | "unread">): Field[] {
  return [
    ...read.map(({ name, filled, as }) =>
      field(name, filled, { fate: "read", is: as, code: null, reason: null }),
    ),
    ...unread.map(({ name, filled }) =>
      field(name, filled, { fate: "told", is: null, code: "columns", reason: null }),
    ),
  ].filter(({ rows }) => rows > 0);
}

type Said = Pick<Field, "fate" | "is" | "code" | "reason">;

function field(path: string, rows: number, said: Said): Field {
  return { type: "field", path: shownName(path), rows, ...said };
}

/** No part of the account is sent yet, so each is told by the notice that it stays behind. */
function fateOf(fate: Fate): Said {
  const code = codeOf(fate);
  const is = fate.kind === "read" || fate.kind === "part" ? fate.is : null;
  if (fate.kind === "meaningless") return { fate: "meaningless", is, code, reason: fate.why };
  return { fate: code === null ? "read" : "told", is, code, reason: null };
}
