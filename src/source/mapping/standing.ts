/** Whether a user is let in, by the flags and roles of a mapping. */

import type { Exclusion } from "../../account/user-record.js";
import { optionName } from "../../errors/option-name.js";
import { compileExpression, isExpression } from "../expression.js";
import { isKeptOutRole, readStanding } from "../generic/account-flags.js";
import { mapOption } from "../generic/column-watch.js";
import { textWithin } from "../generic/generic-draft.js";
import { readFlag, whatSays } from "../generic/said-values.js";
import { isObject, textOf, unwrap } from "../json/json-value.js";
import { RowDamage } from "../row-damage.js";
import { EXCLUSIONS } from "../user-parts.js";
import type { FlagRule, MappedForm } from "./mapping-file.js";
import { plainText, type Reader, texter } from "./texts.js";

/** What the flags of a user say. */
export interface Standing {
  readonly found: readonly string[];
  readonly because: Partial<Record<Exclusion, string>>;
}

/** What is said of users to people who are to mend it, of whom some wrote the mapping. */
export interface Words {
  /** A flag's name. */
  readonly flag: (path: string, rule: FlagRule) => string;
  /** @param text of a value that isn't clear; null for an object or a list */
  readonly unclear: (path: string, rule: FlagRule, text: string | null) => RowDamage;
}

/** Those of a mapping's file. */
export function wordsOf({ title, others }: Pick<MappedForm, "title" | "others">): Words {
  const flag: Words["flag"] = (path, { name = path }) => name;
  return {
    flag,
    unclear(path, rule) {
      const asMap = ["active", "disabled"].map((field) => mapOption(field, path, "=VALUE"));
      const line = `${JSON.stringify(path)}: { …, values: { …, VALUE: in } }`;
      const said =
        others === "heard" && !isExpression(path)
          ? `mend it and import the user again, or say of its value that it lets users in, with ${asMap[0]}, or that it keeps them out, with ${asMap[1]}.`
          : `mend it and import the user again, or say under flags in the mapping's file (${optionName("--mapping", "FILE")}, a copy where it is built in) what its value means: ${line}, or disabled in place of in.`;
      return new RowDamage(
        "flag_invalid",
        `The user's "${flag(path, rule)}" doesn't say clearly whether ${title} lets this user in; ${rule.hint ?? said}`,
      );
    },
  };
}

const ROLES = "roles_not_migrated";

/** @param now epoch milliseconds; a lock that was over by then is none */
export function flagReader(
  mapping: MappedForm,
  now: number,
  words: Words,
): Reader<Standing | RowDamage> {
  const { flags } = mapping;
  const keptOutBy = roleReader(mapping);
  const readers = Object.entries(flags).map(([path, rule]) => {
    const paths = [path, rule.or ?? []].flat();
    const isNested = paths.map((one) => compileExpression(one).read).map(nestedReader);
    return { path, rule, read: flagTexts(paths), isNested, says: ruleReader(rule, now) };
  });
  if (readers.length === 0 && keptOutBy === null) return () => LET_IN;
  return (user) => {
    const found: string[] = [];
    const because: Standing["because"] = {};
    for (const { path, rule, read, isNested, says } of readers) {
      const held = read(user);
      // An object says more than nothing, and nothing that is known.
      if (held.includes("") && isNested.some((isIn) => isIn(user))) {
        return words.unclear(path, rule, null);
      }
      for (const text of held) {
        if (text === "" && held.length > 1) continue;
        const said = says(text, user);
        if (said === null) return words.unclear(path, rule, text);
        for (const one of said) {
          found.push(one);
          const as = EXCLUSIONS.find((exclusion) => exclusion === one);
          if (as === undefined) continue;
          const small = text.toLowerCase();
          const isNamed = Object.keys(rule.values).some((value) => value.toLowerCase() === small);
          because[as] ??= whatSays(words.flag(path, rule), text, as, isNamed);
        }
      }
    }
    const role = keptOutBy?.(user) ?? null;
    if (role !== null) {
      found.push("disabled");
      because.disabled ??= `${role} names a role of users who are kept out.`;
    }
    return { found, because };
  };
}

const LET_IN: Standing = { found: [], because: {} };
const SILENT = [""] as const;

/** What the first filled place of a flag holds: of a list each text counts, and not its first alone. */
function flagTexts(paths: readonly string[]): Reader<readonly string[]> {
  const readers = paths.map((path) => compileExpression(path).read);
  return (user) => {
    for (const read of readers) {
      const value = read(user);
      const texts = Array.isArray(value)
        ? value.map((one) => plainText(one).trim())
        : [plainText(value).trim()];
      if (texts.some((text) => text !== "")) return texts;
    }
    return SILENT;
  };
}

/** Whether a place holds an object with something in it, or a list with such. */
function nestedReader(read: Reader<unknown>): Reader<boolean> {
  return (user) =>
    [read(user)].flat().some((one) => {
      const value = unwrap(one);
      return isObject(value) && Object.keys(value).length > 0;
    });
}

/** The field in which one of a user's roles is for users who are kept out, null without such a role; null where there are no roles. */
function roleReader({ roles = [], told }: MappedForm): Reader<string | null> | null {
  const paths = [...roles, ...(told[ROLES] ?? [])].filter((path) => !path.includes("*"));
  const readers = paths.map((path) => ({ path, read: compileExpression(path).read }));
  if (readers.length === 0) return null;
  return (user) => {
    const found = readers.find(({ read }) => {
      const value = read(user);
      const isList = typeof value === "object" && value !== null;
      return isKeptOutRole(isList ? textWithin(ROLES, value) : (textOf(value) ?? ""));
    });
    return found?.path ?? null;
  };
}

/** What a flag's text says; null where that isn't clear. */
function ruleReader(
  { is: flag, as: exclusion, until = [], values: { else: others, number, ...listed } }: FlagRule,
  now: number,
): (text: string, user: object) => readonly string[] | null {
  const values = new Map(
    Object.entries(listed).flatMap(([value, said]) => {
      // As most files have it, which spares a copy.
      return [[value.toLowerCase(), said] as const, [value, said] as const];
    }),
  );
  const rest = others?.includes("asked") ? ("asked" as const) : others;
  const reading = { flag, exclusion, values, rest, numbers: number };
  const ends = until.map(texter);
  return (text, user) => {
    const said = readFlag(text, reading, now);
    if (said === "unreadable") return null;
    if (said === "over") return [];
    const isOver =
      said.length > 0 &&
      ends.some((end) => readStanding(end(user).trim(), "until", exclusion, now) === "over");
    return isOver ? [] : said;
  };
}
