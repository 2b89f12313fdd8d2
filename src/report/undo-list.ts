/** The undo list: the core's users to delete to take the migration back. It leaves out users who were, or may have been, there before. */

import type { MigratedUser } from "../checkpoint/migrated-users.js";
import type { ReportSource } from "../checkpoint/report-source.js";
import { csvLine } from "./csv.js";
import { matches, type ListFilter } from "./id-map.js";

type Users = Pick<ReportSource, "migrated">;

/** As CSV with a header. Ids stand in it to the byte: it is for programs. */
export function* undoCsv(source: Users, filter: ListFilter = {}): Generator<string> {
  yield csvLine(["core_user_id", "outcome", "vendor_id", "file", "row"]);
  for (const { coreId, outcome, sourceId, row } of newUsers(source, filter)) {
    yield csvLine([coreId, outcome, sourceId ?? "", row.file, String(row.number)]);
  }
}

/** As a JSON object a line. */
export function* undoNdjson(source: Users, filter: ListFilter = {}): Generator<string> {
  for (const { coreId, outcome, sourceId, row } of newUsers(source, filter)) {
    yield `${JSON.stringify({ type: "undo", v: 1, coreId, outcome, sourceId, row })}\n`;
  }
}

/** What is known of a user who is to be deleted. */
type NewUser = MigratedUser & { readonly coreId: string };

function* newUsers(source: Users, filter: ListFilter): Generator<NewUser> {
  for (const user of source.migrated()) {
    const { coreId, isNew, scope } = user;
    if (isNew && coreId !== null && matches(scope, filter)) yield { ...user, coreId };
  }
}
