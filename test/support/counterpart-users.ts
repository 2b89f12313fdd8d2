/** The users of the counterpart stub, in memory: stored, shown and changed as the public counterpart of the core does it, with its leniency. */

import { randomUUID } from "node:crypto";

export interface CounterpartUser {
  readonly id: string;
  readonly recipeId: "emailpassword" | "passwordless";
  readonly timeJoined: number;
  externalId?: string;
  email?: string | undefined;
  phoneNumber?: string | undefined;
  passwordHash?: string;
}

export type Contact =
  | { readonly email: string; readonly phoneNumber?: never }
  | { readonly phoneNumber: string; readonly email?: never };

type Status = { readonly status: string; readonly [field: string]: unknown };

export interface CounterpartUsers {
  readonly all: readonly CounterpartUser[];
  /** By either id. */
  byId(id: string): CounterpartUser | undefined;
  find(recipeId: CounterpartUser["recipeId"] | null, contact: Contact): CounterpartUser | undefined;
  add(recipeId: CounterpartUser["recipeId"], contact: Contact): CounterpartUser;
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

export function counterpartUsers(): CounterpartUsers {
  const all: CounterpartUser[] = [];

  function byId(id: string): CounterpartUser | undefined {
    return all.find((user) => user.externalId === id || user.id === id);
  }

  function find(
    recipeId: CounterpartUser["recipeId"] | null,
    contact: Contact,
  ): CounterpartUser | undefined {
    return all.find(
      (user) => (recipeId === null || user.recipeId === recipeId) && hasContact(user, contact),
    );
  }

  return {
    all,
    byId,
    find,
    add(recipeId, contact) {
      const user = { id: randomUUID(), recipeId, timeJoined: Date.now(), ...contact };
      all.push(user);
      return user;
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
      const at = all.findIndex((user) => user === byId(id));
      if (at >= 0) all.splice(at, 1);
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
export function shownUser(user: CounterpartUser): Record<string, unknown> {
  const { id, externalId = id, recipeId, timeJoined, email, phoneNumber } = user;
  const tenantIds = ["public"];
  return {
    id: externalId,
    isPrimaryUser: false,
    tenantIds,
    timeJoined,
    emails: email === undefined ? [] : [email],
    phoneNumbers: phoneNumber === undefined ? [] : [phoneNumber],
    thirdParty: [],
    loginMethods: [
      {
        ...{ tenantIds, recipeUserId: externalId, verified: recipeId === "passwordless" },
        ...{ timeJoined, recipeId, email, phoneNumber },
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
