/** Reads users by the mapping that their properties' names infer. Users of JSON may have properties that none before them had: then the mapping says more from there on. */

import type { UserDraft } from "../../account/user-draft.js";
import { nestedFlag, unclearFlag } from "../generic/account-flags.js";
import type { JsonProperty } from "../generic/json-property.js";
import type { RowDamage } from "../row-damage.js";
import { showName } from "../show-name.js";
import { type Field, fieldsUnder } from "./inferred-fields.js";
import { formLines, isEmpty, metIn } from "./inferred-form.js";
import type { Also } from "./mapped-hash.js";
import { mappedUsers } from "./mapped-user.js";
import { form } from "./mapping-file.js";
import type { Words } from "./standing.js";

export interface ReadNamed {
  readonly read: (user: object, also: Also) => UserDraft | RowDamage;
  /** Where the password's hash is. */
  readonly hash: () => string | null;
}

const NOTHING_TOLD: ReadonlySet<string> = new Set();

/**
 * @param properties of the users, as far as they were met
 * @param expected as the reader of users has them
 * @param now epoch milliseconds
 */
export function namedReader(
  properties: JsonProperty,
  expected: readonly JsonProperty[] | null,
  now: number,
): ReadNamed {
  const known = expected === null ? undefined : new Set(expected);
  const hasKnown = properties.naming.claimed.has("email");
  let changes = -1;
  let hash: string | null = null;
  let read: ReturnType<typeof mappedUsers>;
  const infer = (): void => {
    changes = properties.naming.changes;
    const fields = [...fieldsUnder(properties, { expected: known })];
    const all = metIn(fields);
    const lines = formLines(all, { time: "mark", hasKnown }).flatMap(([, field, value]) =>
      value === null || isEmpty(value) ? [] : [[field, value] as const],
    );
    const said = form.parse({ recognize: [["id"]], ...Object.fromEntries(lines) });
    read = mappedUsers({ ...said, title: "" }, now, null, wordsBy(fields));
    hash = all("text").find(({ field }) => field === "hash")?.name ?? null;
  };
  return {
    read(user, also) {
      if (changes !== properties.naming.changes) infer();
      return read(user, NOTHING_TOLD, also);
    },
    hash: () => hash,
  };
}

/** By the names of the file, for whom `--map` says more. */
function wordsBy(fields: readonly Field[]): Words {
  const byPath = new Map(fields.map((field) => [field.path, field]));
  const shown = (path: string): string => byPath.get(path)?.shown ?? showName(path);
  return {
    flag: shown,
    unclear: (path, _rule, text) =>
      text === null ? nestedFlag(shown(path)) : unclearFlag(shown(path), text),
  };
}
