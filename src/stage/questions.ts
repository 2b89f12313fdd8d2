/** What is asked of all rows of a run by their keys, in SQL. Only rows that share a key take part, and nothing in memory grows with them. */

import { RIGHT } from "../plan/contests.js";
import { KEY_BYTES } from "../plan/digests.js";

/** Rows that are written at once, as one blob: a value bound for each key would take five times as long. */
export const BATCH = 500;

/** What a row's number says beside its keys: four bits, and the rights to its two contacts in two bits each. */
export const BIT = { keyed: 1, refused: 2, yieldsToBetter: 4, yieldsToAny: 8 } as const;
const RIGHT_1 = 4;
const RIGHT_2 = 6;

/** What a user holds: an identity, a contact, or one that a refused row reserves. */
export const SPACE = { identity: 0, contact: 1, reserved: 2 } as const;

const ABOUT = 3 * KEY_BYTES;
/** Three keys, and the number in two characters. */
const ROW = ABOUT + 2;

/**
 * `rows`: two contacts, which a refused row reserves, null for none. A row that names no user has no
 * identity.
 */
export const TABLES = `
  CREATE TABLE rows (n INTEGER PRIMARY KEY, identity TEXT, c1 TEXT, c2 TEXT, about INTEGER);
  CREATE TABLE numbers (i INTEGER PRIMARY KEY);
  WITH RECURSIVE up (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM up WHERE i < ${BATCH - 1})
    INSERT INTO numbers SELECT i FROM up;`;

const NO_KEY = `x'${"00".repeat(KEY_BYTES)}'`;
// SQLite sorts text in a third less time than blobs, and looks at no letter of it.
const keyAt = (at: number): string =>
  `CAST(nullif(substr(?3, 1 + ${ROW} * i + ${at}, ${KEY_BYTES}), ${NO_KEY}) AS TEXT)`;
const halfAt = (at: number): string => `(unicode(substr(?3, 1 + ${ROW} * i + ${at}, 1)) - 48)`;

/** Takes a batch: its first number, how many rows it has, and they. One that waited stands there as nobody. */
export const TAKE = `
  INSERT OR REPLACE INTO rows SELECT ?1 + i, ${keyAt(0)}, ${keyAt(KEY_BYTES)}, ${keyAt(2 * KEY_BYTES)},
      ${halfAt(ABOUT)} + 16 * ${halfAt(ABOUT + 1)}
    FROM numbers WHERE i < ?2`;

/** `hot`: the rows that share a key with another one. All others are users of their own. */
const SHARED = `
  CREATE TABLE twice (key TEXT PRIMARY KEY) WITHOUT ROWID;
  INSERT INTO twice SELECT key FROM (
      SELECT c1 AS key FROM rows WHERE c1 NOT NULL
      UNION ALL SELECT c2 FROM rows WHERE c2 NOT NULL
      UNION ALL SELECT identity FROM rows WHERE identity IS NOT c1 AND identity IS NOT c2)
    GROUP BY key HAVING count(*) > 1;
  CREATE TABLE hot (
    n INTEGER PRIMARY KEY, identity TEXT, keyed INTEGER, refused INTEGER, yields INTEGER,
    c1 TEXT, right1 INTEGER, c2 TEXT, right2 INTEGER);
  INSERT INTO hot SELECT n, identity, about & ${BIT.keyed} <> 0, about & ${BIT.refused} <> 0,
      about & ${BIT.yieldsToBetter | BIT.yieldsToAny},
      c1, about >> ${RIGHT_1} & 3, c2, about >> ${RIGHT_2} & 3
    FROM rows WHERE identity IN twice OR c1 IN twice OR c2 IN twice;
  CREATE TABLE verdicts (
    n INTEGER PRIMARY KEY, place INTEGER,
    winner INTEGER, winner_right INTEGER, winner_keyed INTEGER,
    winner2 INTEGER, winner2_right INTEGER, winner2_keyed INTEGER,
    first INTEGER, space INTEGER, other INTEGER, outranks INTEGER, refused INTEGER,
    holder INTEGER);`;

/** A right and a row's number as one number: the least is the best. */
const NUMBER_BITS = 48;
const PLACE = `right << ${NUMBER_BITS} | n`;

/**
 * Of contacts that are contested, or that a row would yield: the first claim with the best right, null
 * where all only reserve it, and the best row without an id for which it stands.
 */
const STANDINGS = `
  CREATE VIEW claims AS
    SELECT n, identity, 0 AS place, c1 AS key, right1 AS right FROM hot WHERE c1 NOT NULL
    UNION ALL SELECT n, identity, 1, c2, right2 FROM hot WHERE c2 NOT NULL;
  CREATE TABLE standings (key TEXT PRIMARY KEY, best INTEGER, stands INTEGER) WITHOUT ROWID;
  INSERT INTO standings
    SELECT key, iif(max(right <> ${RIGHT.reserved}), min(${PLACE}), NULL),
      min(iif(key = identity AND right < ${RIGHT.unverified}, ${PLACE}, NULL))
    FROM claims GROUP BY key
    HAVING (min(right) < max(right) AND max(right) > ${RIGHT.reserved})
      OR key IN (SELECT identity FROM hot WHERE yields);`;

const NUMBER_OF = (place: string): string => `${place} & ${2 ** NUMBER_BITS - 1}`;
const RIGHT_IN = (place: string): string => `${place} >> ${NUMBER_BITS}`;

/**
 * Who loses a contact to a better right of another user's, whatever becomes of that one. And who
 * yields: without a place, and nobody does both.
 */
const LOST = `
  INSERT INTO verdicts (n, place, winner, winner_right, winner_keyed)
    SELECT c.n, c.place, w.n, ${RIGHT_IN("s.best")}, w.keyed
    FROM claims c JOIN standings s ON s.key = c.key JOIN hot w ON w.n = ${NUMBER_OF("s.best")}
    WHERE c.right > ${RIGHT.reserved} AND c.right > ${RIGHT_IN("s.best")}
      AND NOT (w.keyed AND w.identity = c.identity)
    ORDER BY c.n, c.place
    ON CONFLICT DO UPDATE SET (winner2, winner2_right, winner2_keyed) =
      (excluded.winner, excluded.winner_right, excluded.winner_keyed);
  INSERT INTO verdicts (n, winner, winner_right, winner_keyed)
    SELECT y.n, w.n, ${RIGHT_IN("y.place")}, w.keyed
    FROM (SELECT h.n, iif(h.yields = ${BIT.yieldsToAny}, s.best, s.stands) AS place
        FROM hot h JOIN standings s ON s.key = h.identity WHERE h.yields) y
      JOIN hot w ON w.n = ${NUMBER_OF("y.place")};`;

const { identity, contact, reserved } = SPACE;

const CONTACT_TAKEN = (key: string, right: string): string => `
      UNION ALL SELECT *, ${right} < right FROM held
        WHERE key = ${key} AND space = ${contact} AND ${right} <> ${RIGHT.reserved}
      UNION ALL SELECT *, 0 FROM held
        WHERE key = ${key} AND space = ${reserved} AND ${right} > ${RIGHT.reserved}`;
const CONTACT_HELD = (key: string, right: string): string => `
      UNION ALL SELECT ${key}, iif(${right} = ${RIGHT.reserved}, ${reserved}, ${contact}), ${right}
        WHERE ${key} NOT NULL`;

/**
 * Row by row, since who doesn't enter holds nothing: by a trigger, that no statement must be called
 * for each. A row that loses a contact and has an id enters with that alone.
 */
const ENTRIES = `
  CREATE TABLE held (
    key TEXT, space INTEGER, n INTEGER, keyed INTEGER, right INTEGER, refused INTEGER,
    PRIMARY KEY (key, space)) WITHOUT ROWID;
  CREATE VIEW entering AS
    SELECT h.n, identity, keyed, h.refused OR winner NOT NULL AS refused,
      iif(winner IS NULL, c1, NULL) AS c1, right1, iif(winner IS NULL, c2, NULL) AS c2, right2
    FROM hot h LEFT JOIN verdicts v USING (n) WHERE winner IS NULL OR keyed;
  CREATE TRIGGER enter INSTEAD OF INSERT ON entering BEGIN
    INSERT INTO verdicts (n, first, space, other, outranks, refused)
      SELECT new.n, n, space, space <> ${identity} AND keyed AND new.keyed, outranks, refused FROM (
      SELECT *, NOT new.refused AND new.right1 < right AS outranks
        FROM held WHERE key = new.identity AND space = ${identity}
      ${CONTACT_TAKEN("new.c1", "new.right1")} ${CONTACT_TAKEN("new.c2", "new.right2")}
      LIMIT 1) WHERE true
      ON CONFLICT DO UPDATE SET (first, space, other, outranks, refused) =
        (excluded.first, excluded.space, excluded.other, excluded.outranks, excluded.refused);
    INSERT OR IGNORE INTO held SELECT key, space, new.n, new.keyed, right, new.refused FROM (
      SELECT new.identity AS key, ${identity} AS space, CASE WHEN new.refused THEN 0
        WHEN new.identity = new.c1 THEN new.right1 WHEN new.identity = new.c2 THEN new.right2
        ELSE 0 END AS right
      ${CONTACT_HELD("new.c1", "new.right1")} ${CONTACT_HELD("new.c2", "new.right2")})
      WHERE NOT EXISTS (SELECT 1 FROM verdicts WHERE n = new.n AND first NOT NULL);
  END;
  INSERT INTO entering SELECT * FROM entering ORDER BY n;`;

const LESSER_HOLDER = (key: string): string =>
  `(SELECT n FROM held WHERE key = ${key} AND space = ${contact} AND right > ${RIGHT.reserved})`;

/** Who reserves a contact that a row has by a lesser right. That row stands before: behind this one it wouldn't enter. */
const HOLDERS = `
  INSERT INTO verdicts (n, holder) SELECT * FROM (
    SELECT h.n, coalesce(${LESSER_HOLDER("h.c1")}, ${LESSER_HOLDER("h.c2")}) AS holder
    FROM hot h LEFT JOIN verdicts v USING (n)
    WHERE h.c1 NOT NULL AND h.refused AND v.n IS NULL)
    WHERE holder NOT NULL;`;

/** In this order. */
export const QUESTIONS = [SHARED, STANDINGS, LOST, ENTRIES, HOLDERS];

/** The verdicts between two numbers, both included. */
export const VERDICTS = `
  SELECT n, place, winner, winner_right, winner_keyed, winner2, winner2_right, winner2_keyed,
    first, space, other, outranks, refused, holder
  FROM verdicts WHERE n BETWEEN ? AND ?`;

/** The rows that get what others lose. */
export const WINNERS =
  "SELECT winner FROM verdicts WHERE winner NOT NULL UNION SELECT winner2 FROM verdicts WHERE winner2 NOT NULL";
