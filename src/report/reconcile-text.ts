/** Tells people what reconciling found. Users are named by their rows alone. */

import type { Reconciliation } from "../reconcile/reconcile-users.js";
import type { CheckpointStatus } from "../checkpoint/status.js";
import { againText, leftText } from "./headline.js";
import { groupLines } from "./issues-text.js";
import { fitted, type Layout, PLAIN_LAYOUT, tableLines } from "./layout.js";
import type { RefusalGroup } from "./refusal-groups.js";
import { shardLines } from "./shards-text.js";
import { coreText } from "./summary-text.js";
import { count, grouped } from "./text.js";

const BROUGHT: Readonly<Record<keyof Reconciliation["counts"], string>> = {
  emailpassword: "with a password",
  passwordless: "without a password",
  thirdparty: "by social accounts",
};

/**
 * The lookups and the differences; what matters most comes last.
 *
 * @param layout the lines about users keep to its width; 80 columns by default
 * @param status by which it says who is left, and how the import goes on
 */
export function reconcileText(
  result: Reconciliation,
  groups: readonly RefusalGroup[],
  layout: Layout = PLAIN_LAYOUT,
  status: CheckpointStatus | null = null,
): string[] {
  const { rows, running } = result;
  const left = status === null || running ? null : leftText(status);
  const table: [string, number, string][] = [
    ["agree", result.agreed, "are at the core as the checkpoint says"],
    ["differ", result.differing, "see below"],
    ["unanswered", result.unanswered, "no call got through for them"],
    ["not asked", result.unasked, "the checkpoint keeps no id of theirs"],
    ["not brought", rows?.notBrought ?? 0, "rows skipped, rejected, failed or open"],
  ];
  return [
    `${result.checkpoint} and ${coreText(result.core)}: ${askedText(result)}`,
    ...(result.pages === null
      ? ["The core offers no list of its users, so each was asked for by id."]
      : []),
    "",
    ...tableLines(table),
    ...countLines(result),
    ...groupLines(groups, layout),
    ...shardLines(result.shards),
    "",
    ...verdict(result),
    // Why users are missing there, and what is next.
    ...(status === null || left === null ? [] : fitted(left + againText(status), layout.columns)),
  ];
}

function countLines({ counts }: Reconciliation): string[] {
  const recipes = ["emailpassword", "passwordless", "thirdparty"] as const;
  const lines = recipes.flatMap((recipe) => {
    const { brought, core } = counts[recipe];
    const isNone = recipe === "thirdparty" && brought === 0;
    if (core === null || isNone) return [];
    const fewer = core < brought ? "  FEWER" : "";
    return [
      `  ${BROUGHT[recipe].padEnd(18)} ${grouped(brought).padStart(11)} brought ${grouped(core).padStart(11)} at the core${fewer}`,
    ];
  });
  return lines.length === 0 ? [] : ["", "Users in all", ...lines];
}

function verdict(result: Reconciliation): string[] {
  const { agrees, finished, asked, unfinished, unanswered, interrupted, running } = result;
  const lines: string[] = [];
  if (running) lines.push("A run is going on; these numbers are of the moment they were read.");
  if (interrupted) return [...lines, "Stopped before the end."];
  if (!agrees) return [...lines, "Checkpoint and core DIFFER."];
  if (unanswered > 0) {
    return [...lines, `${count(unanswered, "user")} got no answer: run the same command again.`];
  }
  if (finished === 0) return [...lines, "By this checkpoint, no user is finished yet."];
  if (asked === 0) return [...lines, "No user could be looked up, so only the counts agree."];
  const whom = asked < finished || unfinished > 0 ? " in everything that was asked for" : "";
  return [...lines, `Checkpoint and core agree${whom}.`];
}

/** How many users stand for all, and how to ask for these. */
function askedText({ asked, wanted, finished, rows }: Reconciliation): string {
  const all = count(finished, "finished user");
  if (asked >= finished) return `all of ${all} asked for`;
  if (wanted < finished) {
    return `a sample of ${grouped(asked)} of ${all}; --sample all asks for all of them`;
  }
  const others =
    rows === null
      ? ""
      : "; the others came from other rows or files: reconcile --sample all without files asks for all";
  return `${grouped(asked)} of ${all} asked for${others}`;
}
