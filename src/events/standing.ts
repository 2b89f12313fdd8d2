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

/** Whose passwords have fitted; of a user who is named twice one. Beside them hashes of the kinds that the run has met: none of a kind that one of them has. */
export function countProved(
  fitted: readonly {
    readonly row: RowRef;
    readonly algorithm: string;
    readonly bridged?: boolean;
  }[],
  untried: Readonly<Record<string, number>> = {},
): ProvedUsers {
  const users = new Map(fitted.map(({ row, bridged = false }) => [rowKey(row), bridged]));
  const kept = [...users.values()].filter((bridged) => bridged).length;
  const tried = Object.fromEntries(fitted.map(({ algorithm }) => [algorithm, 0]));
  return { sent: users.size - kept, bridged: kept, untried: { ...untried, ...tried } };
}

/** What the proofs of some runs say together of users whom the migration has brought, or may have: a later, smaller one takes nothing from a larger, and no kind that any has tried is untried. Runs keep no test users, so that these can't be added up. */
export function provedBy(
  runs: readonly { readonly provedUsers: ProvedUsers }[],
  brought: Pick<Standings, "imported" | "queued" | "unknown"> & { readonly bridged: number },
): Pick<Standings, "proved" | "provedUsers"> {
  const { imported, bridged, queued, unknown } = brought;
  const hasSent = imported - bridged + queued + unknown > 0;
  const held = runs
    .map(({ provedUsers: of }) => ({
      ...of,
      sent: hasSent ? of.sent : 0,
      bridged: bridged > 0 ? of.bridged : 0,
    }))
    .filter((of) => of.sent + of.bridged > 0);
  if (held.length === 0) return { proved: false, provedUsers: NOBODY_PROVED };
  const provedUsers = {
    sent: Math.max(...held.map(({ sent }) => sent)),
    bridged: Math.max(...held.map((of) => of.bridged)),
    untried: untriedOf(held, Math.max),
  };
  return { proved: true, provedUsers };
}

/** @param both of the hashes of a kind that neither of two proofs has tried */
export function untriedOf(
  proofs: readonly Pick<ProvedUsers, "untried">[],
  both: (one: number, other: number) => number,
): Record<string, number> {
  const untried: Record<string, number> = {};
  for (const [kind, hashes] of proofs.flatMap((of) => Object.entries(of.untried ?? {}))) {
    const before = untried[kind];
    const isTried = hashes === 0 || before === 0;
    untried[kind] = isTried ? 0 : before === undefined ? hashes : both(before, hashes);
  }
  return untried;
}
