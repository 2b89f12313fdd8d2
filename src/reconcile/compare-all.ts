/** Compares users of the checkpoint with the core, a few at once: is each there, by id and by contact, and as the kind of user that was brought? It changes nothing and counts what came of it. */

import type { Caller, CallResult } from "../calls/caller.js";
import { createPace } from "../calls/pace.js";
import { createProgress } from "../calls/progress.js";
import { SYSTEM_TIMING, type Timing } from "../calls/timing.js";
import type { FinishedUser } from "../checkpoint/finished-users.js";
import type { CodeRequest, Core, CoreUser, Recipe } from "../core/core.js";
import type { PauseEvent, ProgressEvent, RowEvent, RowRef } from "../events/events.js";
import { emitRow, type Tally } from "../events/tally.js";
import type { Stop } from "../run/stop.js";
import type { Subject } from "./subjects.js";

/** A user in whom checkpoint and core differ. Holds no contact. */
export interface DifferenceEvent {
  readonly type: "difference";
  /** The row that named this user last. */
  readonly row: RowRef;
  /** The vendor's id; null where there is none or where it looks like a contact. */
  readonly sourceId: string | null;
  readonly code: DifferenceCode;
  /** What it is and what the operator can do, in a sentence. */
  readonly hint: string;
}

/** What is told on the way: of each user who differs or got no answer, and how far it is. */
export type ReconcileEvent = DifferenceEvent | RowEvent | ProgressEvent | PauseEvent;

/** What came of all users. */
export interface Comparison {
  /** Users whom the core was asked about; the sum of the next three fields. */
  readonly asked: number;
  readonly agreed: number;
  readonly differing: number;
  /** No call got through for them. */
  readonly unanswered: number;
  /** Users who can't be asked for: the checkpoint keeps no id of theirs. */
  readonly unasked: number;
  readonly differences: Readonly<Partial<Record<DifferenceCode, number>>>;
}

/** What comparing needs of the whole. */
interface Comparing {
  readonly asking: Asking;
  readonly tally: Tally;
  readonly concurrency: number;
  /** Ends the asking; what is in flight ends first. */
  readonly stop: Stop;
  readonly onEvent?: (event: ReconcileEvent) => void;
  /** Asked before the next user. */
  readonly room?: () => Promise<void>;
  readonly timing?: Timing;
  /** When it began, by `timing`. */
  readonly start: number;
}

/** @throws RunError where no further call can succeed, or the users can't be read */
export async function compareAll(
  subjects: AsyncIterable<Subject> | Iterable<Subject>,
  { asking, tally, concurrency, stop, start, ...rest }: Comparing,
): Promise<Comparison> {
  const { onEvent: emit = () => {}, timing = SYSTEM_TIMING } = rest;
  const pace = createPace(concurrency);
  const phase = "run";
  const progress = createProgress(emit, { phase, tally, pace, timing, start, totalBytes: null });
  const counts = { asked: 0, agreed: 0, differing: 0, unanswered: 0, unasked: 0 };
  const differences: Partial<Record<DifferenceCode, number>> = {};
  const { signal } = stop;

  const compare = async (subject: Subject): Promise<void> => {
    if (signal.aborted) return;
    const { row, sourceId } = subject.user;
    tally.read();
    const verdict = await compareUser(asking, subject);
    if (verdict.kind === "unasked") {
      counts.unasked += 1;
      return;
    }
    counts.asked += 1;
    if (verdict.kind === "unanswered") {
      counts.unanswered += 1;
      const { code, hint } = verdict;
      emitRow({ type: "failure", row, sourceId, code, hint }, tally, emit);
    } else {
      tally.ended("unchanged");
      if (verdict.kind === "agrees") counts.agreed += 1;
      else {
        const { code, hint } = verdict;
        counts.differing += 1;
        differences[code] = (differences[code] ?? 0) + 1;
        emit({ type: "difference", row, sourceId, code, hint });
      }
    }
    progress.tick();
  };

  const askForAll = async (): Promise<void> => {
    for await (const subject of subjects) {
      await pace.room();
      await rest.room?.();
      if (signal.aborted) return;
      pace.track(1, pace.run(() => compare(subject)).catch(stop.fail));
    }
  };

  await askForAll().catch(stop.fail);
  await pace.idle();
  stop.throwIfFailed();
  return { ...counts, differences };
}

/** How checkpoint and core can differ in one user. */
export type DifferenceCode =
  | "user_missing"
  | "recipe_differs"
  | "contact_differs"
  | "contact_missing"
  | "contact_of_other";

/** What comparing one user came to. */
type Verdict =
  | { readonly kind: "agrees" }
  /** There is nothing to ask the core by. */
  | { readonly kind: "unasked" }
  | { readonly kind: "differs"; readonly code: DifferenceCode; readonly hint: string }
  | { readonly kind: "unanswered"; readonly code: string; readonly hint: string };

/** What comparing needs. */
export interface Asking {
  readonly core: Core;
  readonly caller: Caller;
}

const AGREES: Verdict = { kind: "agrees" };

const HINTS: Readonly<Record<DifferenceCode, string>> = {
  user_missing:
    "The core doesn't know this user: removed since, or the core was set back to an older state. This checkpoint takes them for finished; an import with a checkpoint of its own (--checkpoint FILE) brings them again.",
  recipe_differs:
    "The core knows this id as a user who signs in in another way than the one who was brought; look at this user at the core.",
  contact_differs:
    "The user at the core has none of the contacts that were brought: they were changed there since, or this id is another user's.",
  contact_missing:
    "No user at the core has this user's contact; it was changed there since, or never got there.",
  contact_of_other:
    "This user's contact is another user's at the core; find out whose it is before it is used to sign in.",
};

/** The way to sign in that an outcome brought; null where the user was there before. */
const RECIPES: Readonly<Record<FinishedUser["outcome"], Recipe | null>> = {
  imported: "emailpassword",
  created: "passwordless",
  existed: null,
};

/**
 * Asks the core for one user: by the id that it gave, and by every contact that is known.
 *
 * @throws RunError where no further call can succeed
 */
async function compareUser(asking: Asking, subject: Subject): Promise<Verdict> {
  const { user, contacts } = subject;
  const { core, caller } = asking;
  const { coreId } = user;
  if (coreId === null && contacts.length === 0) return { kind: "unasked" };
  let found: CoreUser | null = null;
  if (coreId !== null) {
    const answer = await caller.call("lookup", () => core.getUser(coreId));
    if (!answer.ok) return unanswered(answer);
    if (answer.value === null) return differs("user_missing");
    const verdict = await compareFound(asking, subject, answer.value);
    if (verdict.kind !== "agrees") return verdict;
    found = answer.value;
  }
  return compareContacts(asking, subject, found);
}

async function compareFound(asking: Asking, subject: Subject, found: CoreUser): Promise<Verdict> {
  const recipe = RECIPES[subject.user.outcome];
  // Who was there before may be known by more than this export has.
  if (recipe === null) return AGREES;
  if (found.recipe === null || found.recipe === recipe) return compareDigests(subject, found);
  // Of linked accounts a core shows one first; the other one is found by a contact of the same account.
  for (const contact of contactsOf(found)) {
    const answer = await lookUp(asking, contact);
    if (!answer.ok) return unanswered(answer);
    const other = answer.value.find((one) => one.userId === found.userId && one.recipe === recipe);
    if (other !== undefined) return compareDigests(subject, other);
  }
  return differs("recipe_differs");
}

/** The checkpoint has no contact that could be read, but it can tell whether one is this user's. */
function compareDigests({ reader, user: { id } }: Subject, found: CoreUser): Verdict {
  const contacts = contactsOf(found);
  const isOurs = ({ email, phoneNumber }: CodeRequest): boolean =>
    reader.entries.knows(
      id,
      email === undefined
        ? reader.digester.contact("phone", phoneNumber)
        : reader.digester.contact("email", email),
    );
  return contacts.length === 0 || contacts.some(isOurs) ? AGREES : differs("contact_differs");
}

/** By contact, where the export's files say which they are. */
async function compareContacts(
  asking: Asking,
  { user, contacts }: Subject,
  found: CoreUser | null,
): Promise<Verdict> {
  const recipe = RECIPES[user.outcome];
  let leading = 0;
  let missing = 0;
  for (const contact of contacts) {
    const answer = await lookUp(asking, contact);
    if (!answer.ok) return unanswered(answer);
    const users = answer.value.filter((one) => isWay(one, recipe));
    if (users.length === 0) missing += 1;
    else if (found === null || users.some(({ userId }) => userId === found.userId)) leading += 1;
  }
  if (leading === contacts.length) return AGREES;
  if (missing > 0) return differs("contact_missing");
  // A second contact of a user who was brought may be another's, which the import has told
  // (`contact_conflict`); of one who was there each is theirs, or the row hasn't arrived.
  return leading > 0 && recipe !== null ? AGREES : differs("contact_of_other");
}

function isWay({ recipe }: CoreUser, wanted: Recipe | null): boolean {
  return recipe === null || wanted === null || recipe === wanted;
}

function lookUp({ core, caller }: Asking, contact: CodeRequest) {
  return caller.call("lookup", () => core.findUsers(contact));
}

function contactsOf({ email, phoneNumber }: CoreUser): CodeRequest[] {
  return [
    ...(email === undefined ? [] : [{ email }]),
    ...(phoneNumber === undefined ? [] : [{ phoneNumber }]),
  ];
}

function differs(code: DifferenceCode): Verdict {
  return { kind: "differs", code, hint: HINTS[code] };
}

function unanswered({ failure }: Extract<CallResult<unknown>, { ok: false }>): Verdict {
  const hint = `${failure.message}; run the same command again to ask for this user once more.`;
  return { kind: "unanswered", code: `core_${failure.kind}`, hint };
}
