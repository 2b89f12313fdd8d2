/** Fields of a mapping that say one thing: a user in whom they differ is rejected. */

import { optionName } from "../../errors/option-name.js";
import { compileExpression, isExpression } from "../expression.js";
import { unreadHash } from "../generic/unread-hash.js";
import { RowDamage } from "../row-damage.js";
import { showName } from "../show-name.js";
import type { MappedForm } from "./mapping-file.js";
import { isNothing, type Reader } from "./texts.js";

/** Rejects a user in whom two fields for one thing say different things, or two hold a password's hash. */
export function alikeReader(mapping: MappedForm): Reader<RowDamage | null> {
  const { alike, email = [], phone = [], hash } = mapping;
  const placesIn = (paths: readonly string[]) =>
    paths.map((path) => ({ path, isEmail: email.includes(path), ...compileExpression(path) }));
  const groups = alike.map(placesIn);
  // An expression may give what another place has in another form.
  const plain = hash !== undefined && "value" in hash && !hash.value.some(isExpression);
  const hashes = plain ? placesIn(hash.value) : [];
  if (hashes.length > 1) groups.push(hashes);
  if (groups.length === 0) return () => null;
  const salt = hash !== undefined && "salt" in hash ? hash.salt : undefined;
  const named = Object.entries({ email, phone, salt, hash: hashes.map(({ path }) => path) });
  const fieldOf = (path: string): string =>
    named.find(([, paths]) => paths?.includes(path))?.[0] ?? "FIELD";
  return (user) => {
    for (const group of groups) {
      let [known, by] = ["", ""];
      for (const { path, read, isEmail } of group) {
        const text = comparable(read(user), isEmail);
        const isOther = known !== "" && text !== "" && text !== known;
        if (isOther && (group !== hashes || unreadHash(path, text) !== null))
          return differ(by, path, fieldOf(path));
        if (known === "") [known, by] = [text, path];
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

function differ(one: string, other: string, field: string): RowDamage {
  return new RowDamage(
    "field_ambiguous",
    `${showName(one)} and ${showName(other)} are for one thing, and differ; say which one is the user's, with ${optionName("--map")} ${field}=NAME or in the mapping, in place of alike.`,
  );
}
