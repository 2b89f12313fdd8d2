/** Users who sign in by a social account. Their email stands in a column of its own: several of them may share one. */

import type { ThirdPartyIdentity } from "../../account-import.js";
import type { Core } from "../../core.js";
import type { CoreUser } from "../../user.js";
import { boundedText } from "../bounds.js";
import { requireEmail } from "../contacts.js";
import { joinedAt, type Making } from "../new-user.js";
import { ask, found, type Script } from "../script.js";
import type { NewUser, Store } from "../store.js";
import { asUser, SELECT_USERS, THIRD_PARTY, type UserRow } from "../user-row.js";
import { changeEmail, mark } from "./verification.js";

/** As SuperTokens' columns. */
const MAX_PROVIDER = 28;
const MAX_TEXT = 256;

const SELECT = `${SELECT_USERS} WHERE third_party_id = $1 AND third_party_user_id = $2`;

export function thirdPartyCalls({ read, change }: Store, { now, newUserId }: Making) {
  return {
    async signInUp(request) {
      const email = requireEmail(request.email);
      const thirdParty = requireIdentity(request);
      const nowMs = now();
      const newUser = { userId: newUserId(nowMs), timeJoined: joinedAt(request, nowMs) };
      const { isEmailVerified } = request;
      const signIn = () => signInUp(thirdParty, email, isEmailVerified, newUser);
      return { status: "OK", ...(await change(signIn)) };
    },
    async findByThirdParty({ thirdPartyId, thirdPartyUserId }) {
      const rows = await read(() => ask<UserRow>(SELECT, thirdPartyId, thirdPartyUserId));
      return rows.map(asUser);
    },
  } satisfies Partial<Core>;
}

/** A user who is there gets the provider's email, as at SuperTokens. */
function* signInUp(
  thirdParty: readonly [id: string, userId: string],
  email: string,
  isVerified: boolean,
  newUser: NewUser,
): Script<{ readonly createdNewUser: boolean; readonly user: CoreUser }> {
  const createdNewUser = yield* found(
    `INSERT INTO auth_core.users (user_id, recipe, time_joined, third_party_id,
       third_party_user_id, third_party_email, email_verified)
     VALUES ($1, ${THIRD_PARTY}, $2, $3, $4, $5, $6)
     ON CONFLICT (third_party_id, third_party_user_id) WHERE third_party_id IS NOT NULL
       DO NOTHING RETURNING user_id`,
    newUser.userId,
    newUser.timeJoined,
    ...thirdParty,
    email,
    isVerified ? 1 : null,
  );
  if (!createdNewUser) {
    const [before] = yield* ask<UserRow>(SELECT, ...thirdParty);
    if (before !== undefined) {
      yield* ask(
        "UPDATE auth_core.users SET third_party_email = $1 WHERE user_id = $2",
        email,
        before[0],
      );
      yield* changeEmail(before, email);
      if (isVerified) yield* mark(before[0], true);
    }
  }
  const [row] = yield* ask<UserRow>(SELECT, ...thirdParty);
  // The transaction is one: a user who was there, or was made in it, can't be gone.
  if (row === undefined) throw new Error("the third-party user is gone");
  return { createdNewUser, user: asUser(row) };
}

/** @throws CoreFailure `refused` */
export function requireIdentity({
  thirdPartyId,
  thirdPartyUserId,
}: ThirdPartyIdentity): readonly [id: string, userId: string] {
  return [
    boundedText("thirdPartyId", thirdPartyId, MAX_PROVIDER),
    boundedText("thirdPartyUserId", thirdPartyUserId, MAX_TEXT),
  ];
}
