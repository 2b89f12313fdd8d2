/** Fields of a mapping that say one thing: a user in whom they differ is rejected. */

import { compileExpression, isExpression } from "../expression.js";
import { unreadHash } from "../generic/unread-hash.js";
import { RowDamage } from "../row-damage.js";
import { showName } from "../show-name.js";
import type { MappedForm } from "./mapping-file.js";
import { isNothing, type Reader } from "./texts.js";

/** Rejects a user in whom two fields for one thing say different things, or two hold a password's hash. */
export function alikeReader({ alike, email = [], hash }: MappedForm): Reader<RowDamage | null> {
  const placesIn = (paths: readonly string[]) =>
    paths.map((path) => ({ path, isEmail: email.includes(path), ...compileExpression(path) }));
  const groups = alike.map(placesIn);
  // An expression may give what another place has in another form.
  const plain = hash !== undefined && "value" in hash && !hash.value.some(isExpression);
  const hashes = plain ? placesIn(hash.value) : [];
  if (hashes.length > 1) groups.push(hashes);
  if (groups.length === 0) return () => null;
  return (user) => {
    for (const group of groups) {
      let known = "";
      for (const { path, read, isEmail } of group) {
        const text = comparable(read(user), isEmail);
        const isOther = known !== "" && text !== "" && text !== known;
        if (isOther && (group !== hashes || unreadHash(path, text) !== null)) return differ(path);
        known ||= text;
      }
    }
    return null;
  };
}

function comparable(value: unknown, isEmail: boolean): string {
  if (isNothing(value)) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value).trim();
  return isEmail ? text.toLowerCase() : text;
}

function differ(path: string): RowDamage {
  const name = showName(path);
  return new RowDamage(
    "field_ambiguous",
    `${name} and another field for the same differ, and it isn't clear which one is the user's; say it in the mapping, in place of alike.`,
  );
}
