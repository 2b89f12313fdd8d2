/** What the embedded core needs from a store of users and codes. A store keeps and finds; the core decides what a request means. */

import type { CodeRequest } from "../core.js";
import type { CoreUser, ListedRecipe } from "../user.js";
import type { AccountTotpDevice } from "../account-import.js";
import type { Metadata } from "../account-parts.js";
import type { Script } from "./script.js";

/** A user about to be created. */
export interface NewUser {
  readonly userId: string;
  /** Epoch milliseconds. */
  readonly timeJoined: number;
}

/** A user with all their parts, about to be created; everything was checked. */
export interface NewAccount extends NewUser {
  readonly recipe: ListedRecipe;
  readonly email: string | null;
  readonly phone: string | null;
  readonly passwordHash: string | null;
  readonly thirdParty: readonly [id: string, userId: string] | readonly [null, null];
  readonly isEmailVerified: boolean;
  readonly externalUserId: string | null;
  readonly metadata: Metadata;
  readonly roles: readonly string[];
  readonly totpDevices: readonly AccountTotpDevice[];
  readonly nowMs: number;
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

/** What to do with a device, decided from the presented code. */
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

/**
 * A device that is consumed: `judge` is shown it as it stands, `newUser` made where it accepts and
 * the contact has no user. `judge` must be pure: it may be asked twice.
 */
export interface Consuming {
  readonly preAuthSessionId: string;
  readonly judge: (device: Device) => Judgement;
  readonly newUser: NewUser;
}

/** What was done with a device; an unknown one is left. */
export type Consumed =
  | Exclude<Judgement, { action: "accept" }>
  | {
      readonly action: "accept";
      readonly createdNewUser: boolean;
      readonly user: CoreUser;
      /** As it stood before it was removed. */
      readonly device: Device;
    };

/** Which users, from where on; in the order in which they joined, or the newest first. */
export interface PageQuery {
  /** The core's own id of the last user of the page before; null for the first page. */
  readonly after: string | null;
  readonly order: "ASC" | "DESC";
  /** Of every recipe where it is null. */
  readonly recipes: readonly ListedRecipe[] | null;
  readonly limit: number;
}

/** Whether a batch of calls changes anything. */
export type BatchKind = "change" | "read";

/**
 * Users and codes, as scripts find and change them. Every change is atomic and resolves only when
 * what it wrote is durable; it rejects with a `CoreFailure` (`disk`, `busy`, `broken`; of a database
 * elsewhere `unreachable` as well).
 */
export interface Store {
  /** Random, made with the store and never changed. */
  readonly coreId: string;
  /**
   * A call that goes together with others. `perform` answers each of the items, in their order, and may
   * be called again where a batch was rolled back.
   */
  batched<Item, Result>(
    kind: BatchKind,
    perform: (items: readonly Item[]) => Script<readonly Result[]>,
  ): (item: Item) => Promise<Result>;
  /** Runs a script in a transaction. */
  change<T>(script: () => Script<T>): Promise<T>;
  /** Runs a script that changes nothing. */
  read<T>(script: () => Script<T>): Promise<T>;
  /** The same for one that may read all users. */
  readAll<T>(script: () => Script<T>): Promise<T>;
  /** Checks, without changing anything, that the store can be used now. */
  probe(): Promise<void>;
  /** Calls that were made before still end. */
  close(): Promise<void>;
}
