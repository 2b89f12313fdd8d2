/** Where the users of a whole migration stand, as a summary and `status` have it alike. */

import { rowKey } from "../errors/place.js";
import type { RowRef } from "./events.js";
import type { Field } from "./lines/lines.js";

/** Where the users of a whole migration stand. */
export interface Standings extends Field<"import-summary", "standing"> {}

/** Why the numbers lack rows: the latest run was stopped or broke off, a limit left rows, an input was cut off, or a proof alone has read test users. */
export type Cut = NonNullable<Standings["cut"]>;

/** Users at the core whom their latest row would leave out: by the option that the row was read without, or `since` where the vendor keeps them out. */
export type StillThere = Standings["stillThere"];

/** Test users whose password was verified, by what against. */
export type ProvedUsers = Standings["provedUsers"];

export const NOBODY_PROVED: ProvedUsers = { sent: 0, bridged: 0 };

/** Whose passwords have fitted; of a user who is named twice one. */
export function countProved(
  fitted: readonly { readonly row: RowRef; readonly bridged?: boolean }[],
): ProvedUsers {
  const users = new Map(fitted.map(({ row, bridged = false }) => [rowKey(row), bridged]));
  const kept = [...users.values()].filter((bridged) => bridged).length;
  return { sent: users.size - kept, bridged: kept };
}

/** What the latest proof of some runs says of users whom the migration has brought, or may have: of others it says nothing. */
export function provedBy(
  runs: readonly { readonly provedUsers: ProvedUsers }[],
  brought: Pick<Standings, "imported" | "queued" | "unknown"> & { readonly bridged: number },
): Pick<Standings, "proved" | "provedUsers"> {
  const { imported, bridged, queued, unknown } = brought;
  const hasSent = imported - bridged + queued + unknown > 0;
  const held = runs.map(({ provedUsers: { sent, bridged: kept, ...others } }) => ({
    ...others,
    sent: hasSent ? sent : 0,
    bridged: bridged > 0 ? kept : 0,
  }));
  const latest = held.findLast((users) => users.sent + users.bridged > 0);
  return { proved: latest !== undefined, provedUsers: latest ?? NOBODY_PROVED };
}
