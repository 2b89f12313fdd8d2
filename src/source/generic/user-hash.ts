/** A user's hash with what stands beside it, while their properties are read. Normalization decides what a salt or an algorithm there means. */

import type { RawHash } from "../../hash/hash.js";
import { RowDamage } from "../row-damage.js";
import { hashByName, plainPassword } from "../user-parts.js";
import type { BesideField } from "./field-names.js";
import type { UserTexts } from "./user-fields.js";

const SEVERAL = new RowDamage(
  "field_ambiguous",
  "The user has more than one property that may hold the password's hash; say which one it is with --map hash=NAME.",
);

export class UserHash {
  #credential: object | null = null;
  #hasSeveral = false;
  readonly #parts = new Map<string, unknown>();
  readonly #beside = new Map<BesideField, string>();

  clear(): void {
    this.#credential = null;
    this.#hasSeveral = false;
    if (this.#parts.size > 0) this.#parts.clear();
    if (this.#beside.size > 0) this.#beside.clear();
  }

  /** A credential of a vendor's, or a list of ways to sign in. */
  credential(value: object): void {
    this.#hasSeveral ||= this.#credential !== null;
    this.#credential = value;
  }

  part(name: string, value: unknown): void {
    this.#parts.set(name, value);
  }

  /** Two different answers are both kept: neither is trusted. */
  beside(field: BesideField, text: string): void {
    const said = text.trim();
    const known = this.#beside.get(field) ?? said;
    if (said !== "") this.#beside.set(field, known === said ? said : `${known} ${said}`);
  }

  /** Null for a user without a password. */
  of(texts: UserTexts): RawHash | RowDamage | null {
    const hash = texts.of("hash");
    const credential = this.#credential;
    if (this.#hasSeveral || (credential !== null && hash !== "")) return SEVERAL;
    const salt = texts.of("salt");
    if (credential !== null) {
      const isAlone = salt === "" && this.#beside.size === 0;
      // With more beside it than its own form has, no form fits: normalization refuses it.
      return {
        kind: "credential",
        credential: isAlone ? credential : { password: credential, salt, ...this.#said() },
      };
    }
    if (hash.trim() === "") return plainPassword(texts.path("plain") ?? "", texts.of("plain"));
    const made = hashByName(texts.path("hash") ?? "", hash);
    if (made !== null) return made;
    if (this.#parts.size > 0) {
      return {
        kind: "credential",
        credential: { ...Object.fromEntries(this.#parts), password: hash },
      };
    }
    return this.#beside.size === 0 ? withSalt(hash, salt) : withBeside(hash, salt, this.#said());
  }

  #said(): Partial<Record<BesideField, string>> {
    return Object.fromEntries(this.#beside);
  }
}

function withSalt(text: string, salt: string): RawHash {
  return salt.trim() === "" ? { kind: "text", text } : { kind: "salted", hash: text, salt };
}

/** FusionAuth's form has the names of its API. */
function withBeside(
  text: string,
  salt: string,
  { encryptionScheme, factor, ...others }: Partial<Record<BesideField, string>>,
): RawHash {
  const named =
    encryptionScheme === undefined
      ? { password_hash: text }
      : { password: text, encryptionScheme, factor };
  return {
    kind: "credential",
    credential: { ...named, ...(salt.trim() === "" ? {} : { salt }), ...others },
  };
}
