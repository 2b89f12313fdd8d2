/** Email verification: tokens, and which addresses are verified. Whether a user's own email is stands on the user; a row is kept only of other addresses. */

import { hash, randomBytes } from "node:crypto";
import type { PartHandlers, PartOutcome } from "../../account-parts.js";
import { requireEmail } from "../contacts.js";
import { ask, found, type Script } from "../script.js";
import type { Store } from "../store.js";
import { userById, type UserRow } from "../user-row.js";

/** A day, as at SuperTokens. */
const TOKEN_LIFETIME_MS = 86_400_000;
const TOKEN_BYTES = 32;

/** Whose address: the core's own id, or the given one where it knows no such user. */
interface Address {
  readonly ownId: string;
  readonly shownId: string;
  readonly email: string;
  /** Whether this is the user's email, be it verified or not. */
  readonly isCurrent: boolean;
  readonly isVerified: boolean;
}

export function verificationCalls({ read, change }: Store, now: () => number) {
  return {
    async createVerificationToken({ userId, email }) {
      const token = randomBytes(TOKEN_BYTES).toString("base64url");
      const nowMs = now();
      const address = requireEmail(email);
      return change(() => addToken(userId, address, digestOf(token), nowMs, token));
    },
    async revokeVerificationTokens({ userId, email }) {
      const address = requireEmail(email);
      await change(function* () {
        yield* removeTokens(yield* addressOf(userId, address));
      });
      return { status: "OK" };
    },
    verifyEmail: ({ token }) => change(() => spend(digestOf(token), now())),
    async isEmailVerified({ userId, email }) {
      const address = requireEmail(email);
      const { isVerified } = await read(() => addressOf(userId, address));
      return { status: "OK", isVerified };
    },
    async unverifyEmail({ userId, email }) {
      const address = requireEmail(email);
      await change(function* () {
        yield* setVerified(yield* addressOf(userId, address), false);
      });
      return { status: "OK" };
    },
  } satisfies Partial<PartHandlers>;
}

/** What becomes of a verification when a user gets another email: each address keeps its own. */
export function* changeEmail(before: UserRow, email: string | null): Script<void> {
  const [ownId, , oldEmail, , , , , wasVerified] = before;
  if (oldEmail === email) return;
  if (oldEmail !== null && wasVerified === 1) yield* keep(ownId, oldEmail);
  const isVerified = email !== null && (yield* forget(ownId, email));
  if (isVerified !== (wasVerified === 1)) yield* mark(ownId, isVerified);
}

/** Only the digest is stored. */
function digestOf(token: string): string {
  return hash("sha256", token, "base64url");
}

function* addressOf(userId: string, email: string): Script<Address> {
  const user = yield* userById(userId);
  const ownId = user?.[0] ?? userId;
  const isCurrent = user?.[2] === email;
  const isVerified = isCurrent
    ? user[7] === 1
    : yield* found(
        "SELECT email FROM auth_core.verified_emails WHERE user_id = $1 AND email = $2",
        ownId,
        email,
      );
  return { ownId, shownId: user?.[5] ?? ownId, email, isCurrent, isVerified };
}

function* setVerified({ ownId, email, isCurrent }: Address, isVerified: boolean): Script<void> {
  if (isCurrent) yield* mark(ownId, isVerified);
  else if (isVerified) yield* keep(ownId, email);
  else yield* forget(ownId, email);
}

export function* mark(ownId: string, isVerified: boolean): Script<void> {
  const value = isVerified ? 1 : null;
  yield* ask("UPDATE auth_core.users SET email_verified = $1 WHERE user_id = $2", value, ownId);
}

function* keep(ownId: string, email: string): Script<void> {
  yield* ask(
    `INSERT INTO auth_core.verified_emails (user_id, email) VALUES ($1, $2)
     ON CONFLICT (user_id, email) DO NOTHING`,
    ownId,
    email,
  );
}

/** Whether it was kept. */
function* forget(ownId: string, email: string): Script<boolean> {
  return yield* found(
    "DELETE FROM auth_core.verified_emails WHERE user_id = $1 AND email = $2 RETURNING email",
    ownId,
    email,
  );
}

function* addToken(
  userId: string,
  email: string,
  digest: string,
  nowMs: number,
  token: string,
): Script<PartOutcome<"createVerificationToken">> {
  yield* ask("DELETE FROM auth_core.verification_tokens WHERE expires_at <= $1", nowMs);
  const { ownId, isVerified } = yield* addressOf(userId, email);
  if (isVerified) return { status: "EMAIL_ALREADY_VERIFIED_ERROR" };
  yield* ask(
    `INSERT INTO auth_core.verification_tokens (digest, user_id, email, expires_at)
     VALUES ($1, $2, $3, $4)`,
    digest,
    ownId,
    email,
    nowMs + TOKEN_LIFETIME_MS,
  );
  return { status: "OK", token };
}

/** A token is good once, and ends the others of its address. */
function* spend(digest: string, nowMs: number): Script<PartOutcome<"verifyEmail">> {
  const [token] = yield* ask<readonly [string, string, number]>(
    `DELETE FROM auth_core.verification_tokens WHERE digest = $1
     RETURNING user_id, email, expires_at`,
    digest,
  );
  if (token === undefined || token[2] <= nowMs) {
    return { status: "EMAIL_VERIFICATION_INVALID_TOKEN_ERROR" };
  }
  const address = yield* addressOf(token[0], token[1]);
  yield* setVerified(address, true);
  yield* removeTokens(address);
  return { status: "OK", userId: address.shownId, email: address.email };
}

function* removeTokens({ ownId, email }: Address): Script<void> {
  yield* ask(
    "DELETE FROM auth_core.verification_tokens WHERE user_id = $1 AND email = $2",
    ownId,
    email,
  );
}
