/** The checkpoint's keys: salted digests of identities, contacts and plans. What they stand for can't be read back from the file without guessing it. */

import { hash, randomBytes } from "node:crypto";
import type { ThirdPartyIdentity } from "../core/account-import.js";
import { mailboxOf } from "../contact/email.js";
import type { Plan } from "./plan.js";

/**
 * Twelve of SHA-256's bytes, since each byte is stored several times a user. At a billion users the
 * chance that any two keys meet is below one in a hundred billion.
 */
export const KEY_BYTES = 12;

/** Twelve bytes as a string of twelve Latin-1 characters: a Map's key as it is, a blob by {@link keyBlob}. */
export type Key = string;

/** Sixty bits: enough to tell two versions of one user's part apart. */
const PART_CHARACTERS = 10;

/** A social account as one text, which no other one has. */
export function socialText({ thirdPartyId, thirdPartyUserId }: ThirdPartyIdentity): string {
  return JSON.stringify([thirdPartyId, thirdPartyUserId]);
}

/** Makes the keys of one checkpoint; the salt keeps two checkpoints' keys from being compared. */
export interface Digester {
  /** The key of a vendor's id within its source and namespace. */
  id(source: string, namespace: string, sourceId: string): Key;
  /** The key of a normalized contact, the same for every spelling of an address' domain; of a social account by {@link socialText}. */
  contact(kind: "email" | "phone" | "social", value: string): Key;
  /** The key of a row that has neither an id nor a contact. */
  row(file: string, number: number): Key;
  /** The key of what would be sent; two plans with one key need no second call. */
  plan(plan: Plan): Key;
  /** The key of any other text. */
  text(text: string): Key;
  /** A digest of a part of an account: of its text, or of its JSON. */
  part(part: string | object): string;
  /** The same of a verification, by the key of the email. */
  verification(email: Key): string;
  /** The same of a list that many users have, made once. */
  list(names: readonly string[]): string;
  /** The names of fields: the list of before where they are the same, since most users of an export have the same. */
  names(fields: object): readonly string[];
}

/** @param salt the checkpoint's random salt, as text */
export function createDigester(salt: string): Digester {
  // A text begins with the kind of thing that it stands for: things of two kinds have no text in common.
  const digest = (text: string): Key => hash("sha256", salt + text, "binary").slice(0, KEY_BYTES);
  // Of the call before: ids of one scope, and the calls for one contact, come one after the other.
  let scope = { source: "", namespace: "", text: "" };
  let contact = { kind: "", value: "", key: "" };
  const lists = new WeakMap<readonly string[], string>();
  let lastNames: readonly string[] = [];
  const part = (given: string | object): string => {
    const text = typeof given === "string" ? given : JSON.stringify(given);
    return hash("sha256", `${salt}part\n${text}`, "base64url").slice(0, PART_CHARACTERS);
  };
  return {
    id(source, namespace, sourceId) {
      if (scope.text === "" || scope.source !== source || scope.namespace !== namespace) {
        scope = { source, namespace, text: JSON.stringify(["id", source, namespace]).slice(0, -1) };
      }
      return digest(`${scope.text},${JSON.stringify(sourceId)}]`);
    },
    contact(kind, value) {
      if (contact.kind !== kind || contact.value !== value) {
        const mailbox = kind === "email" ? mailboxOf(value) : value;
        contact = { kind, value, key: digest(`${kind}\n${mailbox}`) };
      }
      return contact.key;
    },
    row: (file, number) => digest(JSON.stringify(["row", file, number])),
    // Notices and hints are left out: their change is no reason to call again. So is whether the id is
    // to be kept, which is a state of its own in the checkpoint.
    plan(plan) {
      switch (plan.kind) {
        case "import":
          return digest(`import\n${mailboxOf(plan.email)}\n${plan.passwordHash}`);
        case "passwordless":
          return digest(`passwordless\n${mailboxOf(plan.email ?? "")}\n${plan.phone ?? ""}`);
        // The core takes the email from the provider at every sign-in.
        case "thirdparty":
          return digest(`thirdparty\n${socialText(plan.identity)}`);
        case "skip":
        case "reject":
          return digest(`${plan.kind}\n${plan.code}`);
      }
    },
    text: (text) => digest(`text\n${text}`),
    part,
    verification: (key) => keyBlob(key).toString("base64url").slice(0, PART_CHARACTERS),
    list(names) {
      const known = lists.get(names) ?? part(names);
      lists.set(names, known);
      return known;
    },
    names(fields) {
      const names = Object.keys(fields);
      const isSame =
        names.length === lastNames.length && names.every((name, at) => name === lastNames[at]);
      if (!isSame) lastNames = names;
      return lastNames;
    },
  };
}

/** The digester of a dry run, for which nothing is planned twice: all plans have one key, and all parts one digest. */
export function createDryDigester(salt = randomBytes(KEY_BYTES).toString("hex")): Digester {
  const noPlan = "\0".repeat(KEY_BYTES);
  const noPart = "-".repeat(PART_CHARACTERS);
  const part = (): string => noPart;
  return { ...createDigester(salt), plan: () => noPlan, part, verification: part, list: part };
}

/** The form in which SQLite stores a key. */
export function keyBlob(key: Key): Buffer {
  return Buffer.from(key, "latin1");
}

/** The keys as one JSON array, because binding each value would cost as much as looking for it. */
export function hexList(keys: readonly Key[]): string {
  return JSON.stringify(keys.map((key) => keyBlob(key).toString("hex")));
}
