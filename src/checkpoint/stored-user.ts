/** A user of an earlier run, as the checkpoint's rows tell them. */

import type { KnownUser, PlanKind } from "../plan/entry.js";
import { allOpen } from "../plan/parts.js";
import type { FileIds, NoticeSets } from "./numbered.js";
import { readNotes } from "./part-notes.js";
import { isFinished, KIND, type Kind, type Mapped, type State } from "../plan/states.js";

/** A user's row as it is read. */
export type UserRow = [
  id: number,
  state: State,
  sawNobody: number,
  plan: Buffer,
  mapped: Mapped,
  keyed: number,
  file: number,
  number: number,
  kind: Kind,
  scope: number,
  ranks: number,
  notices: number,
  parts: string | null,
];

/** Those of {@link UserRow}, of the table `users` by the name `u`. */
export const USER_COLUMNS =
  "u.id, state, saw_nobody, plan, mapped, keyed, file, number, u.kind, scope, ranks, notices, parts";

export function storedUserOf(row: UserRow, files: FileIds, sets: NoticeSets): KnownUser {
  const [id, state, sawNobody, plan, mapped, keyed, file, number, kind, scope, ranks, ...last] =
    row;
  const [told, parts] = last;
  return {
    id,
    state,
    sawNobody,
    plan: plan.toString("latin1"),
    mapped,
    keyed: keyed === 1,
    row: { file: files.pathOf(file), number },
    kind: KINDS[kind],
    scope,
    ranks,
    notices: sets.of(told),
    parts: isFinished(state) ? readNotes(parts) : allOpen(readNotes(parts)),
  };
}

const KINDS = {
  [KIND.import]: "import",
  [KIND.passwordless]: "passwordless",
  [KIND.thirdparty]: "thirdparty",
  [KIND.none]: null,
} as const satisfies Record<Kind, PlanKind | null>;
