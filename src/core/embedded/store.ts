/** What the embedded core asks of the place where it keeps users and codes. A store keeps and finds; what a request means is decided above it. */

import type { CodeRequest, CoreUser, UpdateOutcome } from "../core.js";

/** A user about to be created. */
export interface NewUser {
  readonly userId: string;
  /** Epoch milliseconds. */
  readonly timeJoined: number;
}

/** A code's device as stored: digests, nothing that signs in (design: only digests are stored). */
export interface Device {
  /** base64url of SHA-256 of the device id. */
  readonly preAuthSessionId: string;
  readonly contact: CodeRequest;
  /** Secret of the store; without it the digits can't be told from the device id. */
  readonly salt: Uint8Array;
  /** base64url of SHA-256 of the link code. */
  readonly linkDigest: string;
  readonly failedAttempts: number;
  /** Epoch milliseconds. */
  readonly timeCreated: number;
}

/** What is to be done with a device, decided from what was presented. */
export type Judgement =
  | { readonly action: "accept" }
  /** Nothing changes. */
  | { readonly action: "leave" }
  | {
      readonly action: "count";
      readonly reason: "wrong" | "expired";
      readonly failedAttempts: number;
    }
  /** Too many wrong digits: the device is removed. */
  | { readonly action: "end" };

/** What was done with a device; an unknown one is left. */
export type Consumed =
  | Exclude<Judgement, { action: "accept" }>
  | { readonly action: "accept"; readonly createdNewUser: boolean; readonly user: CoreUser };

/** Absent keeps, null clears, a string (normalized) sets. */
export interface ContactChange {
  readonly email?: string | null;
  readonly phoneNumber?: string | null;
}

/**
 * Users and codes. Every method is atomic and resolves only when what it wrote is durable; it
 * rejects with a `CoreFailure` (`disk`, `busy`, `broken`). Contacts come in normalized.
 */
export interface Store {
  /** Random, made with the store and never changed. */
  readonly coreId: string;
  /** Creates an email-password user, or replaces the hash of the one with this email. */
  importUser(
    user: NewUser,
    email: string,
    passwordHash: string,
  ): Promise<NewUser & { readonly existed: boolean }>;
  /** The email-password user with this email, and its hash. */
  findPassword(
    email: string,
  ): Promise<{ readonly user: CoreUser; readonly passwordHash: string } | null>;
  addDevice(device: Device): Promise<void>;
  /** Removes devices created before this time. */
  removeDevices(createdBefore: number): Promise<void>;
  /**
   * Shows the device to `judge` and does what it says, in one transaction. `judge` must be pure:
   * it may be asked twice. Accepting signs in the passwordless user with the device's contact, or
   * creates `newUser` with it, and removes every device of that contact.
   */
  consume(
    preAuthSessionId: string,
    judge: (device: Device) => Judgement,
    newUser: NewUser,
  ): Promise<Consumed>;
  /**
   * Changes the contacts of a passwordless user and removes the devices of each contact that it
   * lost or got. `null`: the change would leave the user without any contact; nothing was done.
   */
  updateUser(userId: string, change: ContactChange): Promise<UpdateOutcome["status"] | null>;
  getUser(userId: string): Promise<CoreUser | null>;
  /** Of either recipe, oldest first. */
  findUsers(contact: CodeRequest): Promise<readonly CoreUser[]>;
  /** Oldest first, from the first user whose id is greater than `afterId`. */
  listUsers(afterId: string, limit: number): Promise<readonly CoreUser[]>;
  countUsers(): Promise<number>;
  /** What was asked for before still gets done. */
  close(): Promise<void>;
}
