/** Counts which of a mapping's expressions read what, for `validate --fields`. It keeps no value. */

import { compileExpression, readOrNull } from "../expression.js";
import { isFilled } from "../fields/field-values.js";
import type { PathRead } from "../fields/field-watch.js";
import type { MappedForm } from "./mapping-file.js";

export interface PathCounter {
  count(user: object): void;
  result(): readonly PathRead[];
}

/** @throws RunError `mapping_invalid` for an expression that can't be read */
export function pathCounter(mapping: MappedForm): PathCounter {
  const groups = pathsOf(mapping).map(([is, paths, takes]) => ({
    takes,
    counts: paths.map((path) => ({ is, path, rows: 0, read: compileExpression(path).read })),
  }));
  return {
    count(user) {
      for (const { takes, counts } of groups) {
        for (const one of counts) {
          // What a function refuses is told by the row itself.
          if (!isFilled(readOrNull(one, user))) continue;
          one.rows += 1;
          if (takes === "first") break;
        }
      }
    },
    result: () =>
      groups.flatMap(({ counts }) => counts.map(({ is, path, rows }) => ({ is, path, rows }))),
  };
}

type Paths = readonly [is: string, paths: readonly string[], takes: "first" | "each"];

/** What decides about a user; the other parts of the account are counted by their fields. */
function pathsOf(mapping: MappedForm): readonly Paths[] {
  const { hash, flags, email_verified, phone_verified } = mapping;
  const hashPaths =
    hash === undefined
      ? []
      : "credential" in hash
        ? Object.values(hash.credential).slice(0, 1)
        : hash.value;
  const ends = Object.values(flags).flatMap(({ until }) => until ?? []);
  return [
    ["id", mapping.id, "first"],
    ["email", mapping.email ?? [], "first"],
    ["email", mapping.emails.map(({ from }) => from), "each"],
    ["email_verified", placesOf(email_verified), takes(email_verified)],
    ["phone", mapping.phone ?? [], "first"],
    ["phone", mapping.phones.map(({ from }) => from), "each"],
    ["phone_verified", placesOf(phone_verified), takes(phone_verified)],
    ["username", [mapping.username ?? []].flat(), "first"],
    ["hash", hashPaths, "first"],
    ["has_password", mapping.has_password?.from ?? [], "first"],
    ["flag", [...Object.keys(flags), ...ends], "each"],
    ["factor", mapping.factors ?? [], "each"],
  ];
}

/** Where a contact's marks are. */
export function placesOf(marks: MappedForm["email_verified"]): readonly string[] {
  return marks?.flatMap(({ from }) => from) ?? [];
}

function takes(marks: MappedForm["email_verified"]): "first" | "each" {
  return marks?.length === 1 ? "first" : "each";
}
