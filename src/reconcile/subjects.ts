/** Whom reconciling asks the core for: finished users of the checkpoint, or those of them who are in export files, with their contacts. */

import type { FinishedUser } from "../checkpoint/finished-users.js";
import type { CheckpointReader } from "../checkpoint/reader.js";
import { Bitset } from "../plan/bitset.js";
import { accountOfSocial, type AccountPlan, keptParts, planAccount } from "../plan/account-plan.js";
import type { Carried } from "../plan/carried.js";
import { contactKey, type Sought } from "../plan/core-contacts.js";
import type { Notices } from "../plan/entry.js";
import { JOINED_LEFT } from "../plan/joining.js";
import { type PartNotes, SENT_PARTS, type SentPart } from "../plan/parts.js";
import { PART } from "../plan/states.js";
import { identityKey } from "../plan/user-keys.js";
import type { Input } from "../source/inputs.js";
import { readJoined } from "../stage/joined-input.js";
import type { SourceItem } from "../source/source.js";

/** A user who is at the core as far as the checkpoint knows. */
export interface Subject {
  readonly user: FinishedUser;
  /** The checkpoint that knows the user. */
  readonly reader: CheckpointReader;
  /** Contacts of the user's row, or their social account, that the checkpoint knows as theirs; none where no files are read. */
  readonly contacts: readonly Sought[];
  /** The email that was brought; null where there is none, or no files are read. */
  readonly email: string | null;
  /** What the user's row has of their account; null where accounts aren't compared. */
  readonly account: AccountPlan | null;
  /** Names of what the core has of each part, as far as the checkpoint knows. */
  readonly parts: Readonly<Partial<Record<SentPart, readonly string[]>>>;
}

/** How many users to take. */
export type SampleSize = number | "all";

/** Rows of the files, and how many of them are of users who aren't at the core by the checkpoint. */
export interface RowCounts {
  read: number;
  notBrought: number;
}

/** A checkpoint, and how many finished users are in it. */
export interface Counted {
  readonly reader: CheckpointReader;
  readonly finished: number;
  /** Those of them who were at the core before. */
  readonly existed: number;
}

/** Finished users of the checkpoints: each, or some at random, of every shard as many as it has a part in all. */
export function* subjectsOf(
  checkpoints: readonly Counted[],
  size: SampleSize,
  random: () => number,
): Generator<Subject> {
  const total = checkpoints.reduce((sum, { finished }) => sum + finished, 0);
  let before = 0;
  for (const { reader, finished } of checkpoints) {
    const users =
      size === "all" || size >= total
        ? reader.finished.all()
        : reader.finished.sample(
            // So that the parts add up to the size.
            Math.round(((before + finished) * size) / total) - Math.round((before * size) / total),
            random,
          );
    before += finished;
    for (const user of users)
      yield { user, reader, contacts: [], email: null, account: null, parts: {} };
  }
}

/** What reading files once more needs. */
export interface RereadOptions {
  readonly inputs: readonly Input[];
  readonly namespace: string;
  readonly signal: AbortSignal;
  /** What is compared of accounts. */
  readonly carried: Carried;
  /** Counted up on the way. */
  readonly rows: RowCounts;
}

/**
 * Finished users whom files name, each once: by the first of their rows, as an import takes them.
 *
 * @throws RunError when an input can't be read
 */
export async function* subjectsInFiles(
  readers: readonly CheckpointReader[],
  { inputs, namespace, signal, carried, rows }: RereadOptions,
): AsyncGenerator<Subject> {
  const keepsAccount = keptParts(carried);
  const met = new Map(readers.map((reader) => [reader, new Bitset()]));
  for (const input of inputs) {
    const scope = { namespace, source: input.source.name };
    for await (const items of readJoined(input, { signal, keepsAccount })) {
      if (signal.aborted) return;
      for (const item of items) {
        if (item.kind === "truncated") continue;
        rows.read += 1;
        const place = { file: input.path, scope, carried };
        let subject: Subject | "mended" | null = null;
        for (const reader of readers) subject ??= subjectOf(reader, item, place);
        if (subject === null) rows.notBrought += 1;
        if (subject === null || subject === "mended") continue;
        const { reader, user } = subject;
        if (met.get(reader)?.has(user.id) === true) continue;
        met.get(reader)?.add(user.id);
        yield subject;
      }
    }
  }
}

/** Some of many at random, each with the same chance, in memory for those alone (Vitter's algorithm R). */
export async function sampleOf<T>(
  all: AsyncIterable<T>,
  size: number,
  random: () => number,
): Promise<T[]> {
  const chosen: T[] = [];
  let met = 0;
  for await (const one of all) {
    const place = met < size ? met : Math.floor(random() * (met + 1));
    if (place < size) chosen[place] = one;
    met += 1;
  }
  return chosen;
}

/** Where an item stands, and what keeps its ids apart. */
interface Place {
  readonly file: string;
  readonly scope: { readonly source: string; readonly namespace: string };
  readonly carried: Carried;
}

/** @returns null where the checkpoint has no finished user for the row; `mended` where another row has brought them, and this one leads to nobody */
function subjectOf(
  reader: CheckpointReader,
  item: Exclude<SourceItem, { readonly kind: "truncated" }>,
  { file, scope, carried }: Place,
): Subject | "mended" | null {
  const { number } = item;
  const unknown = () => (reader.finished.hasMended({ file, number }) ? "mended" : null);
  if (item.kind !== "record") return unknown();
  const { record } = item;
  const { digester } = reader;
  const context = { digester, ...scope };
  const planned = planAccount(record, carried);
  const { email, phone } = record;
  const sought: readonly Sought[] = [
    ...(email === null ? [] : [{ email: email.value }]),
    ...(phone === null ? [] : [{ phoneNumber: phone.value }]),
    ...planned.social,
  ];
  const contacts = sought.map((request) => ({ request, key: contactKey(reader, request) }));
  const entryId = reader.users.find({
    identity: identityKey(record, { file, number }, context),
    keyed: record.sourceId !== null,
    contacts: contacts.map(({ key }) => key),
  });
  if (entryId === null) return unknown();
  const user = reader.finished.find(entryId);
  if (user === null) return null;
  const held = reader.users.heldBy(entryId);
  const own = contacts.filter(({ key }) => held.includes(key)).map(({ request }) => request);
  const social = planned.social.find((one) => own.includes(one));
  const sent =
    social === undefined ? planned.account : accountOfSocial(planned.account, social, carried);
  const beside = sent === null ? null : reader.finished.beside(entryId);
  const account = sent && beside && keptOf(sent, user, beside.notices);
  const parts = beside === null ? {} : partsOf(beside.parts, carried);
  const byEmail = own.find((one): one is { readonly email: string } => "email" in one);
  return { user, reader, contacts: own, email: byEmail?.email ?? null, account, parts };
}

/** The core has a new user's day of joining, unless the import has told that it doesn't. */
function keptOf(
  account: AccountPlan,
  { isNew }: FinishedUser,
  { row, calls }: Notices,
): AccountPlan {
  const isKept = isNew && ![...row, ...calls].includes(JOINED_LEFT);
  return isKept ? account : { ...account, joined: null };
}

/** What was sent, whole. */
function partsOf(notes: PartNotes | null, carried: Carried): Subject["parts"] {
  const done = SENT_PARTS.flatMap((part) => {
    const note = notes?.[part];
    return carried[part] && note?.state === PART.done ? [[part, note.names]] : [];
  });
  return Object.fromEntries(done);
}
