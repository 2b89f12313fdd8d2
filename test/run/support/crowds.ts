/** Crowds of users for property tests, and who of them is at a core in the end. */

import fc from "fast-check";
import type { Core } from "../../../src/core/core.js";
import type { UserRecord } from "../../../src/account/user-record.js";
import { argon2Of } from "./hashes.js";
import { BCRYPT, email, phone, record } from "./records.js";

/** @param most ids, emails and phones that there are: few make duplicates of every kind */
function userRecord(most: number): fc.Arbitrary<UserRecord> {
  return fc
    .record({
      id: fc.option(fc.integer({ min: 1, max: most }), { freq: 4 }),
      email: fc.option(fc.integer({ min: 1, max: most }), { freq: 5 }),
      phone: fc.option(fc.integer({ min: 1, max: most }), { freq: 2 }),
      hash: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(BCRYPT, BCRYPT.slice(0, -1), null) },
        // As a column of that width leaves them: most are cut off, some look whole.
        {
          weight: 3,
          arbitrary: fc.integer({ min: 1, max: 40 }).map((seed) => argon2Of(seed).slice(0, 76)),
        },
      ),
      disabled: fc.constantFrom(true, false, false, false),
      verified: fc.constantFrom(false, true, null),
    })
    .map((drawn) =>
      record({
        sourceId: drawn.id === null ? null : `u-${drawn.id}`,
        email:
          drawn.email === null ? null : email(`reader.${drawn.email}@example.com`, drawn.verified),
        phone: drawn.phone === null ? null : phone(`+1555010${1000 + drawn.phone}`),
        hash: drawn.hash === null ? null : { kind: "text", text: drawn.hash },
        exclusions: drawn.disabled ? ["disabled"] : [],
      }),
    );
}

export const crowd = fc.array(userRecord(25), { minLength: 1, maxLength: 60 });
/** How a file is cut into batches. */
export const sizes = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 4 });
export const concurrency = fc.constantFrom(1, 2, 7, 64);

/** By what they sign in, in an order of its own. */
export async function usersOf(core: Core): Promise<string[]> {
  const { users } = await core.listUsers({ limit: 500 });
  return users
    .map(({ recipe, email: address, phoneNumber }) => `${recipe} ${address} ${phoneNumber}`)
    .sort();
}
