/** The SuperTokens stub's bulk import, as observed there: users are checked by their shape alone when they come; a job's round takes what hasn't failed in chunks, each one transaction, and finds one bad row of a chunk at a time; success shows as absence. A test says when a round is, and what goes wrong. */

import { randomUUID } from "node:crypto";
import { type SuperTokensUsers, lenientEmail, lenientPhone } from "./supertokens-users.js";
import { BadRequest, type Endpoints, json, ok, required } from "./supertokens-wire.js";

export interface QueueFaults {
  /** Chunks of a round; 2 by default. */
  readonly chunks?: number;
  /** Most rows of a round; 8000 by default. */
  readonly batch?: number;
  /** Rows that stay in processing for ever, as in versions before 11.0.3. */
  readonly isStuck?: (externalId: string | undefined) => boolean;
  /** Rows that vanish without being users. */
  readonly isLost?: (externalId: string | undefined) => boolean;
  /**
   * As seen at version 11.4.7. A round remembers every external id that it has seen, and takes rows of
   * a chunk that was rolled back once more: they then fail against themselves. An error may stand at
   * another row of the chunk. An external id that is taken at the core fails nobody, and rolls its
   * chunk back in every round.
   */
  readonly blamesInnocents?: boolean;
}

type Json = Readonly<Record<string, unknown>>;

interface Row {
  readonly id: string;
  readonly userId: string;
  readonly given: Json;
  readonly method: Json;
  status: "NEW" | "PROCESSING" | "FAILED";
  errorMessage: string | null;
  readonly createdAt: number;
}

const MOST = 10_000;
/** An error stands at a row by its place in a part of the chunk. */
const BLAMED = 3;

export function superTokensQueue(
  users: SuperTokensUsers,
  {
    chunks = 2,
    batch = 8000,
    isStuck = () => false,
    isLost = () => false,
    blamesInnocents = false,
  }: QueueFaults,
): { readonly endpoints: Endpoints; round(): void } {
  let rows: Row[] = [];

  function round(): void {
    const taken = rows.filter(({ status }) => status !== "FAILED").slice(0, batch);
    for (const row of taken) row.status = "PROCESSING";
    const moving = taken.filter((row) => !isStuck(externalIdOf(row)));
    const size = Math.ceil(moving.length / chunks);
    for (let start = 0; start < moving.length; start += size) {
      const chunk = moving.slice(start, start + size);
      if (blamesInnocents && !write(chunk) && !chunk.some(isHeld)) failAgain(chunk);
      else if (!blamesInnocents) write(chunk);
    }
  }

  /** The users of a chunk that is rolled back are taken away again. */
  function write(chunk: readonly Row[]): boolean {
    const made: string[] = [];
    const rollBack = (): false => {
      for (const id of made) users.remove(id);
      return false;
    };
    for (const [place, row] of chunk.entries()) {
      if (isHeld(row)) return rollBack();
      const errorMessage = errorOf(row, users);
      if (errorMessage !== null) {
        const blamed = blamesInnocents ? chunk[place % BLAMED] : row;
        Object.assign(blamed ?? row, { status: "FAILED", errorMessage });
        return rollBack();
      }
      if (!isLost(externalIdOf(row))) made.push(add(row, users));
    }
    rows = rows.filter((row) => !chunk.includes(row));
    return true;
  }

  function isHeld(row: Row): boolean {
    const id = externalIdOf(row);
    return blamesInnocents && id !== undefined && users.byId(id) !== undefined;
  }

  /** The rest of a chunk, taken once more in the round that remembers their ids. */
  function failAgain(chunk: readonly Row[]): void {
    for (const row of chunk) {
      const id = externalIdOf(row);
      if (row.status === "FAILED" || id === undefined) continue;
      const errorMessage = `externalUserId ${id} is not unique. It is already used by another user.`;
      Object.assign(row, { status: "FAILED", errorMessage });
    }
  }

  const endpoints: Endpoints = {
    "/bulk-import/users": {
      POST({ body }) {
        const given = body.users;
        if (!Array.isArray(given)) throw new BadRequest("users is a list");
        if (given.length > MOST) return bad({ error: `You can only add ${MOST} users at a time.` });
        const flaws = given.flatMap((one: Json, index) => {
          const errors = flawsOf(one, [...users.roles.keys()]);
          return errors.length === 0 ? [] : [{ index, errors }];
        });
        if (flaws.length > 0) {
          const error =
            "Data has missing or invalid fields. Please check the users field for more details.";
          return bad({ error, users: flaws });
        }
        const added = given.map((one: Json): Row => {
          const [method = {}] = one.loginMethods as Json[];
          const ids = { id: randomUUID(), userId: randomUUID() };
          const place = { status: "NEW", errorMessage: null, createdAt: Date.now() } as const;
          return { ...ids, given: one, method, ...place };
        });
        rows.push(...added);
        return ok({
          users: added.map((row) => ({
            userId: externalIdOf(row) ?? row.userId,
            loginMethods: [shownMethod(row)],
          })),
        });
      },
      GET({ query }) {
        const limit = Number(query.get("limit") ?? 100);
        if (limit < 1 || limit > 500) throw new BadRequest("limit is 1 to 500");
        const start = Number(query.get("paginationToken") ?? 0);
        const found = ofStatus(query);
        return ok({
          users: found.slice(start, start + limit).map((row) => ({
            ...row.given,
            ...{ id: row.id, status: row.status, errorMessage: row.errorMessage },
            loginMethods: [{ ...row.method, superTokensUserId: row.userId }],
            ...{ createdAt: row.createdAt, updatedAt: row.createdAt },
          })),
          ...(found.length > start + limit ? { nextPaginationToken: String(start + limit) } : {}),
        });
      },
    },
    "/bulk-import/users/count": { GET: ({ query }) => ok({ count: ofStatus(query).length }) },
    "/bulk-import/users/remove": {
      POST({ body }) {
        const ids = body.ids as string[];
        if (ids.length > 500) throw new BadRequest("500 ids at most");
        const known = rows.filter(({ id }) => ids.includes(id)).map(({ id }) => id);
        rows = rows.filter(({ id }) => !ids.includes(id));
        const invalidIds = ids.filter((id) => !known.includes(id));
        return json({ deletedIds: known, invalidIds });
      },
    },
  };

  function ofStatus(query: URLSearchParams): Row[] {
    const status = query.get("status");
    if (status !== null && !["NEW", "PROCESSING", "FAILED"].includes(status)) {
      throw new BadRequest("Invalid value for status. Pass one of NEW, PROCESSING, or FAILED!");
    }
    return rows.filter((row) => status === null || row.status === status);
  }

  return { endpoints, round };
}

function shownMethod({ method, userId }: Row) {
  const { recipeId, email, phoneNumber } = method;
  return { recipeId, userId, ...{ email, phoneNumber } };
}

/** JSON in what SuperTokens calls a text. */
function bad(body: Json) {
  return { status: 400, body: JSON.stringify(body) };
}

function externalIdOf({ given }: Row): string | undefined {
  return typeof given.externalUserId === "string" ? given.externalUserId : undefined;
}

function flawsOf(user: Json, known: readonly string[]): string[] {
  const methods = Array.isArray(user.loginMethods) ? (user.loginMethods as Json[]) : [];
  const roles = (user.userRoles ?? []) as readonly { readonly role: string }[];
  const [method] = methods;
  return [
    ...(methods.length === 0 ? ["loginMethods is required."] : []),
    ...(methods.length > 1
      ? ["Account linking must be enabled to import multiple loginMethods."]
      : []),
    ...roles.flatMap(({ role }) => (known.includes(role) ? [] : [`Role ${role} does not exist.`])),
    ...(user.totpDevices === undefined ? [] : ["MFA must be enabled to import totp devices."]),
    ...(method?.recipeId === "emailpassword" && !/^\$/.test(String(method.passwordHash))
      ? ["Password hash is invalid for this algorithm."]
      : []),
  ];
}

/** In SuperTokens' own words, which repeat the email, lack the code, or are the database's. */
function errorOf(row: Row, users: SuperTokensUsers): string | null {
  const { recipeId, email, phoneNumber, thirdPartyId, thirdPartyUserId } = row.method;
  const address = typeof email === "string" ? lenientEmail(email) : undefined;
  if (recipeId === "thirdparty") {
    const there = users.bySocial(String(thirdPartyId), String(thirdPartyUserId));
    if (there !== undefined) return "translated";
  } else if (recipeId === "emailpassword" || recipeId === "passwordless") {
    const [code, other] = recipeId === "emailpassword" ? ["E003", recipeId] : ["E006", recipeId];
    if (address !== undefined && users.find(recipeId, { email: address }) !== undefined) {
      return `${code}: A user with email ${address} already exists in ${other} loginMethod.`;
    }
    const phone = typeof phoneNumber === "string" ? lenientPhone(phoneNumber) : undefined;
    if (phone !== undefined && users.find(recipeId, { phoneNumber: phone }) !== undefined) {
      return `E007: A user with phoneNumber ${phone} already exists in passwordless loginMethod.`;
    }
  }
  const externalId = externalIdOf(row);
  return externalId !== undefined && users.byId(externalId) !== undefined
    ? `ERROR: duplicate key value violates unique constraint "userid_mapping_external_user_id_key" Detail: Key (external_user_id)=(${externalId}) already exists.`
    : null;
}

/** @returns the user's id */
function add(row: Row, users: SuperTokensUsers): string {
  const { method, given } = row;
  const recipeId = required(method, "recipeId") as "emailpassword";
  const email = typeof method.email === "string" ? lenientEmail(method.email) : undefined;
  const phoneNumber =
    typeof method.phoneNumber === "string" ? lenientPhone(method.phoneNumber) : undefined;
  const contact = email === undefined ? { phoneNumber: phoneNumber ?? "" } : { email };
  const thirdParty =
    typeof method.thirdPartyId === "string"
      ? { id: method.thirdPartyId, userId: String(method.thirdPartyUserId) }
      : undefined;
  const user = users.add(recipeId, contact, thirdParty);
  const joined = method.timeJoinedInMSSinceEpoch;
  Object.assign(user, { id: row.userId, phoneNumber });
  if (typeof method.passwordHash === "string") user.passwordHash = method.passwordHash;
  if (typeof joined === "number") user.timeJoined = joined;
  if (method.isVerified === true && email !== undefined) user.verifiedEmails.add(email);
  const externalId = externalIdOf(row);
  if (externalId !== undefined) user.externalId = externalId;
  const parts = users.parts(externalId ?? row.userId);
  const metadata = withoutNulls(given.userMetadata) as Json | undefined;
  parts.metadata = { ...parts.metadata, ...metadata };
  for (const { role } of (given.userRoles ?? []) as { role: string }[]) parts.roles.add(role);
  return row.userId;
}

/** The queue leaves nulls of objects out, at any depth; those of lists stay. */
function withoutNulls(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(withoutNulls);
  if (typeof json !== "object" || json === null) return json;
  const kept = Object.entries(json).filter(([, value]) => value !== null);
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutNulls(value)]));
}
