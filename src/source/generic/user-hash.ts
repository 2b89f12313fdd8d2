/** A user's hash with what stands beside it, while their properties are read. Normalization decides what a salt or an algorithm there means. */

import type { RawHash } from "../../hash/hash.js";
import { RowDamage } from "../row-damage.js";
import {
  type BesideField,
  hashByName,
  hashOfObject,
  hashOfText,
  plainPassword,
} from "../user-parts.js";
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

  /**
   * Null for a user without a password.
   *
   * @param known was read by name. A whole credential has its own algorithm, and no form of one has
   *   another salt or pepper: normalization refuses it
   */
  of(texts: UserTexts, known: RawHash | null): RawHash | RowDamage | null {
    const hash = texts.of("hash");
    const credential = this.#credential;
    const isSaid = hash !== "" || known !== null;
    if (this.#hasSeveral || (credential !== null && isSaid)) return SEVERAL;
    const salt = texts.of("salt");
    const beside = this.#beside.size === 0 ? null : Object.fromEntries(this.#beside);
    if (known !== null && known.kind !== "text") {
      const isAlone = salt.trim() === "" && beside?.pepper === undefined;
      return isAlone ? known : hashOfObject(known, salt, beside);
    }
    if (credential !== null) return hashOfObject(credential, salt, beside);
    if (hash.trim() === "") return plainPassword(texts.path("plain") ?? "", texts.of("plain"));
    const named = hashByName(texts.path("hash") ?? "", hash);
    if (named !== null || this.#parts.size === 0) return named ?? hashOfText(hash, salt, beside);
    const parts = Object.fromEntries(this.#parts);
    return { kind: "credential", credential: { ...parts, password: hash } };
  }
}
