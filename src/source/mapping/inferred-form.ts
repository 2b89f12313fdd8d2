/** What an inferred mapping says of who the user is, by which contacts and hash they sign in, and whether they are let in. */

import { isUnsure, type Meaning, type TextField } from "../generic/field-names.js";
import { HELD } from "../generic/json-property.js";
import { expressionOf, type Field, type Met } from "./inferred-fields.js";

/** The fields of one kind of meaning. */
type All = <Kind extends Meaning["kind"]>(kind: Kind) => readonly Met<Kind>[];

/** A field of the mapping with what is said of it; empty fields are left out. */
export type Line = readonly [comment: string, field: string, value: unknown];

/** The expression of an empty text. */
export const NOTHING = "''";

/** A contact that stands for itself, and the lists of others. */
interface Contact {
  readonly own: readonly string[];
  readonly places: readonly object[];
}

/** What fields mean, by the kind of meaning. */
export function metIn(fields: readonly Field[]): All {
  const met = fields.flatMap(({ meanings, ...field }) =>
    meanings.map((meaning) => ({ ...meaning, ...field })),
  );
  return <Kind extends Meaning["kind"]>(kind: Kind) =>
    met.filter((one): one is Met<Kind> => one.kind === kind);
}

/**
 * The lines of a mapping that say all that isn't left behind.
 *
 * @param time `mark` where a field of times is every user's, also of one who lacks it
 * @param hasKnown whether the users' emails are known by another reading
 */
export function formLines(
  all: All,
  {
    time = "time",
    hasKnown = false,
  }: { readonly time?: "time" | "mark"; readonly hasKnown?: boolean } = {},
): readonly Line[] {
  const paths = (field: TextField): string[] => textsOf(all, field).map(({ path }) => path);
  const [email, phone] = [contactIn(all, "email"), contactIn(all, "phone")];
  const hasEmail = hasKnown || email.own.length + email.places.length > 0;
  const marks = (of: "email" | "phone"): readonly object[] =>
    all("verified").flatMap((one) => {
      if (one.of === of) return sayVerified(one, time);
      if (one.of !== "any" || (of === "email" && !hasEmail)) return [];
      return {
        ...sayVerified(one, time),
        ...(of === "phone" && hasEmail ? { alone: true } : null),
      };
    });
  const [hash, salt] = [paths("hash"), paths("salt")];
  const isSure = (one: Met<"text">): boolean => !isUnsure(one);
  const sure = textsOf(all, "hash").filter(isSure);
  const flags = all("exclusion");
  const said = sayHash(all, hash, { salt, plain: paths("plain") });
  return [
    ["The user's id.", "id", paths("id").length === 0 ? NOTHING : paths("id")],
    ["The email.", "email", ownOf(email, marks("email"))],
    ["Emails, of which one is chosen.", "emails", email.places],
    ["Whether the email was verified.", "email_verified", onlyOf(marks("email"))],
    ["The phone.", "phone", ownOf(phone, marks("phone"))],
    ["Phones, of which one is chosen.", "phones", phone.places],
    ["Whether the phone was verified.", "phone_verified", onlyOf(marks("phone"))],
    isEmpty(said)
      ? ["No password's hash is in these files.", "hash", NOTHING]
      : ["The password's hash.", "hash", said],
    [
      "Fields for one thing: who has two that differ is rejected.",
      "alike",
      [email.own, phone.own, sure.map(({ path }) => path), salt].filter((one) => one.length > 1),
    ],
    [
      "Who is kept out, and by which value.",
      "flags",
      Object.fromEntries(flags.map((flag) => ruleOf(flag, flags))),
    ],
  ];
}

/** The paths of what these lines are about. */
export function readPaths(all: All): readonly string[] {
  const fields = (["id", "email", "phone", "hash", "salt", "plain"] as const).flatMap((field) => [
    ...textsOf(all, field),
    ...all("list").filter(({ of }) => of === field),
  ]);
  return [...fields, ...all("exclusion")].map(({ path }) => path);
}

/** With a list alone, what is said beside it counts as beside a contact that is empty. */
function ownOf({ own, places }: Contact, marks: readonly object[]): readonly string[] {
  return own.length === 0 && places.length > 0 && marks.length > 0 ? [NOTHING] : own;
}

function onlyOf(marks: readonly object[]): object | null {
  return marks.length > 1 ? marks : (marks[0] ?? null);
}

function sayVerified(
  { path, flag, only, isKnown, isLate }: Met<"verified">,
  time: "time" | "mark",
): object {
  const is = flag === "no" ? flag : flag !== "time" ? "yes" : isLate ? "time" : time;
  return { from: path, is, ...(only && (isKnown === true ? { also: only } : { only })) };
}

/** Names for a text, the surest first. */
function textsOf(all: All, field: TextField): readonly Met<"text">[] {
  return all("text")
    .filter((one) => one.field === field)
    .sort((one, other) => one.rank - other.rank);
}

function contactIn(all: All, of: "email" | "phone"): Contact {
  const own = textsOf(all, of);
  const holds = ({ held }: Met<"text">, what: number): boolean => (held & what) !== 0;
  const lists = own.filter((one) => holds(one, HELD.list));
  const listed = [...all("list").filter((one) => one.of === of), ...lists];
  const texts = own.filter((one) => holds(one, HELD.text));
  return {
    own: texts.map((one) =>
      holds(one, HELD.list | HELD.object)
        ? `[${expressionOf(one.path)}][?type(@) != 'array' && type(@) != 'object'] | [0]`
        : one.path,
    ),
    places: [
      ...listed.map(({ path }) => ({ from: path, by: "names" })),
      ...all("addresses").map(({ path }) => ({ from: path, by: "names", mixed: true })),
    ],
  };
}

function sayHash(
  all: All,
  value: readonly string[],
  parts: Readonly<Record<string, readonly string[]>>,
): unknown {
  const [first] = value;
  const credential = Object.fromEntries(all("part").map((part) => [part.name, part.path]));
  if (!isEmpty(credential) && first !== undefined) {
    return { credential: { password: first, ...credential } };
  }
  const beside = all("beside").map(({ field }) => [
    field,
    all("beside").flatMap((one) => (one.field === field ? [one.path] : [])),
  ]);
  const more = filled({ ...Object.fromEntries(beside), ...parts });
  return isEmpty(more) ? value : filled({ value, ...more });
}

function ruleOf(
  { path, flag, values, rest, exclusion, group, isLate }: Met<"exclusion">,
  all: readonly Met<"exclusion">[],
): readonly [path: string, rule: object] {
  const ends = all.filter(
    (one) => one.path !== path && one.group === group && one.flag === "until",
  );
  const until = flag === "until" ? [] : ends.map((one) => one.path);
  const isAsked = rest === "asked";
  // Users at the start lack it, and are let in.
  const late = isLate && (flag === "no" || flag === "since") ? [["", "in"]] : [];
  const others = rest === undefined ? [] : [["else", isAsked ? "asked" : (rest[0] ?? "in")]];
  const listed = Array.from(values ?? [], ([value, [said = "in"]]) => [value, said]);
  const said = [...late, ...listed, ...others];
  const rule = {
    ...(rest === undefined ? { is: flag } : {}),
    ...(exclusion === "disabled" ? {} : { as: exclusion }),
    ...(until.length === 0 ? {} : { until }),
    ...(said.length === 0 ? {} : { values: Object.fromEntries(said) }),
  };
  return [path, rule];
}

function filled(parts: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    Object.entries(parts).filter(([, one]) => one !== undefined && !isEmpty(one)),
  );
}

export function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === "object" && Object.keys(value).length === 0);
}
