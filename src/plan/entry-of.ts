/** What the checkpoint knows of a row's user, as the row finds it. Pure. */

import {
  type Entry,
  isFinishedEntry,
  type KnownBeside,
  type KnownUser,
  mayBeThere,
  mayHave,
  NO_NOTICES_YET,
  ranksOf,
  type UserKeys,
} from "./entry.js";
import { packRanks } from "./rank.js";
import { MAPPED, MARK, SAW_NOBODY } from "./states.js";

/** The entry of a user of an earlier run. */
export function entryOf(
  keys: UserKeys,
  found: KnownUser,
  scope: number,
  beside: KnownBeside,
): Entry {
  const { id, state, sawNobody, mapped, parts, notices, ranks, row: last, plan, kind } = found;
  const samePlan = plan === keys.plan && sawNobody !== SAW_NOBODY.underAnotherPlan;
  const contacts = samePlan ? [] : beside.contactsOf(id);
  const previous = samePlan
    ? null
    : { plan, kind, contacts, isReplaced: beside.isReplaced(id, keys.plan) };
  const tried = contacts.some(({ mark }) => mark === MARK.tried) || sawNobody !== SAW_NOBODY.no;
  const { row } = keys;
  const isElsewhere = last.number !== row.number || last.file !== row.file;
  const hasOtherRight = samePlan && packRanks(ranks) !== packRanks(ranksOf(keys));
  return {
    id,
    state,
    samePlan,
    previous,
    mapped,
    parts,
    scope,
    notices,
    tried,
    sawNobody: previous === null ? tried : mayHave(keys, previous, sawNobody),
    gainsId: !found.keyed && keys.keyed,
    moved: isElsewhere || found.scope !== scope || hasOtherRight,
  };
}

/** A user whom no run has met before. */
export function newEntry(id: number, scope: number): Entry {
  return {
    id,
    scope,
    state: null,
    sawNobody: false,
    tried: false,
    samePlan: false,
    previous: null,
    mapped: MAPPED.no,
    parts: null,
    gainsId: false,
    moved: true,
    notices: NO_NOTICES_YET,
  };
}

/** Whether a user of an earlier run is, or may be, at the core. */
export function isThere({ state, sawNobody }: KnownUser): boolean {
  return isFinishedEntry({ state }) || mayBeThere({ state, tried: sawNobody !== SAW_NOBODY.no });
}
