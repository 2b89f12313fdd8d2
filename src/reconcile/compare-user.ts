/** Compares one user of the checkpoint with the core: is the user there, by id and by contact, and as the kind of user that was brought? It changes nothing. */

import type { Caller, CallResult } from "../calls/caller.js";
import type { Core } from "../core/core.js";
import type { CoreUser } from "../core/user.js";
import { optionName } from "../errors/option-name.js";
import { contactKey, contactsOf, type Sought } from "../plan/core-contacts.js";
import { RECIPES } from "../plan/decide-change.js";
import type { PlanKind } from "../plan/entry.js";
import type { Subject } from "./subjects.js";

/** How checkpoint and core can differ in one user. */
export type DifferenceCode = keyof typeof HINTS;

/** One difference in a user. */
export interface Difference {
  readonly code: DifferenceCode;
  readonly hint: string;
  /** The names of metadata that differ; absent of any other difference. */
  readonly fields?: readonly string[];
}

/** What comparing one user came to. */
export type Verdict =
  | { readonly kind: "agrees" }
  /** There is nothing to ask the core by. */
  | { readonly kind: "unasked" }
  | { readonly kind: "differs"; readonly differences: readonly Difference[] }
  | { readonly kind: "unanswered"; readonly code: string; readonly hint: string };

/** A call that got no answer. */
export type Failed = Extract<CallResult<unknown>, { ok: false }>;

/** What comparing needs. */
export interface Asking {
  readonly core: Core;
  readonly caller: Caller;
}

export const AGREES: Verdict = { kind: "agrees" };

/** What differs, by its code. */
export const HINTS = {
  user_missing: `The core doesn't know this user: removed since, or the core was set back to an older state. This checkpoint takes them for finished; an import with a checkpoint of its own (${optionName("--checkpoint", "FILE")}) brings them again.`,
  recipe_differs:
    "At the core this id belongs to a user who signs in another way than the one who was brought; look at that user there.",
  contact_differs:
    "The user at the core has none of the contacts that were brought: they were changed there since, or this id is another user's.",
  contact_missing:
    "No user at the core has this user's contact; it was changed there since, or never got there.",
  contact_of_other:
    "This user's contact is another user's at the core; find out whose it is before it is used to sign in.",
  id_differs:
    "The vendor's id, which was kept, doesn't lead to this user at the core any more: the mapping was removed there, or given to another user. The application doesn't know the user by the id that the core shows now; map it again (POST /recipe/userid/map).",
  verified_differs:
    "Whether the user's email reads as verified at the core isn't what was carried: the user has verified it since, or changed it there.",
  joined_differs:
    "The core has another time of joining than was carried: the export has changed since.",
  metadata_differs:
    "Metadata that was carried is missing at the core or has another value: it was changed there, or in the export. An import before the cut-over sends what has changed in the export.",
  roles_differ: "A role that was carried isn't the user's at the core any more.",
  totp_differs:
    "A second factor that was carried isn't at the core any more: the core may let the user in without it.",
} as const;

/** What the core's pages say of a user; `other`: another user of the core has one of the contacts. */
export type Sighting = "agrees" | "other" | "unclear";

/**
 * Compares one user with the core, which is asked where its pages don't show that all is well.
 *
 * @throws RunError where no further call can succeed
 */
export async function compareUser(
  asking: Asking,
  subject: Subject,
  sighting: Sighting,
): Promise<Verdict> {
  if (sighting === "agrees") return AGREES;
  const verdict = await askFor(asking, subject);
  return verdict.kind === "agrees" && sighting === "other"
    ? differing("contact_of_other")
    : verdict;
}

/** Asks the core for one user: by the id that it gave, and by every contact that is known. */
async function askFor(asking: Asking, subject: Subject): Promise<Verdict> {
  const { user, contacts } = subject;
  const { core, caller } = asking;
  const { coreId } = user;
  if (coreId === null && contacts.length === 0) return { kind: "unasked" };
  let found: CoreUser | null = null;
  if (coreId !== null) {
    const answer = await caller.call("lookup", () => core.getUser(coreId));
    if (!answer.ok) return unanswered(answer);
    if (answer.value === null) return differing("user_missing");
    const verdict = await compareFound(asking, subject, answer.value);
    if (verdict.kind !== "agrees") return verdict;
    const kept = await compareId(asking, subject, answer.value);
    if (kept.kind !== "agrees") return kept;
    found = answer.value;
  }
  return compareContacts(asking, subject, found);
}

async function compareFound(asking: Asking, subject: Subject, found: CoreUser): Promise<Verdict> {
  const { kind } = subject.user;
  // A user who was there before may sign in by more than this export shows.
  if (kind === null) return AGREES;
  if (isBy(found, kind)) return compareDigests(subject, found);
  // Of linked accounts a core shows one first; the other one is found by a contact of the same account.
  for (const contact of contactsOf(found)) {
    const answer = await lookUp(asking, contact);
    if (!answer.ok) return unanswered(answer);
    const other = answer.value.find((one) => one.userId === found.userId && isBy(one, kind));
    if (other !== undefined) return compareDigests(subject, other);
  }
  return differing("recipe_differs");
}

/** Whether the core knows the user by the vendor's id, where that was kept. */
async function compareId(
  { core, caller }: Asking,
  { user: { coreId, sourceId, idKept } }: Subject,
  { userId, recipeUserId }: CoreUser,
): Promise<Verdict> {
  if (!idKept || sourceId === null || sourceId === userId || sourceId === recipeUserId) {
    return AGREES;
  }
  // Linked accounts are shown by the id of one of them.
  const pair = await caller.call("lookup", () => core.findMapping(sourceId));
  if (!pair.ok) return unanswered(pair);
  return pair.value?.userId === coreId ? AGREES : differing("id_differs");
}

/** The checkpoint has no contact that could be read, but it can tell whether one is this user's. */
function compareDigests({ reader, user: { id } }: Subject, found: CoreUser): Verdict {
  const contacts = contactsOf(found);
  const own = reader.users.contactsOf(id).map(({ key }) => key);
  const isOurs = (contact: Sought): boolean => own.includes(contactKey(reader, contact));
  return contacts.length === 0 || contacts.some(isOurs) ? AGREES : differing("contact_differs");
}

/** By contact, where the export's files say which they are. */
async function compareContacts(
  asking: Asking,
  { user, contacts }: Subject,
  found: CoreUser | null,
): Promise<Verdict> {
  const { kind } = user;
  let leading = 0;
  let missing = 0;
  for (const contact of contacts) {
    const answer = await lookUp(asking, contact);
    if (!answer.ok) return unanswered(answer);
    const users = answer.value.filter((one) => isBy(one, kind));
    if (users.length === 0) missing += 1;
    else if (found === null || users.some(({ userId }) => userId === found.userId)) leading += 1;
  }
  if (leading === contacts.length) return AGREES;
  if (missing > 0) return differing("contact_missing");
  // The second contact of a user who was brought may belong to another user, as the import has told
  // (`contact_conflict`). A user who was there before has both, or the row hasn't arrived.
  return leading > 0 && kind !== null ? AGREES : differing("contact_of_other");
}

/** Whether a user signs in the way in which this migration brought them. Any way is right for a user who was there before. */
export function isBy({ recipe, thirdParty }: CoreUser, kind: PlanKind | null): boolean {
  if (kind === "thirdparty") return thirdParty !== undefined;
  return recipe === null || kind === null || recipe === RECIPES[kind];
}

function lookUp({ core, caller }: Asking, contact: Sought) {
  return caller.call("lookup", () =>
    "thirdPartyId" in contact ? core.findByThirdParty(contact) : core.findUsers(contact),
  );
}

function differing(code: DifferenceCode): Verdict {
  return { kind: "differs", differences: [differs(code)] };
}

/** @param fields names of metadata */
export function differs(code: DifferenceCode, fields?: readonly string[]): Difference {
  return { code, hint: HINTS[code], ...(fields === undefined ? {} : { fields }) };
}

export function unanswered({ failure }: Failed): Verdict {
  const hint = `${failure.message}; run the same command again to ask for this user once more.`;
  return { kind: "unanswered", code: `core_${failure.kind}`, hint };
}
