/** Remembers what was found out of a text: of names, roles and columns an export has few, and asks again for each user. */

/**
 * @param find always gives the same for the same text
 * @param most of them are remembered: some exports have ids for names
 * @returns `find`, which is asked once for each text
 */
export function remembering<Found extends object | string | boolean | null>(
  find: (text: string) => Found,
  most: number,
): (text: string) => Found {
  const known = new Map<string, Found>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const found = find(text);
    if (known.size < most) known.set(text, found);
    return found;
  };
}
