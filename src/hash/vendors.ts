/** Whose hashes were made of a changed password, as far as no text can show it: settled by the vendor's name alone. It names vendors; it recognizes no text. */

/** Whether a vendor changes the password before it hashes it. */
export type PreHash = "never" | "possible" | "always";

/** One vendor by whose name a bare bcrypt or argon2 hash is judged. */
export interface Vendor {
  /** What `--from` takes, kebab-case. */
  readonly name: string;
  /** For people. */
  readonly label: string;
  readonly preHash: PreHash;
  /** What it does to the password, as a clause; empty where it does nothing. */
  readonly what: string;
}

const VENDORS: readonly Vendor[] = [
  {
    name: "meteor",
    label: "Meteor",
    preHash: "always",
    what: "Meteor hashes a SHA-256 of the password, not the password",
  },
];

/** @returns the vendor of that name, or null */
export function findVendor(name: string): Vendor | null {
  return VENDORS.find((vendor) => vendor.name === name) ?? null;
}
