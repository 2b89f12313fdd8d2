/** The imports that bring a rehearsal's users to a core of one's own: its own ones, as its checkpoint keeps them, for another core. */

import { readRuns } from "../checkpoint/status.js";
import type { RunRecord } from "../events/run-record.js";
import { LEAST_USERS } from "../run/bulk/setting.js";
import type { Ended } from "./ended.js";
import { DEFAULT_CHECKPOINT } from "./options/general.js";
import { commandLine, type Typed, typedIn, type TypedRun, without } from "./resume-command.js";
import { shellWords } from "./seen-vault.js";

/**
 * @param argv the words of the import that has just ended
 * @returns in the order in which the files were imported first, so that mended rows come behind their
 *   export; none where nothing was rehearsed, and for a part, of which each has another checkpoint
 */
export function realCommands(
  {
    summary,
    values,
    options,
    part,
  }: Pick<Ended, "summary" | "values"> & Pick<TypedRun, "options" | "part">,
  argv: readonly string[],
): string[] {
  if (summary.command !== "import" || summary.core.kind !== "embedded" || part !== undefined)
    return [];
  const { checkpoint = DEFAULT_CHECKPOINT, vault, bulk } = values;
  // Of the same files the latest words, and all runs.
  const byFiles = new Map<string, { typed: readonly Typed[]; runs: readonly RunRecord[] }>();
  for (const run of readRuns(checkpoint)) {
    const { imported, created, existed, unchanged } = run.outcomes;
    if (run.command === null || run.proof || imported + created + existed + unchanged === 0)
      continue;
    const words = shellWords(run.command);
    const typed = typedIn(["", "", ...words.slice(words.indexOf("import"))], options);
    const files = typed.filter(({ name, of }) => name === null || of === "database");
    const key = JSON.stringify(files.map(({ words }) => words));
    byFiles.set(key, { typed, runs: [...(byFiles.get(key)?.runs ?? []), run] });
  }
  // What no word of this one says, but its configuration, is said to all of them.
  const now = typedIn(argv, options);
  const isVaultAround = vault !== undefined && !isTyped(now, "vault");
  const isBulkAround = bulk !== "auto" && !isTyped(now, "bulk");
  const own = (kind: string, used?: string): string =>
    used === `real.${kind}` ? `auth-migrate.${kind}` : `real.${kind}`;
  return Array.from(byFiles.values(), ({ typed, runs }) => {
    const isByBulk = !isBulkAround && !isTyped(typed, "bulk") && isDayByBulk(runs);
    const isKept = isVaultAround || isTyped(typed, "vault");
    const words = without(typed, ...HERE);
    words.push("--core", "URL", ...(isByBulk ? ["--bulk", "always"] : []));
    // A checkpoint and a vault are bound to their core.
    words.push("--checkpoint", own("checkpoint", checkpoint));
    return commandLine(["import", ...words, ...(isKept ? ["--vault", own("vault", vault)] : [])]);
  });
}

/** Of this core alone. Its rejects stand in its files, and some are mended there. */
const HERE = ["data", "checkpoint", "vault", "target-moved", "yes", "rejects-out"];

function isTyped(typed: readonly Typed[], option: string): boolean {
  return typed.some(({ name }) => name === option);
}

/** Whether `--bulk always` keeps days of joining at a core behind a URL: those that are lost there by calls of the users' own. A rehearsal has kept them without it. */
function isDayByBulk(runs: readonly RunRecord[]): boolean {
  const brought = ({ outcomes, notices }: RunRecord): number =>
    outcomes.imported + outcomes.created - (notices["bridged"] ?? 0);
  const users = runs.reduce((sum, run) => sum + Math.max(0, brought(run)), 0);
  const isDated = runs.some((run) => (run.carriedUsers["joined"] ?? 0) > 0 && brought(run) > 0);
  return isDated && users < LEAST_USERS;
}
