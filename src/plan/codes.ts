/** Lists of the codes that are told of a user: each code once, and one list for all users who have the same alone. Pure. */

export const NONE: readonly string[] = [];

/** Lists as one. */
export function joined(...lists: readonly (readonly string[])[]): readonly string[] {
  let all = NONE;
  for (const list of lists) {
    if (all.length === 0) all = list;
    else if (list.length > 0) all = [...new Set([...all, ...list])];
  }
  return all;
}

export function without(codes: readonly string[], code: string): readonly string[] {
  return codes.includes(code) ? codes.filter((one) => one !== code) : codes;
}
