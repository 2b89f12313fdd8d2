/** The users of the SuperTokens stub, in memory: stored, shown and changed as SuperTokens does it, with its leniency. */

import { randomUUID } from "node:crypto";

export interface SuperTokensUser {
  readonly id: string;
  readonly recipeId: "emailpassword" | "passwordless" | "thirdparty";
  timeJoined: number;
  externalId?: string;
  email?: string | undefined;
  phoneNumber?: string | undefined;
  passwordHash?: string;
  readonly thirdParty?: { readonly id: string; readonly userId: string };
  /** Also addresses that were the user's once. */
  readonly verifiedEmails: Set<string>;
}

/** What is kept under an id as it was given, whether it is a user's or not. */
export interface SuperTokensParts {
  metadata: Readonly<Record<string, unknown>>;
  readonly roles: Set<string>;
  readonly devices: Map<string, Readonly<Record<string, unknown>>>;
}

export type Contact =
  | { readonly email: string; readonly phoneNumber?: never }
  | { readonly phoneNumber: string; readonly email?: never };

type Status = { readonly status: string; readonly [field: string]: unknown };

export interface SuperTokensUsers {
  readonly all: readonly SuperTokensUser[];
  /** Each with its permissions. */
  readonly roles: Map<string, Set<string>>;
  /** By either id. */
  byId(id: string): SuperTokensUser | undefined;
  find(recipeId: SuperTokensUser["recipeId"] | null, contact: Contact): SuperTokensUser | undefined;
  bySocial(id: string, userId: string): SuperTokensUser | undefined;
  add(
    recipeId: SuperTokensUser["recipeId"],
    contact: Contact,
    thirdParty?: SuperTokensUser["thirdParty"],
  ): SuperTokensUser;
  parts(id: string): SuperTokensParts;
  allParts(): readonly ({ readonly id: string } & SuperTokensParts)[];
  /** The recipe that keeps something under the user's own id, or null. */
  useOf(id: string): string | null;
  /** Null where the user would be left without any contact. */
  change(
    id: string,
    contacts: { readonly email?: string | null; readonly phoneNumber?: string | null },
  ): Status | null;
  /** By either id, with the external one. */
  remove(id: string): void;
  /** Null where the external id is a user's own. */
  map(id: string, externalId: string): Status | null;
}

export function superTokensUsers(): SuperTokensUsers {
  const all: SuperTokensUser[] = [];
  const parts = new Map<string, SuperTokensParts>();

  function byId(id: string): SuperTokensUser | undefined {
    return all.find((user) => user.externalId === id || user.id === id);
  }

  function find(
    recipeId: SuperTokensUser["recipeId"] | null,
    contact: Contact,
  ): SuperTokensUser | undefined {
    return all.find(
      (user) => (recipeId === null || user.recipeId === recipeId) && hasContact(user, contact),
    );
  }

  return {
    all,
    roles: new Map(),
    byId,
    find,
    bySocial: (id, userId) =>
      all.find(({ thirdParty }) => thirdParty?.id === id && thirdParty.userId === userId),
    add(recipeId, contact, thirdParty) {
      const user = {
        ...{ id: randomUUID(), recipeId, timeJoined: Date.now(), ...contact },
        ...{ verifiedEmails: new Set<string>(), ...(thirdParty ? { thirdParty } : {}) },
      };
      all.push(user);
      return user;
    },
    parts(id) {
      const kept = parts.get(id) ?? { metadata: {}, roles: new Set(), devices: new Map() };
      parts.set(id, kept);
      return kept;
    },
    allParts: () => [...parts].map(([id, kept]) => ({ id, ...kept })),
    useOf(id) {
      const { metadata = {}, roles, devices } = parts.get(id) ?? {};
      if (Object.keys(metadata).length > 0) return "UserMetadata";
      if ((roles?.size ?? 0) > 0) return "UserRoles";
      return (devices?.size ?? 0) > 0 ? "TOTP" : null;
    },
    change(id, { email, phoneNumber }) {
      const user = byId(id);
      if (user?.recipeId !== "passwordless") return { status: "UNKNOWN_USER_ID_ERROR" };
      const next = {
        email: email === undefined ? user.email : (email ?? undefined),
        phoneNumber: phoneNumber === undefined ? user.phoneNumber : (phoneNumber ?? undefined),
      };
      if (next.email === undefined && next.phoneNumber === undefined) return null;
      const isTaken = (contact: Contact): boolean =>
        (find("passwordless", contact) ?? user) !== user;
      if (next.email !== undefined && isTaken({ email: next.email })) {
        return { status: "EMAIL_ALREADY_EXISTS_ERROR" };
      }
      if (next.phoneNumber !== undefined && isTaken({ phoneNumber: next.phoneNumber })) {
        return { status: "PHONE_NUMBER_ALREADY_EXISTS_ERROR" };
      }
      Object.assign(user, next);
      return { status: "OK" };
    },
    remove(id) {
      const user = byId(id);
      if (user !== undefined) all.splice(all.indexOf(user), 1);
      for (const one of [user?.id, user?.externalId]) parts.delete(one ?? "");
    },
    map(id, externalId) {
      const user = all.find((each) => each.id === id);
      if (user === undefined) return { status: "UNKNOWN_SUPERTOKENS_USER_ID_ERROR" };
      const other = all.some((each) => each.externalId === externalId);
      if (user.externalId !== undefined || other) {
        return {
          status: "USER_ID_MAPPING_ALREADY_EXISTS_ERROR",
          doesSuperTokensUserIdExist: user.externalId !== undefined,
          doesExternalUserIdExist: other,
        };
      }
      if (all.some((each) => each.id === externalId)) return null;
      user.externalId = externalId;
      return { status: "OK" };
    },
  };
}

/** As its interface version 5 shows a user: an `id` and no `userId`. */
export function shownUser(user: SuperTokensUser): Record<string, unknown> {
  const { id, externalId = id, recipeId, timeJoined, email, phoneNumber, thirdParty } = user;
  const tenantIds = ["public"];
  return {
    id: externalId,
    isPrimaryUser: false,
    tenantIds,
    timeJoined,
    emails: email === undefined ? [] : [email],
    phoneNumbers: phoneNumber === undefined ? [] : [phoneNumber],
    thirdParty: thirdParty === undefined ? [] : [thirdParty],
    loginMethods: [
      {
        ...{ tenantIds, recipeUserId: externalId },
        verified: email === undefined || user.verifiedEmails.has(email),
        ...{ timeJoined, recipeId, email, phoneNumber, thirdParty },
      },
    ],
  };
}

/** No syntax check: what can't be a phone number is stored as it is. */
export function lenientPhone(text: string): string {
  const bare = text.replace(/[\s().-]/g, "");
  return /^\+\d{7,15}$/.test(bare) ? bare : text.trim();
}

export function lenientEmail(text: string): string {
  return text.trim().toLowerCase();
}

export function hasContact(
  owner: { readonly email?: string | undefined; readonly phoneNumber?: string | undefined },
  { email, phoneNumber }: Contact,
): boolean {
  return email === undefined ? owner.phoneNumber === phoneNumber : owner.email === email;
}
