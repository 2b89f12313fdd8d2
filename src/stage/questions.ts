/** What is asked of all rows of a run by their keys, in SQL. Only rows that share a key take part, and nothing in memory grows with them. */

import { RIGHT } from "../plan/contests.js";
import { KEY_BYTES } from "../plan/digests.js";
import { STATE } from "../plan/states.js";

/** Rows that are written at once, as one blob: a value bound for each key would take five times as long. */
export const BATCH = 500;

/** The bits of `about`, the number of 24 bits beside a row's four keys. Above them stand the rights to its two contacts, in two bits each, and from {@link FOUND_AT} on what is found of its user. */
export const BIT = { keyed: 1, yieldsToBetter: 2, yieldsToAny: 4, claims: 8 } as const;
export const SHIFT = { right1: 4, right2: 6 } as const;
export const FOUND_AT = 8;

/** In the place of a key that a row lacks. */
export const NO_KEY = "\0".repeat(KEY_BYTES);

/** A row in a batch: its keys, and then `about` in four characters of six bits, as SQL takes them for numbers. */
const ABOUT_AT = 4 * KEY_BYTES;
const ROW_BYTES = ABOUT_AT + 4;

/**
 * - `rows`: all of them. `c1`, `c2`: the contacts, which a refused row reserves. A row that names no user
 *   has no identity. `about`: see {@link BIT}.
 * - `twice`: keys that several rows have.
 * - `held`: keys that several rows have, or a row and an earlier run's user. `rows`, `n`: how many rows,
 *   and the last one. `stored`, `claimed`: the earlier user whose identity it is, where it is a row's
 *   identity as well, and the one whose contact it is. The rest is `HeldKeys`'.
 * - `found`: the earlier user whom a row's identity names. `other`: another one has a contact of the row.
 * - `hot`: rows that share a key, of which the keys alone don't say who they are.
 * - `standings`: who may have a contested contact. `lost`: who loses it, and to whom.
 * - `met`, `verdicts`: what is said of hot rows, one after the other. `out`: what is found of one that
 *   brings no user, as bits; null of others.
 */
export const TABLES = `
  CREATE TEMP TABLE rows (n INTEGER PRIMARY KEY, identity TEXT, c1 TEXT, c2 TEXT, hash TEXT, about INTEGER);
  CREATE TEMP TABLE numbers (i INTEGER PRIMARY KEY);
  WITH RECURSIVE up (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM up WHERE i < ${BATCH - 1})
    INSERT INTO numbers SELECT i FROM up;
  CREATE TEMP TABLE held (
    key TEXT PRIMARY KEY, rows INTEGER, n INTEGER, stored INTEGER, claimed INTEGER, named INTEGER,
    identity INTEGER, contact INTEGER, reserved INTEGER) WITHOUT ROWID;
  CREATE TEMP TABLE met (user INTEGER PRIMARY KEY, value TEXT);
  CREATE TEMP TABLE twice (key TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TEMP TABLE found (n INTEGER PRIMARY KEY, user INTEGER, other INTEGER);
  CREATE TEMP TABLE hot (
    n INTEGER PRIMARY KEY, identity TEXT, keyed INTEGER, yields INTEGER,
    c1 TEXT, right1 INTEGER, c2 TEXT, right2 INTEGER);
  CREATE TEMP TABLE standings (key TEXT PRIMARY KEY, best INTEGER, stands INTEGER) WITHOUT ROWID;
  CREATE TEMP TABLE lost (
    n INTEGER, place INTEGER, winner INTEGER, right INTEGER, keyed INTEGER);
  CREATE INDEX temp.lost_of ON lost (n, place);
  CREATE TEMP TABLE verdicts (n INTEGER PRIMARY KEY, next INTEGER, among TEXT, out INTEGER);`;

// SQLite sorts text in a third less time than blobs, and looks at no letter of it.
/** A key that stands in a blob of many; null for {@link NO_KEY}. */
export const keyIn = (blob: string, at: string): string =>
  `CAST(nullif(substr(${blob}, ${at}, ${KEY_BYTES}), zeroblob(${KEY_BYTES})) AS TEXT)`;
const keyAt = (place: number): string => keyIn("?3", `1 + ${ROW_BYTES} * i + ${place * KEY_BYTES}`);
const digitAt = (at: number): string =>
  `(unicode(substr(?3, 1 + ${ROW_BYTES} * i + ${ABOUT_AT + at}, 1)) - 48 << ${6 * at})`;

/** Takes a batch: its first row's number, how many rows it has, and the rows. One that waited replaces the blank row in its place. */
export const TAKE = `
  INSERT OR REPLACE INTO rows
    SELECT ?1 + i, ${[0, 1, 2, 3].map(keyAt).join()}, ${[0, 1, 2, 3].map(digitAt).join(" | ")}
    FROM numbers WHERE i < ?2`;

/** Every key of every row; `own`: the row's identity. */
const ROW_KEYS = `
    SELECT c1 AS key, n, c1 IS identity AS own, NULL AS user, NULL AS owner FROM rows WHERE c1 NOT NULL
    UNION ALL SELECT c2, n, c2 IS identity, NULL, NULL FROM rows WHERE c2 NOT NULL
    UNION ALL SELECT identity, n, 1, NULL, NULL FROM rows WHERE identity IS NOT c1 AND identity IS NOT c2`;

const SHARED = `
  INSERT INTO twice SELECT key FROM (${ROW_KEYS}) GROUP BY key HAVING count(*) > 1;`;

/** One sort of both sides' keys. Of two users with one contact the later one has taken it. */
const MEETINGS = `
  INSERT INTO held (key, rows, n, stored, claimed)
    SELECT key, count(n), max(n), iif(max(own), max(user), NULL), max(owner)
    FROM (${ROW_KEYS}
      UNION ALL SELECT CAST(key AS TEXT), NULL, NULL, user, owner FROM user_keys)
    GROUP BY key HAVING count(*) > 1 AND count(n) > 0;
  INSERT INTO twice SELECT key FROM held WHERE rows > 1;`;

const FOUND = `
  INSERT INTO found
    SELECT n, max(stored), coalesce(
        min(claimed) <> max(stored) OR max(claimed) <> max(stored), count(claimed) > 0)
    FROM held WHERE rows = 1 GROUP BY n;`;

const insertHot = (which: string): string => `
  INSERT OR IGNORE INTO hot SELECT n, identity, about & ${BIT.keyed} <> 0,
      about & ${BIT.yieldsToBetter | BIT.yieldsToAny},
      c1, about >> ${SHIFT.right1} & 3, c2, about >> ${SHIFT.right2} & 3
    FROM rows WHERE ${which};`;

/** Those that share a key with another row. */
const HOT = insertHot("identity IN twice OR c1 IN twice OR c2 IN twice");

/** Those with a contact of another user, and then those of users who have a contact of any of them. */
const HOT_USERS =
  insertHot("n IN (SELECT n FROM found WHERE other)") +
  insertHot(`n IN (SELECT n FROM found WHERE user IN (
      SELECT claimed FROM hot CROSS JOIN held ON key IN (hot.identity, c1, c2)))`);

/** A claim as one number, of its right and its row's number: the least is the best. */
const NUMBER_BITS = 48;
const CLAIM = `right << ${NUMBER_BITS} | n`;
const rightIn = (claim: string): string => `${claim} >> ${NUMBER_BITS}`;
const numberIn = (claim: string): string => `${claim} & ${2 ** NUMBER_BITS - 1}`;

/**
 * Of contacts that are contested, or that a row would yield: the first claim with the best right, null
 * where all only reserve it, and the best row without an id for which it stands.
 */
const STANDINGS = `
  CREATE TEMP VIEW claims AS
    SELECT n, identity, 0 AS place, c1 AS key, right1 AS right FROM hot WHERE c1 NOT NULL
    UNION ALL SELECT n, identity, 1, c2, right2 FROM hot WHERE c2 NOT NULL;
  INSERT INTO standings
    SELECT key, iif(max(right <> ${RIGHT.reserved}), min(${CLAIM}), NULL),
      min(iif(key = identity AND right < ${RIGHT.unverified}, ${CLAIM}, NULL))
    FROM claims GROUP BY key
    HAVING (min(right) < max(right) AND max(right) > ${RIGHT.reserved})
      OR key IN (SELECT identity FROM hot WHERE yields);`;

/**
 * Who loses a contact to a better right of another user's, whatever becomes of that one. And who
 * yields: without a place, and nobody does both.
 */
const LOST = `
  INSERT INTO lost SELECT c.n, c.place, w.n, ${rightIn("s.best")}, w.keyed
    FROM claims c JOIN standings s ON s.key = c.key JOIN hot w ON w.n = ${numberIn("s.best")}
    WHERE c.right > ${RIGHT.reserved} AND c.right > ${rightIn("s.best")}
      AND NOT (w.keyed AND w.identity = c.identity);
  INSERT INTO lost SELECT y.n, NULL, w.n, ${rightIn("y.claim")}, w.keyed
    FROM (SELECT h.n, iif(h.yields = ${BIT.yieldsToAny}, s.best, s.stands) AS claim
        FROM hot h JOIN standings s ON s.key = h.identity WHERE h.yields) y
      JOIN hot w ON w.n = ${numberIn("y.claim")};`;

/** Takes a row's number, the row with which it goes, what is said of it, and whether it brings no user for that. */
export const NOTE = `
  INSERT INTO verdicts
    SELECT ?1, ?2, ?3, iif(?4, (SELECT about >> ${FOUND_AT} FROM rows WHERE n = ?1), NULL)`;

/** How many rows are of users whom an earlier run has brought. */
export const BROUGHT = `
  SELECT count(*) FROM (
    SELECT user FROM found WHERE n NOT IN (SELECT n FROM verdicts)
    UNION ALL SELECT among->>'user' FROM verdicts WHERE among->>'duplicate' IS NULL)
  JOIN users ON id = user WHERE state IN (${STATE.imported}, ${STATE.created}, ${STATE.existed})`;

/** Rows that bring a user, for whatever the others say. */
export const BRINGING = (rows: string): string =>
  `${rows} r LEFT JOIN verdicts v ON v.n = r.n WHERE v.out IS NULL`;

/** Whether such a row's user is yet to be brought: of earlier runs', too, who were left open, failed or were rejected. */
export const IS_UNBROUGHT = `NOT EXISTS (SELECT 1 FROM users
    WHERE id = iif(v.n NOT NULL, v.among->>'user', (SELECT user FROM found f WHERE f.n = r.n))
      AND state IN (${STATE.imported}, ${STATE.created}, ${STATE.existed}, ${STATE.queued}))`;

/** In this order, each once. */
export const QUESTIONS = [SHARED, HOT, STANDINGS, LOST] as const;

/** The same where earlier runs know users. */
export const QUESTIONS_WITH_USERS = [MEETINGS, FOUND, HOT, HOT_USERS, STANDINGS, LOST] as const;
