/** Whether a user is let in, by the flags and roles of a mapping. */

import { parseFlag } from "../../account/parse-flag.js";
import type { Exclusion } from "../../account/user-record.js";
import { compileExpression } from "../expression.js";
import { isKeptOutRole, readStanding, showValue } from "../generic/account-flags.js";
import { textWithin } from "../generic/generic-draft.js";
import { isObject, textOf, unwrap } from "../json/json-value.js";
import { RowDamage } from "../row-damage.js";
import type { FlagRule, MappedForm } from "./mapping-file.js";
import { type Reader, texter } from "./texts.js";

/** What the flags of a user say. */
export interface Standing {
  readonly found: readonly string[];
  readonly because: Partial<Record<Exclusion, string>>;
}

const ROLES = "roles_not_migrated";

const NO_EXCLUSION: ReadonlySet<string> = new Set(["unverified", "reset", "social"]);

function isExclusion(meaning: string): meaning is Exclusion {
  return !NO_EXCLUSION.has(meaning);
}

/** @param now epoch milliseconds; a lock that was over by then is none */
export function flagReader(mapping: MappedForm, now: number): Reader<Standing | RowDamage> {
  const { flags, title } = mapping;
  const keptOutBy = roleReader(mapping);
  const readers = Object.entries(flags).map(([path, rule]) => {
    const {
      hint = "mend it and import the user again.",
      name = path,
      or = [],
    } = "values" in rule ? rule : {};
    const damage = new RowDamage(
      "flag_invalid",
      `The user's "${name}" doesn't say clearly whether ${title} lets this user in; ${hint}`,
    );
    const paths = [path, or].flat();
    const isNested = paths.map((one) => compileExpression(one).read).map(nestedReader);
    return { path: name, read: texter(paths), isNested, says: ruleReader(rule, now), damage };
  });
  return (user) => {
    const found: string[] = [];
    const because: Standing["because"] = {};
    for (const { path, read, isNested, says, damage } of readers) {
      const text = read(user).trim();
      // An object says more than nothing, and nothing that is known.
      const isOdd = text === "" && isNested.some((isIn) => isIn(user));
      const said = isOdd ? null : says(text, user);
      if (said === null) return damage;
      for (const one of said) {
        found.push(one);
        if (isExclusion(one)) because[one] ??= `${path} says ${showValue(text)}.`;
      }
    }
    const role = keptOutBy(user);
    if (role !== null) {
      found.push("disabled");
      because.disabled ??= `${role} names a role of users who are kept out.`;
    }
    return { found, because };
  };
}

/** Whether a place holds an object with something in it, or a list of such. */
function nestedReader(read: Reader<unknown>): Reader<boolean> {
  return (user) => {
    const held = read(user);
    const value = unwrap(Array.isArray(held) ? held[0] : held);
    return isObject(value) && Object.keys(value).length > 0;
  };
}

/** The field in which one of a user's roles is for users who are kept out; null without such a role. */
function roleReader({ roles = [], told }: MappedForm): Reader<string | null> {
  const paths = [...roles, ...(told[ROLES] ?? [])].filter((path) => !path.includes("*"));
  const readers = paths.map((path) => ({ path, read: compileExpression(path).read }));
  return (user) => {
    const found = readers.find(({ read }) => {
      const value = read(user);
      const isList = typeof value === "object" && value !== null;
      return isKeptOutRole(isList ? textWithin(ROLES, value) : (textOf(value) ?? ""));
    });
    return found?.path ?? null;
  };
}

/** `true` or `false`, however the file writes them; else the text. */
function spoken(text: string): string {
  return String(parseFlag(text) ?? text);
}

/** What a flag's text says; null where that isn't clear. */
function ruleReader(
  rule: FlagRule,
  now: number,
): (text: string, user: object) => readonly string[] | null {
  if ("values" in rule) {
    const values = new Map(
      Object.entries(rule.values).flatMap(([value, meanings]) => {
        const said = meanings.filter((one) => one !== "in");
        // As most files have it, which spares a copy.
        return [[value.toLowerCase(), said] as const, [value, said] as const];
      }),
    );
    return (text) =>
      values.get(text) ??
      values.get(text.toLowerCase()) ??
      values.get(spoken(text)) ??
      (text === "" ? null : (values.get("else") ?? null));
  }
  const { is, as, until } = rule;
  const end = texter(until);
  return (text, user) => {
    const standing = readStanding(text, is, as, now);
    if (standing === "unreadable") return null;
    if (standing === null || standing === "over") return [];
    const isOver =
      until !== undefined && readStanding(end(user).trim(), "until", as, now) === "over";
    return isOver ? [] : [standing];
  };
}
