/** Looks at the first bytes of an iteration and hands all of it on, as if it hadn't been begun. */

import { CutOff } from "./cut-off.js";

/** The first bytes of an input. */
interface Start {
  /** As they came, so that tests with small pieces reach a reader's own seams. */
  readonly parts: readonly Buffer[];
  /** There are no more. */
  readonly ended: boolean;
  /** There should have been more. */
  readonly cutOff: CutOff | null;
}

/** Takes pieces until they have so many bytes, or there are no more. */
export async function takeStart(source: AsyncIterator<Buffer>, bytes: number): Promise<Start> {
  const parts: Buffer[] = [];
  try {
    for (let length = 0; length < bytes; ) {
      const next = await source.next();
      if (next.done === true) return { parts, ended: true, cutOff: null };
      parts.push(next.value);
      length += next.value.length;
    }
  } catch (error) {
    if (!(error instanceof CutOff)) throw error;
    return { parts, ended: false, cutOff: error };
  }
  return { parts, ended: false, cutOff: null };
}

/** The start without so many bytes, and the rest. Ending this iteration early doesn't end the rest's. */
export async function* resume(
  { parts, cutOff }: Start,
  without: number,
  rest: AsyncIterator<Buffer>,
): AsyncGenerator<Buffer> {
  let skip = without;
  for (const part of parts) {
    yield part.subarray(skip);
    skip = Math.max(0, skip - part.length);
  }
  if (cutOff !== null) throw cutOff;
  yield* restOf(rest);
}

/** What `iterator` has yet to give. Ending this iteration early doesn't end that one. */
export async function* restOf<T>(iterator: AsyncIterator<T>): AsyncGenerator<T, void, undefined> {
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
    yield next.value;
  }
}
