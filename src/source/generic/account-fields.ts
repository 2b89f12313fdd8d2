/** The account's other parts in files of no vendor's form: by the common names of their columns and properties, and by `--map`. */

import { optionName } from "../../errors/option-name.js";
import { RunError } from "../../errors/run-error.js";
import type { UserDraft } from "../../account/user-draft.js";
import type { AccountPart, FieldTable } from "../fields/field-table.js";
import { AccountReader } from "../fields/account-reader.js";
import { addField, type FieldTree, fieldTree, placeOfColumn } from "../fields/field-tree.js";
import { textOf, valueAt } from "../json/json-value.js";
import { RowDamage } from "../row-damage.js";
import { showName } from "../show-name.js";
import type { ReadOptions } from "../source.js";
import { listed, type Words } from "../word-lists.js";
import { type GivenMap, MAPPED_PART } from "./field-map.js";
import { FIELDS } from "./field-names.js";

/** Names in whatever case. */
function loose(names: string | Words): readonly string[] {
  return listed(names).map((name) => `~${name}`);
}

/**
 * Names in whatever case and with whatever signs between their letters. Roles aren't among them: a
 * column of that name may be what users write of themselves, so `--map` has to name it.
 */
const BY_NAME = {
  pages: ["https://openid.net/specs/openid-connect-core-1_0.html#StandardClaims"],
  read: {},
  joined: loose(FIELDS.notices.joined_not_migrated ?? ""),
  metadata: Object.entries(FIELDS.metadata).flatMap(([claim, names]) =>
    loose(names).map((name) => `${name} > ${claim}`),
  ),
  totp: loose(FIELDS.totp),
  rolesApart: /[,;|]/,
  meaningless: {},
} satisfies FieldTable;

const DROPPED = "social_identity_dropped";

/** Notices of fields that may be parts of an account, and may stay behind where others of the kind are carried. */
export const STAYING: ReadonlySet<string> = new Set([
  "metadata_not_migrated",
  "profile_not_migrated",
  "roles_not_migrated",
  DROPPED,
]);

const PARTS: readonly AccountPart[] = ["joined", "metadata", "roles", "social", "totp"];

/**
 * The table of fields for a file. What `--map` names wins over the common names of its part.
 *
 * @throws RunError `input_unrecognized` for a column that is to be two parts
 */
export function accountTree(map: GivenMap): FieldTree {
  const tree = fieldTree(map.has("joined") ? { ...BY_NAME, joined: "" } : BY_NAME);
  for (const [field, given] of map) {
    const [, plain, named, name = ""] = MAPPED_PART.exec(field) ?? [];
    const is = PARTS.find((part) => part === (plain ?? named));
    if (is === undefined) continue;
    for (const column of typeof given === "string" ? [given] : given) {
      if (addField(tree, column, { kind: "part", is, name })) continue;
      const what = `${optionName("--map")} names ${showName(column)} for two parts`;
      throw new RunError("input_unrecognized", what, {
        hint: "A column can be one part of the account; leave one of the two out.",
      });
    }
  }
  return tree;
}

/** What the users of a file say of accounts. One for all of them: each of its functions would cost a user a closure. */
export interface RowParts {
  /** Null where no part is kept. */
  readonly tree: FieldTree | null;
  /** The user under the names of the tree. */
  readonly user: (row: object) => object;
  /** Of that user's fields those that may be parts; all where it is absent. */
  readonly names?: readonly string[];
  /** Whether a column that `--map` names has an id at a provider. */
  readonly hasSocial: (row: object) => boolean;
}

/** Whether a user has an id at a provider, where `--map` says that a column or a property is one. */
export function socialIn(map: GivenMap): (user: object) => boolean {
  const names = [...map].flatMap(([field, given]) => (field.startsWith("social.") ? given : []));
  return (user) => names.some((name) => (textOf(valueAt(user, name)) ?? "").trim() !== "");
}

/**
 * The draft with the account's other parts, where the reading keeps them. A second factor by time
 * accounts for what else the row says of second factors.
 *
 * @param stays notices of the row's fields that no part has
 */
export function withParts(
  draft: UserDraft | RowDamage,
  row: object,
  { tree, user, names, hasSocial }: RowParts,
  { now, keepsAccount }: Pick<ReadOptions, "now" | "keepsAccount">,
  stays: readonly string[],
): UserDraft | RowDamage {
  if (draft instanceof RowDamage) return draft;
  const isSocial = hasSocial(row);
  if (isSocial && !draft.notices.includes(DROPPED)) {
    Object.assign(draft, { notices: [...draft.notices, DROPPED] });
  }
  if (tree === null || !keepsAccount) return draft;
  const { notices } = draft;
  const account = () => {
    // Where `--map` names the social account, all other social properties are about that one.
    const left = isSocial ? stays.filter((code) => code !== DROPPED) : stays;
    const read = new AccountReader({ now, keepsAccount }).read(user(row), tree, left, names);
    // Where no notice tells of it, what else the row says shows that its secret isn't in use.
    const isInUse = notices.includes("mfa_not_migrated");
    const totp = isInUse ? read.totp : [];
    const isLost = isInUse && (read.losesFactor || totp.length === 0);
    const losesFactor = isLost || notices.includes("passkey_not_migrated");
    const isSame = totp.length === read.totp.length && losesFactor === read.losesFactor;
    return isSame ? read : { ...read, totp, losesFactor };
  };
  // A copy with one property more would cost as much as reading the row does.
  return Object.assign(draft, { account });
}

const DECIDING: ReadonlySet<AccountPart | null> = new Set(["roles", "social", "totp"]);

/** Whether a column of this part has something of the account that is kept. */
export function isRead(part: AccountPart | null, kept: ReadOptions["keepsAccount"]): boolean {
  return kept === "deciding" ? DECIDING.has(part) : part !== null;
}

/** The part of the account that a column is; null for any other. */
export function partOfColumn(name: string, tree: FieldTree | null): AccountPart | null {
  const fate = tree === null ? undefined : placeOfColumn(name, tree)?.fate;
  return fate?.kind === "part" ? fate.is : null;
}
