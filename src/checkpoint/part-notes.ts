/** What a checkpoint keeps of the parts of one user's account, as text. It holds digests and names of fields, roles and devices, and no value. */

import { type PartNote, type PartNotes, SENT_PARTS, type SentPart } from "../plan/parts.js";
import { PART, type PartState } from "../plan/states.js";

/** One part: its place among the parts, its state, its digest and its names. */
type Stored = [part: number, state: PartState, digest: string, ...names: string[]];

/** As they are stored; null where nothing is to be written. */
export function packNotes(notes: PartNotes | null): string | null {
  if (notes === null) return null;
  const stored: Stored[] = [];
  for (let place = 0; place < SENT_PARTS.length; place += 1) {
    const note = notes[SENT_PARTS[place] as SentPart];
    if (note !== undefined) stored.push([place, note.state, note.digest, ...note.names]);
  }
  return JSON.stringify(stored);
}

/**
 * What is stored once all parts of a user are in one state, as SQL: null where nothing was ever sent.
 * Of a part that was to be taken away nothing is left when it's done.
 *
 * @param stored the column
 * @param state an expression
 */
export function storedIn(stored: string, state: string): string {
  const number = `CAST(${state} AS INTEGER)`;
  const isGone = `${number} = ${PART.done} AND part.value->>2 = ''`;
  return `(SELECT iif(${stored} IS NULL, NULL, json_group_array(
     iif(${isGone}, json_array(part.value->0, ${number}, ''), json_set(part.value, '$[1]', ${number}))))
     FROM json_each(${stored}) part)`;
}

/** The inverse of {@link packNotes}; null where nothing was ever sent. */
export function readNotes(text: string | null): PartNotes | null {
  if (text === null) return null;
  const notes: { [Part in SentPart]?: PartNote } = {};
  for (const [place, state, digest, ...names] of JSON.parse(text) as Stored[]) {
    const part = SENT_PARTS[place];
    if (part !== undefined) notes[part] = { state, digest, names };
  }
  return notes;
}
