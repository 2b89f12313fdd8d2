/** The password's hash of a user by a mapping, with what stands beside it. Normalization decides what a salt or an algorithm there means. */

import type { UserDraft } from "../../account/user-draft.js";
import { optionName } from "../../errors/option-name.js";
import type { RawHash } from "../../hash/hash.js";
import { compileExpression } from "../expression.js";
import { isObject } from "../json/json-value.js";
import { RowDamage } from "../row-damage.js";
import {
  BESIDE,
  type BesideField,
  hashByName,
  hashOfObject,
  hashOfText,
  plainPassword,
} from "../user-parts.js";
import type { MappedForm } from "./mapping-file.js";
import { isNothing, plainText, type Reader, texter } from "./texts.js";

/** What is known of a user by another reading. */
export interface Also {
  /** The user, whose other fields these are. */
  readonly known: UserDraft | null;
  /** Vendors' credentials, or lists of ways to sign in with one. */
  readonly credentials: readonly object[];
}

const SEVERAL = new RowDamage(
  "field_ambiguous",
  `The user has more than one property that may hold the password's hash; say which one it is with ${optionName("--map")} hash=NAME.`,
);

/** The hash with what is said beside it, also of one that another reading found. */
export function hasher(mapping: MappedForm) {
  const own = ownHash(mapping);
  const hash = mapping.hash !== undefined && "value" in mapping.hash ? mapping.hash : undefined;
  const salt = texter(hash?.salt);
  const besideOf = besideReader(hash ?? {});
  return (user: object, also: Also | undefined): RawHash | RowDamage | "withheld" | null => {
    if (also === undefined) return own(user);
    const known = also.known?.hash ?? null;
    const found = known ?? own(user);
    const [credential, ...others] = also.credentials;
    if (credential !== undefined) {
      if (found !== null || others.length > 0) return SEVERAL;
      return hashOfObject(credential, salt(user), besideOf(user));
    }
    if (known === null) return found;
    const beside = besideOf(user);
    if (known.kind === "text") return hashOfText(known.text, salt(user), beside);
    // A whole credential has its own algorithm, and no form of one has another salt or pepper: normalization refuses it.
    const isAlone = salt(user).trim() === "" && beside?.pepper === undefined;
    return isAlone ? known : hashOfObject(known, salt(user), beside);
  };
}

/** The hash, or null for a user without a password; `withheld` where the export doesn't show it. */
function ownHash({ hash, has_password }: MappedForm): Reader<RawHash | "withheld" | null> {
  if (hash === undefined) return () => (has_password === undefined ? "withheld" : null);
  if ("credential" in hash) {
    const parts = Object.entries(hash.credential).map(
      ([name, path]) => [name, compileExpression(path).read] as const,
    );
    return (user) => {
      const credential = parts.flatMap(([name, read]) => {
        const value = read(user);
        return value === undefined || value === null ? [] : [[name, value] as const];
      });
      const [first] = credential;
      const isThere = first?.[0] === parts[0]?.[0] && first?.[1] !== "";
      return isThere ? { kind: "credential", credential: Object.fromEntries(credential) } : null;
    };
  }
  const values = hash.value.map((path) => ({ path, read: compileExpression(path).read }));
  const [algorithm, salt] = [texter(hash.algorithm), texter(hash.salt)];
  const plain = hash.plain?.map((path) => ({ path, read: compileExpression(path).read })) ?? [];
  const besideOf = besideReader(hash);
  const whole = new Set(hash.whole.map((name) => name.toLowerCase()));
  return (user) => {
    const { path, value } = firstFilled(values, user);
    if (value === hash.masked) return "withheld";
    const isParts = isObject(Array.isArray(value) ? value[0] : value);
    if (isParts) return hashOfObject(value as object, salt(user), besideOf(user));
    const text = plainText(value);
    if (text.trim() === "") {
      const typed = firstFilled(plain, user);
      return plainPassword(typed.path, plainText(typed.value));
    }
    const known = hashByName(path, text);
    if (known !== null) return known;
    const isWhole = whole.size > 0 && whole.has(algorithm(user).trim().toLowerCase());
    return isWhole ? { kind: "text", text } : hashOfText(text, salt(user), besideOf(user));
  };
}

/** What says more of a hash; null where nothing does. */
function besideReader(
  paths: Readonly<Partial<Record<BesideField, readonly string[] | undefined>>>,
) {
  const readers = BESIDE.flatMap((name) => {
    const all = paths[name]?.map(texter);
    return all === undefined ? [] : [{ name, all }];
  });
  if (readers.length === 0) return () => null;
  return (user: object): Readonly<Record<string, string>> | null => {
    const said = readers.flatMap(({ name, all }) => {
      const texts = new Set(all.map((read) => read(user).trim()));
      texts.delete("");
      return texts.size === 0 ? [] : [[name, [...texts].join(" ")] as const];
    });
    return said.length === 0 ? null : Object.fromEntries(said);
  };
}

/** The first place in which something is. */
function firstFilled(
  places: readonly { readonly path: string; readonly read: Reader<unknown> }[],
  user: object,
): { readonly path: string; readonly value: unknown } {
  for (const { path, read } of places) {
    const value = read(user);
    const isThere = typeof value === "string" ? value.trim() !== "" : !isNothing(value);
    if (isThere) return { path, value };
  }
  return { path: "", value: null };
}
