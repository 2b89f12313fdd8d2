/** The statements that walk over users: pages in the order in which they joined, counts, and a hash picked from all. Every page is one range of one index, wherever in millions of users it lies. */

import type { Database } from "../../../sqlite/database.js";
import type { Recipe } from "../../core.js";
import { pickedSlot } from "../decoy-slots.js";
import { USER_COLUMNS } from "./users.js";
import type { PageQuery, StoredPage } from "../store.js";
import { asUser, EMAIL_PASSWORD, RECIPE_NUMBERS, type UserRow } from "../user-row.js";

/** Where the first page of a list begins. Rowids begin at 1. */
const WALKS = {
  ASC: { beyond: ">", start: 0 },
  DESC: { beyond: "<", start: Number.MAX_SAFE_INTEGER },
} as const;

interface ListStatements {
  /** `null`: no user has the id that the page is to come after. */
  page(query: PageQuery): StoredPage | null;
  /** Reads an index from end to end: a twentieth of a second for a million users. */
  count(recipe: Recipe | null): number;
  someHash(point: number): string | null;
}

export function prepareLists(database: Database): ListStatements {
  const walk = (order: PageQuery["order"]) => {
    const page = (where: string) =>
      database.prepare<UserRow>(
        `SELECT ${USER_COLUMNS} FROM user WHERE ${where} id ${WALKS[order].beyond} ?
         ORDER BY id ${order} LIMIT ?`,
      );
    return { all: page(""), ofRecipe: page("recipe = ? AND") };
  };
  const pages = { ASC: walk("ASC"), DESC: walk("DESC") };
  const rowOf = database.prepare<[number]>("SELECT id FROM user WHERE user_id = ?");
  const countAll = database.prepare<[number]>("SELECT count(*) FROM user");
  const countOne = database.prepare<[number]>("SELECT count(*) FROM user WHERE recipe = ?");
  const lastWithHash = database.prepare<[number | null]>(
    `SELECT max(id) FROM user WHERE recipe = ${EMAIL_PASSWORD}`,
  );
  const hashFrom = database.prepare<[string]>(
    `SELECT password_hash FROM user WHERE recipe = ${EMAIL_PASSWORD} AND id >= ?
     ORDER BY id LIMIT 1`,
  );

  return {
    page({ after, order, recipe, limit }) {
      const from = after === null ? WALKS[order].start : rowOf.get(after)?.[0];
      if (from === undefined) return null;
      const { all, ofRecipe } = pages[order];
      // One more than asked for tells whether there is a next page.
      const found =
        recipe === null
          ? all.all(from, limit + 1)
          : ofRecipe.all(RECIPE_NUMBERS[recipe], from, limit + 1);
      const rows = found.slice(0, limit);
      const last = found.length > limit ? rows.at(-1)?.[0] : undefined;
      return { users: rows.map(asUser), last: last ?? null };
    },
    count: (recipe) =>
      (recipe === null ? countAll.get() : countOne.get(RECIPE_NUMBERS[recipe]))?.[0] ?? 0,
    someHash(point) {
      const last = lastWithHash.get()?.[0] ?? 0;
      return hashFrom.get(pickedSlot(point, last))?.[0] ?? null;
    },
  };
}
