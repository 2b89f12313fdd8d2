/** A source of a mapping: its users are read by its expressions, and each field that it names has its fate. */

import { compileExpression } from "../expression.js";
import type { FieldTable } from "../fields/field-table.js";
import { fieldTree } from "../fields/field-tree.js";
import { objectSource } from "../object-source.js";
import type { Source } from "../source.js";
import type { Mapping } from "./mapping-file.js";
import { mappedUsers } from "./mapped-user.js";
import { pathCounter } from "./path-counter.js";

/** @throws RunError `mapping_invalid` for an expression that can't be read */
export function mappedSource(mapping: Mapping): Source {
  return objectSource({
    ...mapping,
    fields: fieldTree(fieldTable(mapping)),
    reader: (now, samples) => mappedUsers(mapping, now, samples),
    counter: () => pathCounter(mapping),
  });
}

function anyOf(signs: string): RegExp {
  return new RegExp(`[${signs.replace(/[\\\]^-]/g, "\\$&")}]`);
}

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.split("\n");
}

/** Signs that a table of fields doesn't have for itself, as it has `[]` and `*`. */
const MORE_THAN_TABLE = /[|&?`'"(){}<>=!]|\[[\d:*-]/;

/** What each field that the mapping names is; what is read of a place counts before what is told of it. */
function fieldTable(mapping: Mapping): FieldTable {
  const seen = new Set<string>();
  const once = (paths: readonly string[]): string =>
    paths
      .flatMap((path) => (MORE_THAN_TABLE.test(path) ? compileExpression(path).fields : [path]))
      .filter((path) => !seen.has(path) && seen.add(path))
      .join("\n");
  const { hash = { value: [], whole: [] }, flags, metadata } = mapping;
  const { email_verified, phone_verified } = mapping;
  const hashPaths =
    "credential" in hash
      ? Object.values(hash.credential)
      : [hash.value, hash.algorithm ?? [], hash.salt ?? []].flat();
  const ends = Object.values(flags).flatMap((rule) => ("until" in rule ? (rule.until ?? []) : []));
  for (const { list, provider, id, email, verified } of mapping.social) {
    for (const path of [provider, ...id, email ?? [], verified ?? []].flat()) {
      seen.add(`${list}.${path}`);
    }
  }
  const told: Record<string, readonly string[]> = { ...mapping.told };
  for (const [code, paths] of [
    ["other_emails_not_migrated", mapping.other_emails],
    ["other_phones_not_migrated", mapping.other_phones],
    ["social_identity_dropped", mapping.providers],
  ] as const) {
    told[code] = [...paths, ...(told[code] ?? [])];
  }
  const named = (groups: Readonly<Record<string, readonly string[]>>) =>
    Object.fromEntries(Object.entries(groups).map(([is, paths]) => [is, once(paths)]));
  return {
    pages: mapping.pages,
    read: {
      id: once(mapping.id),
      contact: once([mapping.email ?? [], mapping.phone ?? []].flat()),
      verified: once([email_verified?.from ?? [], phone_verified?.from ?? []].flat()),
      hash: once([...hashPaths, mapping.has_password ?? []].flat()),
      flag: once([...Object.keys(flags), ...ends]),
      factor: once(mapping.factors ?? []),
    },
    joined: once(mapping.joined ?? []),
    metadata: [
      ...Object.entries(metadata),
      ...(mapping.username === undefined
        ? []
        : [["preferred_username", mapping.username] as const]),
    ]
      .flatMap(([name, path]) => linesOf(once([path])).map((field) => `${field} > ${name}`))
      .join("\n"),
    roles: once(mapping.roles ?? []),
    ...(mapping.roles_apart === undefined ? {} : { rolesApart: anyOf(mapping.roles_apart) }),
    social: mapping.social,
    totp: once(mapping.totp ?? []),
    told: named(told),
    heard: once(mapping.heard),
    meaningless: named(mapping.meaningless),
  };
}
