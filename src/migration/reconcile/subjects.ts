/** Whom reconciling asks the core for: finished users of the checkpoint, or those of them who are in export files, with their contacts. */

import type { CodeRequest } from "../../core/core.js";
import type { SourceItem } from "../../source/source.js";
import { identityKey } from "../candidates.js";
import type { FinishedUser } from "../checkpoint/finished-users.js";
import type { CheckpointReader } from "../checkpoint/reader.js";
import type { Digester, Key } from "../digests.js";
import { type Input, readInput } from "../inputs.js";

/** A user who is at the core as far as the checkpoint knows. */
export interface Subject {
  readonly user: FinishedUser;
  /** Contacts of the user's row that the checkpoint knows as theirs; none where no files are read. */
  readonly contacts: readonly CodeRequest[];
}

/** How many users to take. */
export type SampleSize = number | "all";

/** Rows of the files, and how many of them are of users who aren't at the core by the checkpoint. */
export interface RowCounts {
  read: number;
  notBrought: number;
}

/** Finished users of the checkpoint: each, or some at random. */
export function* subjectsOf(
  { finished }: CheckpointReader,
  size: SampleSize,
  { total, random }: { readonly total: number; readonly random: () => number },
): Generator<Subject> {
  const users = size === "all" || size >= total ? finished.all() : finished.sample(size, random);
  for (const user of users) yield { user, contacts: [] };
}

/** What reading files once more needs. */
export interface RereadOptions {
  readonly inputs: readonly Input[];
  readonly namespace: string;
  readonly signal: AbortSignal;
  /** Counted up on the way. */
  readonly rows: RowCounts;
}

/**
 * Finished users whom files name, each row for itself.
 *
 * @throws RunError when an input can't be read
 */
export async function* subjectsInFiles(
  reader: CheckpointReader,
  { inputs, namespace, signal, rows }: RereadOptions,
): AsyncGenerator<Subject> {
  const { digester } = reader;
  for (const input of inputs) {
    const context = { digester, namespace, source: input.source.name };
    for await (const items of readInput(input, { signal })) {
      if (signal.aborted) return;
      for (const item of items) {
        if (item.kind === "truncated") continue;
        rows.read += 1;
        const subject = subjectOf(item, input.path, { reader, context });
        if (subject === null) rows.notBrought += 1;
        else yield subject;
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

interface Finding {
  readonly reader: CheckpointReader;
  readonly context: {
    readonly digester: Digester;
    readonly source: string;
    readonly namespace: string;
  };
}

function subjectOf(item: SourceItem, file: string, { reader, context }: Finding): Subject | null {
  if (item.kind !== "record") return null;
  const { record, number } = item;
  const { digester } = context;
  const contacts: { readonly key: Key; readonly request: CodeRequest }[] = [];
  if (record.email !== null) {
    const email = record.email.value;
    contacts.push({ key: digester.contact("email", email), request: { email } });
  }
  if (record.phone !== null) {
    const phoneNumber = record.phone.value;
    contacts.push({ key: digester.contact("phone", phoneNumber), request: { phoneNumber } });
  }
  const entryId = reader.entries.find({
    identity: identityKey(record, { file, number }, context),
    keyed: record.sourceId !== null,
    contacts: contacts.map(({ key }) => key),
  });
  const user = entryId === null ? null : reader.finished.find(entryId);
  if (entryId === null || user === null) return null;
  const own = contacts.filter(({ key }) => reader.entries.holds(entryId, key));
  return { user, contacts: own.map(({ request }) => request) };
}
