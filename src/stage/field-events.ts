/** Says of each filled field what becomes of it, for `validate --fields`. It shows names and counts, no values. */

import type { FieldEvent } from "../events/events.js";
import { asUntaken } from "../plan/account-plan.js";
import type { Carried } from "../plan/carried.js";
import { codeOf, type Fate } from "../source/fields/field-table.js";
import type { FieldsRead } from "../source/fields/field-watch.js";
import { shownName } from "../source/show-name.js";
import type { ColumnsRead } from "../source/source.js";

type Field = Omit<FieldEvent, "file">;

/** The fields of a vendor's export, those that no table names last. */
export function vendorFields({ known, unknown, paths }: FieldsRead, carried: Carried): Field[] {
  const others = paths === undefined ? known : known.filter(({ fate }) => fate.kind !== "read");
  return [
    // The operator's own words, of a mapping that they gave.
    ...(paths ?? []).map(({ is, path, rows }) => field(path, rows, readAs(is))),
    ...others.map(({ path, rows, fate }) => field(shownName(path), rows, fateOf(fate, carried))),
    ...unknown.map(({ path, rows }) =>
      field(shownName(path), rows, {
        fate: "told",
        is: null,
        code: "field_unknown",
        reason: null,
      }),
    ),
  ];
}

/** The fields of a table or document of no vendor's form. The event `columns` tells what isn't read. */
export function columnFields({ read, unread }: Pick<ColumnsRead, "read" | "unread">): Field[] {
  return [
    ...read.map(({ name, filled, as }) => field(shownName(name), filled, readAs(as))),
    ...unread.map(({ name, filled }) =>
      field(shownName(name), filled, { fate: "told", is: null, code: "columns", reason: null }),
    ),
  ].filter(({ rows }) => rows > 0);
}

type Said = Pick<Field, "fate" | "is" | "code" | "reason">;

function field(path: string, rows: number, said: Said): Field {
  return { type: "field", path, rows, ...said };
}

function readAs(is: string): Said {
  return { fate: "read", is, code: null, reason: null };
}

function fateOf(fate: Fate, carried: Carried): Said {
  const isUntaken = fate.kind === "told" && carried.metadata;
  const code = isUntaken ? asUntaken(fate.code) : codeOf(fate);
  if (fate.kind === "meaningless") return { fate: fate.kind, is: null, code, reason: fate.why };
  const is = fate.kind === "told" ? null : fate.is;
  if (fate.kind === "part" && carried[fate.is]) {
    // It arrives, but is no way to sign in.
    const isTold = code === "username_not_migrated";
    return { fate: "carried", is, code: isTold ? code : null, reason: null };
  }
  // Whether a factor is lost is decided by user, where factors are carried.
  const isRead = code === null || (fate.kind === "read" && carried.totp);
  return { fate: isRead ? "read" : "told", is, code: isRead ? null : code, reason: null };
}
