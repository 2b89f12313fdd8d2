/** Remembers what was found out of a key: of names, roles and columns an export has few, and asks again for each user. */

/**
 * @param find always gives the same for the same key
 * @param most of them are remembered: some exports have ids for names
 * @returns `find`, which is asked once for each key
 */
export function remembering<Found extends object | string | boolean | null, Key = string>(
  find: (key: Key) => Found,
  most: number,
): (key: Key) => Found {
  const known = new Map<Key, Found>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const found = find(key);
    if (known.size < most) known.set(key, found);
    return found;
  };
}

/** The same of objects: each is looked at once. */
export function rememberingEach<Found, Each extends object = object>(
  find: (object: Each) => Found,
): (object: Each) => Found {
  const known = new WeakMap<Each, { readonly found: Found }>();
  return (object) => {
    const before = known.get(object);
    if (before !== undefined) return before.found;
    const found = find(object);
    known.set(object, { found });
    return found;
  };
}
