/** What a row of the vendors' table says. Types, and the shortest way to write the most frequent row. */

import type { AcceptedHash } from "../hash.js";

/** Whether a vendor changes the password before it hashes it. */
type PreHash = "never" | "possible" | "always";

/** Hashes of the password as typed, of a vendor that hashes something else as well. */
export interface PlainForm {
  /** Which they are, for people, after "as typed:". */
  readonly what: string;
  /** Whether a hash is one of them: its form must show it. */
  readonly shows: (hash: AcceptedHash) => boolean;
}

/** One row: what is known of a vendor, by whose name a bare bcrypt or argon2 hash is judged. */
export interface VendorRow {
  /** What `--from` takes, kebab-case. */
  readonly name: string;
  /** Other names that `--from` takes for it. */
  readonly aliases?: readonly string[];
  /** For people. */
  readonly label: string;
  /** `never` also where it changes only passwords that few people have; then `what` says which. */
  readonly preHash: PreHash;
  /** What it does to the password, as a clause; left out where it does nothing. */
  readonly what?: string;
  /** What it hashes as typed all the same, where `preHash` is `always`. */
  readonly plain?: PlainForm;
  /** Where that is known from: a repository's file, or a page of the vendor's. Without one there is no row. */
  readonly source: string;
}

/** A vendor that hashes the password as typed. */
export function asTyped(
  name: string,
  label: string,
  source: string,
  ...aliases: readonly string[]
): VendorRow {
  return { name, label, aliases, preHash: "never", source };
}
