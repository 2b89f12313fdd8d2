/** Goes on with an iteration that the caller began, and leaves its end to the caller. */

/** What `iterator` has yet to give. Ending this iteration early doesn't end that one. */
export async function* restOf<T>(iterator: AsyncIterator<T>): AsyncGenerator<T, void, undefined> {
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
    yield next.value;
  }
}
