/** Sources of vendors that write their users as a table and as JSON: telling the two apart, opening either and handing on its users are the same for all of them. */

import type { UserDraft } from "../account/user-draft.js";
import { headerOf, openTable, type Table } from "./csv/table.js";
import { defineSource, type SourceDefinition, toDrafts } from "./define-source.js";
import type { FieldTree } from "./fields/field-tree.js";
import type { CleanCell, Told } from "./fields/field-watch.js";
import { formatOf } from "./format.js";
import { firstJsonUser, readJsonUsers } from "./json/json-users.js";
import type { RowDamage } from "./row-damage.js";
import type { FileHead, Source } from "./source.js";

/** What a vendor sees of a table. */
export type VendorTable = Omit<Table<string>, "rows">;

/** A vendor's own part. */
interface VendorDefinition extends Omit<SourceDefinition, "recognize" | "open"> {
  /** The property of a JSON document that holds the users; empty where documents are arrays alone. */
  users(head: FileHead): string;
  /** As {@link Source.recognize}, by the names of a table's columns. */
  recognizeTable(header: readonly string[], head: FileHead): string | null;
  /** As {@link Source.recognize}, by the first user of JSON in either container. */
  recognizeUser(first: object, head: FileHead): string | null;
  readonly fields: FieldTree;
  /**
   * @returns what a row of the table means, by the codes that tell its fields
   * @throws RunError `input_unrecognized` for a table that lacks what is needed
   */
  readTable(
    table: VendorTable,
    path: string,
  ): (row: readonly string[], told: Told) => UserDraft | RowDamage;
  /** By default a cell's text is the user's own. */
  readonly clean?: CleanCell;
  /** What an object of JSON means, by the codes that tell its fields. */
  readUser(user: object, told: Told): UserDraft | RowDamage;
  /** A parsed object under the names of the table of fields; the object itself by default. */
  view?(value: object): object;
}

/** Makes a {@link Source} of a vendor's definition. */
export function defineVendor(definition: VendorDefinition): Source {
  const { readTable, clean, readUser, view, fields } = definition;
  return defineSource({
    ...definition,
    recognize(head) {
      const users = definition.users(head);
      if (formatOf(head, users) === "csv") {
        return definition.recognizeTable(headerOf(head) ?? [], head);
      }
      const first = firstJsonUser(head, users);
      return first === null ? null : definition.recognizeUser(first, head);
    },
    open(head, bytes, { watch }) {
      const users = definition.users(head);
      if (formatOf(head, users) !== "csv") {
        const objects = readJsonUsers(head, bytes, users);
        return toDrafts(objects, watch(fields).users(readUser, view));
      }
      const header = headerOf(head) ?? [];
      const table = openTable(head, bytes, [...new Set(header)]);
      const columns = watch(definition.columns ?? fields);
      return toDrafts(table.rows, columns.rows(header, readTable(table, head.path), clean));
    },
  });
}
