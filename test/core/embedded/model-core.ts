/** A core as plain as can be: arrays in memory, every rule written down once more. It names users and codes by their number, since a real one's ids and secrets are random. */

import type { CodeRequest } from "../../../src/core/core.js";
import type { Recipe } from "../../../src/core/user.js";

export const LIFETIME_MS = 900_000;
const SWEEP_MS = 60_000;

/** A user; `externalId` is null until one is mapped. */
interface ModelUser {
  readonly number: number;
  readonly recipe: Recipe;
  readonly timeJoined: number;
  email: string | null;
  phone: string | null;
  externalId: string | null;
  /** Of a passwordless user; null for one with a password. */
  hasSignedIn: boolean | null;
  /** The addresses that a code came by, whether the user still has them or not. */
  readonly verifiedEmails: Set<string>;
}

interface ModelDevice {
  readonly number: number;
  readonly contact: CodeRequest;
  readonly timeCreated: number;
  failed: number;
}

/** A user as an answer shows them; the id is external, or the user's number. */
export interface ShownUser {
  readonly userId: string;
  readonly email?: string;
  readonly phoneNumber?: string;
  readonly timeJoined: number;
  readonly recipe: Recipe;
  readonly hasSignedIn?: boolean;
  readonly isEmailVerified?: true;
}

/** How a code is presented. */
export type Presented = "link" | "digits" | "wrong link" | "wrong digits";

export class ModelCore {
  #users: ModelUser[] = [];
  #devices: ModelDevice[] = [];
  #joined = 0;
  #codes = 0;
  #swept = Number.NEGATIVE_INFINITY;

  /** The number of the code. */
  createCode(contact: CodeRequest, now: number): number {
    if (now - this.#swept >= SWEEP_MS) {
      this.#swept = now;
      this.#devices = this.#devices.filter(
        ({ timeCreated }) => timeCreated >= now - 2 * LIFETIME_MS,
      );
    }
    const number = this.#codes++;
    this.#devices.push({ number, contact, timeCreated: now, failed: 0 });
    return number;
  }

  consumeCode(number: number, presented: Presented, now: number): Record<string, unknown> {
    const device = this.#devices.find((one) => one.number === number);
    if (device === undefined) return { status: "RESTART_FLOW_ERROR" };
    const expired = now - device.timeCreated >= LIFETIME_MS;
    if (!presented.startsWith("wrong") && !expired) return this.#signIn(device, now);
    if (presented.endsWith("link")) return { status: "RESTART_FLOW_ERROR" };
    device.failed += 1;
    if (device.failed === 5) {
      this.#devices = this.#devices.filter((one) => one !== device);
      return { status: "RESTART_FLOW_ERROR" };
    }
    const status = presented === "digits" ? "EXPIRED" : "INCORRECT";
    return {
      status: `${status}_USER_INPUT_CODE_ERROR`,
      failedCodeInputAttemptCount: device.failed,
      maximumCodeInputAttempts: 5,
    };
  }

  importUser(email: string, now: number): Record<string, unknown> {
    const there = this.#users.find((one) => one.recipe === "emailpassword" && one.email === email);
    const user = there ?? this.#join("emailpassword", { email }, now);
    return { status: "OK", user: shown(user), didUserAlreadyExist: there !== undefined };
  }

  /** "refused" where the user would be left without a contact. */
  updateUser(
    id: string,
    change: { email?: string | null; phoneNumber?: string | null },
  ): Record<string, unknown> | "refused" {
    const { email: newEmail, phoneNumber: newPhone } = change;
    if (newEmail === null && newPhone === null) return "refused";
    const user = this.#byId(id);
    if (user?.recipe !== "passwordless") return { status: "UNKNOWN_USER_ID_ERROR" };
    const email = newEmail === undefined ? user.email : newEmail;
    const phone = newPhone === undefined ? user.phone : newPhone;
    if (email === null && phone === null) return "refused";
    const others = this.#users.filter((one) => one !== user && one.recipe === "passwordless");
    if (email !== null && others.some((one) => one.email === email)) {
      return { status: "EMAIL_ALREADY_EXISTS_ERROR" };
    }
    if (phone !== null && others.some((one) => one.phone === phone)) {
      return { status: "PHONE_NUMBER_ALREADY_EXISTS_ERROR" };
    }
    const lost = new Set<string | null | undefined>();
    if (email !== user.email) lost.add(email).add(user.email);
    if (phone !== user.phone) lost.add(phone).add(user.phone);
    this.#devices = this.#devices.filter(({ contact }) => !lost.has(textOf(contact)));
    Object.assign(user, { email, phone });
    return { status: "OK" };
  }

  removeUser(id: string): void {
    const user = this.#byId(id);
    this.#users = this.#users.filter((one) => one !== user);
    if (user?.recipe !== "passwordless") return;
    this.#devices = this.#devices.filter(
      ({ contact }) => ![user.email, user.phone].includes(textOf(contact)),
    );
  }

  /** "refused" where the external id is a user's own. */
  mapUserId(id: string, externalId: string): Record<string, unknown> | "refused" {
    const user = this.#byId(id);
    if (user === undefined) return { status: "UNKNOWN_USER_ID_ERROR" };
    if (this.#users.some((one) => ownId(one) === externalId)) return "refused";
    const taken = this.#users.some((one) => one.externalId === externalId);
    if (user.externalId === null && !taken) {
      user.externalId = externalId;
      return { status: "OK" };
    }
    return {
      status: "USER_ID_MAPPING_ALREADY_EXISTS_ERROR",
      doesUserIdExist: user.externalId !== null,
      doesExternalUserIdExist: taken,
    };
  }

  findMapping(id: string): unknown {
    const user = this.#byId(id);
    return user === undefined || user.externalId === null
      ? null
      : { userId: ownId(user), externalUserId: user.externalId };
  }

  getUser(id: string): ShownUser | null {
    const user = this.#byId(id);
    return user === undefined ? null : shown(user);
  }

  findUsers({ email, phoneNumber }: CodeRequest): ShownUser[] {
    return this.users().filter((user) =>
      email === undefined ? user.phoneNumber === phoneNumber : user.email === email,
    );
  }

  /** In the order in which they joined. */
  users(recipe?: Recipe): ShownUser[] {
    return this.#users.filter((user) => recipe === undefined || user.recipe === recipe).map(shown);
  }

  #byId(id: string): ModelUser | undefined {
    return this.#users.find((user) => ownId(user) === id || user.externalId === id);
  }

  #join(recipe: Recipe, contact: CodeRequest, timeJoined: number): ModelUser {
    const user: ModelUser = {
      number: this.#joined++,
      recipe,
      timeJoined,
      email: contact.email ?? null,
      phone: contact.phoneNumber ?? null,
      externalId: null,
      hasSignedIn: recipe === "passwordless" ? false : null,
      verifiedEmails: new Set(),
    };
    this.#users.push(user);
    return user;
  }

  #signIn(device: ModelDevice, now: number): Record<string, unknown> {
    const { contact } = device;
    this.#devices = this.#devices.filter((one) => textOf(one.contact) !== textOf(contact));
    const there = this.#users.find(
      (one) => one.recipe === "passwordless" && [one.email, one.phone].includes(textOf(contact)),
    );
    const user = there ?? this.#join("passwordless", contact, now);
    if (there !== undefined) user.hasSignedIn = true;
    if (contact.email !== undefined) user.verifiedEmails.add(contact.email);
    const consumedDevice = {
      preAuthSessionId: sessionId(device.number),
      failedCodeInputAttemptCount: device.failed,
      ...contact,
    };
    return {
      status: "OK",
      createdNewUser: there === undefined,
      user: shown(user),
      consumedDevice,
    };
  }
}

/** What a model's user is called as long as there is no external id. */
export function ownId({ number }: { readonly number: number }): string {
  return `user ${number}`;
}

/** What a code's session is called. */
export function sessionId(number: number): string {
  return `session ${number}`;
}

function textOf({ email, phoneNumber }: CodeRequest): string {
  return email ?? phoneNumber ?? "";
}

function shown(user: ModelUser): ShownUser {
  return {
    userId: user.externalId ?? ownId(user),
    ...(user.email === null ? {} : { email: user.email }),
    ...(user.phone === null ? {} : { phoneNumber: user.phone }),
    timeJoined: user.timeJoined,
    recipe: user.recipe,
    ...(user.hasSignedIn === null ? {} : { hasSignedIn: user.hasSignedIn }),
    ...(user.verifiedEmails.has(user.email ?? "") ? { isEmailVerified: true } : {}),
  };
}
