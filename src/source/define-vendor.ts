/** Sources of vendors that write their users as a table and as JSON: telling the two apart, opening either and handing on its users are the same for all of them. */

import type { UserDraft } from "../account/user-draft.js";
import { headerOf } from "./csv/table.js";
import { defineSource, type SourceDefinition, toDrafts } from "./define-source.js";
import type { FieldTree } from "./fields/field-tree.js";
import type { Told } from "./fields/field-watch.js";
import { formatOf } from "./format.js";
import { firstJsonUser, readJsonUsers } from "./json/json-users.js";
import type { RowDamage } from "./row-damage.js";
import type { FileHead, Source } from "./source.js";
import { openTable } from "./table-users.js";

/** What a vendor is told of the file that a user is from. */
export interface UserFile {
  /** For messages. */
  readonly path: string;
  /** The names of a table's columns; null for JSON. */
  readonly columns: ReadonlySet<string> | null;
  /** Epoch milliseconds; a lock that was over by then is none. */
  readonly now: number;
}

/** A vendor's own part. */
interface VendorDefinition extends Omit<SourceDefinition, "recognize" | "open"> {
  /** The property of a JSON document that holds the users; empty where documents are arrays alone. */
  users(head: FileHead): string;
  /** As {@link Source.recognize}, by the names of a table's columns. */
  recognizeTable(header: readonly string[], head: FileHead): string | null;
  /** As {@link Source.recognize}, by the first user of JSON in either container. */
  recognizeUser(first: object, head: FileHead): string | null;
  readonly fields: FieldTree;
  /** Takes off a table's cell what isn't the user's own; by default all is. */
  readonly clean?: (text: string, row: readonly string[]) => string;
  /**
   * What a user becomes: an object of JSON, or the filled cells of a table by the paths that their
   * columns' names are, all of them texts.
   *
   * @param told the codes that tell its fields
   * @throws RunError `input_unrecognized` for a file that can't be read as users
   */
  readUser(user: object, told: Told, file: UserFile): UserDraft | RowDamage;
  /** A parsed object under the names of the table of fields; the object itself by default. */
  view?(value: object): object;
}

/** Makes a {@link Source} of a vendor's definition. */
export function defineVendor(definition: VendorDefinition): Source {
  const { clean, readUser, view, fields } = definition;
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
    open(head, bytes, { watch, now }) {
      const users = definition.users(head);
      if (formatOf(head, users) !== "csv") {
        const file = { path: head.path, columns: null, now };
        const read = (user: object, told: Told) => readUser(user, told, file);
        return toDrafts(readJsonUsers(head, bytes, users), watch(fields).users(read, view));
      }
      const columns = definition.columns ?? fields;
      const table = openTable(head, bytes, columns, { clean });
      const file = { path: head.path, columns: table.names, now };
      const read = (user: object, told: Told) => readUser(user, told, file);
      return toDrafts(table.rows, watch(columns).users(read, table.userOf));
    },
  });
}
