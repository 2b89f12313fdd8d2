/** What the parts of the core contract share: an open core, new people, and tests that say why they are left out. */

import { randomInt, randomUUID } from "node:crypto";
import { it } from "vitest";
import type { EmbeddedCore } from "../../../src/core/embedded/assemble-core.js";
import type { CodeRequest, ConsumeOutcome, Core } from "../../../src/core/core.js";

/** What not every core does, beyond interface.md or more strictly than it has to. */
export type Feature =
  /** Finds, lists and counts users. */
  | "lookups"
  | "signIn"
  /** Gives users external ids. */
  | "mapping"
  /** Removes users. */
  | "removal"
  /** Says of a passwordless user whether they have signed in. */
  | "signInMark"
  /** Consumes by device and digits, counts wrong ones, and takes digits of the caller's choice. */
  | "digits"
  /** Looks at what the parts of a code are made of. */
  | "strictCodes"
  /** Brings contacts into one form. */
  | "normalizedContacts"
  /** Refuses what is no contact. */
  | "strictContacts"
  /** Checks a hash's whole grammar. */
  | "strictHashes"
  /** Bounds external ids. */
  | "strictMapping"
  | "metadata"
  /** Verifies emails by a token. */
  | "verification"
  /** Signs in and up by a social account. */
  | "thirdParty"
  /** Takes the time at which a new user joined. */
  | "timeJoined"
  /** Takes a whole account in one call. */
  | "accounts"
  /** Replaces a hash where it is still the one that the caller knows. */
  | "guardedHashes"
  /** Queues accounts for a job, which a test can start. */
  | "queue"
  /** Keeps and asks second factors. */
  | "totp"
  /** Keeps roles and who has them. */
  | "roles"
  /** Has the signer key of the known vendor scrypt hash. */
  | "signerKey";

/** What a core doesn't do, each with the reason. */
export type Lacks = Readonly<Partial<Record<Feature, string>>>;

export interface Scene {
  /** Open while tests run. */
  readonly core: Core;
  readonly lacks: Lacks;
  /** Has the core's job go over its queue once. */
  importQueued(): Promise<void>;
  /** Declares a test; where the core lacks a feature it is left out and its title says why. */
  needing(...features: readonly Feature[]): (title: string, run: () => Promise<void>) => void;
  /** Signs in or up by the link of a new code. */
  passwordless(contact: CodeRequest): Promise<Extract<ConsumeOutcome, { status: "OK" }>>;
}

export function createScene(
  opened: () => { readonly core: Core; importQueued?(): Promise<void> },
  lacks: Lacks,
): Scene {
  const core = (): Core => opened().core;
  return {
    get core() {
      return core();
    },
    lacks,
    async importQueued() {
      const here = opened();
      await (here.importQueued?.() ?? (here.core as EmbeddedCore).importQueued());
    },
    needing(...features) {
      const reason = features.map((feature) => lacks[feature]).find((why) => why !== undefined);
      if (reason === undefined) return (title, run) => it(title, run);
      return (title, run) => it.skip(`${title} (left out: ${reason})`, run);
    },
    async passwordless(contact) {
      const { preAuthSessionId, linkCode } = await core().createCode(contact);
      const outcome = await core().consumeCode({ preAuthSessionId, linkCode });
      if (outcome.status !== "OK") throw new Error(outcome.status);
      return outcome;
    },
  };
}

/** A core may be used by others and keep users from run to run: contacts are new every time. */
export function newEmail(name: string): string {
  return `${name}.${randomUUID()}@example.com`;
}

const LEAST_PHONE = 2_000_000;
const PHONES = 8_000_000;
let phone = randomInt(PHONES);

/** The one behind the last: of two random ones a few hundred tests would see the same. */
export function newPhone(): string {
  phone = (phone + 1) % PHONES;
  return `+1555${LEAST_PHONE + phone}`;
}

/** As an application's own user table may have them. */
export function newExternalId(name: string): string {
  return `member-${name}-${randomUUID()}`;
}
