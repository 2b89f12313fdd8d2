/** A source of a mapping: its users are read by its expressions, and each field that it names has its fate. */

import { compileExpression, readOrNull } from "../expression.js";
import type { FieldTable, ReadFor } from "../fields/field-table.js";
import { fieldTree } from "../fields/field-tree.js";
import { type GivenMap, mappedFields } from "../generic/field-map.js";
import { isObject } from "../json/json-value.js";
import { withJson } from "../json/json-object.js";
import { type ObjectForm, objectSource } from "../object-source.js";
import type { Source } from "../source.js";
import { listColumns } from "./database-part.js";
import type { HashParts, MappedForm, Mapping } from "./mapping-file.js";
import { mappedUsers } from "./mapped-user.js";
import { pathCounter, placesOf } from "./path-counter.js";
import { relatedReader } from "./related.js";

/** @throws RunError `mapping_invalid` for an expression that can't be read */
export function mappedSource(mapping: Mapping): Source {
  const { table, database } = mapping;
  const lists = database === undefined ? [] : listColumns(database);
  const source = objectSource({
    ...mapping,
    json: {
      ...objectForm(withLists(mapping, lists)),
      related:
        mapping.related.length === 0
          ? undefined
          : (options, file) => relatedReader(mapping, fieldTable, options, file),
    },
    table: table && objectForm(withLists({ ...table, title: mapping.title }, lists)),
  });
  if (database === undefined) return source;
  const { recognize, any_case: anyCase } = table ?? mapping;
  return Object.assign(source, { database: { part: database, recognize, anyCase } });
}

/** A form whose columns of a database's lists are JSON. */
function withLists<Form extends MappedForm>(form: Form, lists: readonly string[]): Form {
  return { ...form, json: [...form.json, ...lists] };
}

function objectForm(form: MappedForm): ObjectForm {
  return {
    ...form,
    columns: form.json,
    anyCase: form.any_case,
    hears: form.others === "heard",
    view: viewer(form),
    isUser: userTest(form),
    fields: fieldTree(fieldTable(form)),
    isFlag: (name) => flagNamed(form, name) !== undefined,
    reader: (now, samples, map) => mappedUsers(withSaid(form, map), now, samples),
    counter: () => pathCounter(form),
  };
}

function flagNamed({ flags, any_case }: MappedForm, name: string): string | undefined {
  const own = any_case ? name.toLowerCase() : name;
  return Object.hasOwn(flags, own) ? own : undefined;
}

/** The form with what `--map` says of single values of its flags. One that is said to do both keeps out. */
function withSaid(form: MappedForm, map: GivenMap = new Map()): MappedForm {
  const flags = { ...form.flags };
  const said = mappedFields(map);
  for (const field of ["active", "disabled"] as const) {
    for (const { name, only = [] } of said.get(field) ?? []) {
      const flag = flagNamed(form, name);
      const rule = flag === undefined ? undefined : flags[flag];
      if (flag === undefined || rule === undefined) continue;
      const means = field === "active" ? [] : [rule.as];
      const others = Object.entries(rule.values).filter(([v]) => !only.includes(v.toLowerCase()));
      const values = Object.fromEntries([...others, ...only.map((value) => [value, means])]);
      flags[flag] = { ...rule, values };
    }
  }
  return { ...form, flags };
}

function userTest(form: MappedForm): ObjectForm["isUser"] {
  if (form.is_user === undefined) return undefined;
  const test = compileExpression(form.is_user);
  const view = viewer(form);
  return (object) => readOrNull(test, view === undefined ? object : view(object)) === true;
}

function viewer({ view, json, names }: MappedForm): ObjectForm["view"] {
  if (view === undefined && names === undefined) return undefined;
  const expression = compileExpression(view ?? "@");
  const { without = "", are = {} } = names ?? {};
  const others = new Map(Object.entries(are));
  return (value) => {
    const user = Object.hasOwn(value, without) ? value : renamed(value, others);
    const seen = readOrNull(expression, user);
    if (!isObject(seen)) return user;
    return json.length === 0 ? seen : withJson({ ...seen }, json);
  };
}

/** A user with its fields under the mapping's names, and so the objects of its lists. */
function renamed(value: object, names: ReadonlyMap<string, string>): object {
  const fields = Object.entries(value).map(([name, held]: [string, unknown]) => [
    names.get(name) ?? name,
    Array.isArray(held) ? held.map((one) => (isObject(one) ? renamed(one, names) : one)) : held,
  ]);
  return Object.fromEntries(fields) as object;
}

/** Signs that a table of fields doesn't have for itself, as it has `[]`, `*` and `{}`. */
const MORE_THAN_TABLE = /[|&?`'"()<>=!]|\{[^}]|\[[\d:*-]/;

/** What each field that the mapping names is; what is read of a place counts before what is told of it. */
function fieldTable(mapping: MappedForm): FieldTable {
  const seen = new Set<string>();
  const once = (paths: readonly string[]): readonly string[] =>
    paths
      .flatMap((path) => (MORE_THAN_TABLE.test(path) ? compileExpression(path).fields : [path]))
      .filter((path) => !seen.has(path) && seen.add(path));
  for (const { list, provider, id, email, verified } of mapping.social) {
    for (const path of [provider, ...id, email ?? [], verified ?? []].flat()) {
      seen.add(`${list}.${path}`);
    }
  }
  const told: Record<string, readonly string[]> = { ...mapping.told };
  for (const [code, paths] of [
    ["other_contacts_not_migrated", [...mapping.other_emails, ...mapping.other_phones]],
    ["social_identity_dropped", mapping.read.providers ?? mapping.providers],
  ] as const) {
    told[code] = [...paths, ...(told[code] ?? [])];
  }
  const named = (groups: Readonly<Record<string, readonly string[]>>) =>
    Object.fromEntries(Object.entries(groups).map(([is, paths]) => [is, once(paths)]));
  return {
    pages: mapping.pages,
    read: readFields(mapping, once),
    joined: once(mapping.joined ?? []),
    metadata: [
      ...Object.entries(mapping.metadata),
      ...(mapping.username === undefined
        ? []
        : [["preferred_username", mapping.username] as const]),
    ].flatMap(([name, path]) => once([path]).map((field) => `${field} > ${name}`)),
    roles: once(mapping.roles ?? []),
    ...(mapping.roles_apart && { rolesApart: mapping.roles_apart }),
    ...(mapping.usual_roles && { usualRoles: mapping.usual_roles }),
    social: mapping.social,
    socialIds: named(mapping.social_ids),
    totp: once(mapping.totp ?? []),
    told: named(told),
    heard: once(mapping.heard),
    meaningless: named(mapping.meaningless),
  };
}

function readFields(
  mapping: MappedForm,
  once: (paths: readonly string[]) => readonly string[],
): FieldTable["read"] {
  const { hash, flags, email_verified, phone_verified } = mapping;
  const isCredential = hash !== undefined && "credential" in hash;
  const hashPaths = isCredential ? Object.values(hash.credential) : placesOfHash(hash);
  const placePaths = [...mapping.emails, ...mapping.phones].map(({ from }) => from);
  const others = Object.values(flags).flatMap((rule) => [rule.or ?? [], rule.until ?? []].flat());
  const readAs = (is: ReadFor, paths: readonly (string | readonly string[])[]) =>
    once(mapping.read[is] ?? paths.flat());
  return {
    id: readAs("id", mapping.id),
    contact: readAs("contact", [mapping.email ?? [], mapping.phone ?? [], placePaths]),
    verified: readAs("verified", [placesOf(email_verified), placesOf(phone_verified)]),
    hash: readAs("hash", [...hashPaths, mapping.has_password?.from ?? []]),
    flag: readAs("flag", [...Object.keys(flags), ...others]),
    factor: readAs("factor", mapping.factors ?? []),
  };
}

/** Where a hash is, and what stands beside it. */
function placesOfHash(hash: HashParts | undefined): readonly string[] {
  const { whole: _whole, masked: _masked, ...places } = hash ?? { whole: [] };
  return Object.values(places).flatMap((one) => one ?? []);
}
