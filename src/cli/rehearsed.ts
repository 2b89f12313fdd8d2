/** The imports that bring a rehearsal's users to a core of one's own: its own ones, as its checkpoint keeps them, for another core. */

import { readRuns } from "../checkpoint/status.js";
import type { CoreTarget } from "../core/core.js";
import type { RunRecord } from "../events/run-record.js";
import type { Remark } from "../report/headline.js";
import { LEAST_USERS } from "../run/bulk/setting.js";
import type { Input } from "../source/inputs.js";
import type { Ended } from "./ended.js";
import { DEFAULT_CHECKPOINT } from "./options/general.js";
import {
  commandLine,
  isTyped,
  type Typed,
  typedIn,
  type TypedRun,
  without,
} from "./resume-command.js";
import { shellWords } from "./seen-vault.js";

/** A checkpoint's imports, as the latest of them tells them, or a proof behind it. */
interface Rehearsal extends Pick<TypedRun, "options"> {
  readonly summary: { readonly core: Pick<CoreTarget, "kind"> | null };
  /** Of a split export, of which each has another checkpoint. */
  readonly part?: object | null | undefined;
  readonly values: Pick<Ended["values"], "checkpoint" | "vault" | "bulk">;
  /** What a proof has read, and its test users' file: the import of the same may have had none. */
  readonly inputs?: readonly Pick<Input, "path">[];
  readonly prove?: string | undefined;
}

/**
 * @returns in the order in which the files were imported first, so that mended rows come behind their
 *   export; none where nothing was rehearsed, and for a part
 */
export function realCommands(rehearsal: Rehearsal): string[] {
  const { summary, part, options, values, inputs, prove } = rehearsal;
  if (summary.core?.kind !== "embedded" || part) return [];
  const { checkpoint = DEFAULT_CHECKPOINT, vault, bulk = "auto" } = values;
  let latest: readonly Typed[] = [];
  // Of the same files the latest words, and all runs.
  const byFiles = new Map<string, { typed: readonly Typed[]; runs: readonly RunRecord[] }>();
  for (const run of readRuns(checkpoint)) {
    if (run.command === null || run.proof) continue;
    const words = shellWords(run.command);
    const typed = typedIn(["", "", ...words.slice(words.indexOf("import"))], options);
    latest = typed;
    const { imported, created, existed, unchanged } = run.outcomes;
    if (imported + created + existed + unchanged === 0) continue;
    const files = typed.filter(({ name, of }) => name === null || of === "database");
    const key = JSON.stringify(files.map(({ words }) => words));
    byFiles.set(key, { typed, runs: [...(byFiles.get(key)?.runs ?? []), run] });
  }
  // What no word of the latest says, but its configuration, is said to all of them.
  const isVaultAround = vault !== undefined && !isTyped(latest, "vault");
  const isBulkAround = bulk !== "auto" && !isTyped(latest, "bulk");
  const own = (kind: string, used?: string): string =>
    used === `real.${kind}` ? `auth-migrate.${kind}` : `real.${kind}`;
  return Array.from(byFiles.values(), ({ typed, runs }) => {
    const isByBulk = !isBulkAround && !isTyped(typed, "bulk") && isRehearsedDay(runs);
    const isKept = isVaultAround || isTyped(typed, "vault");
    const words = without(typed, ...HERE);
    const isProvable = inputs?.every(({ path }) => words.includes(path));
    if (isProvable && prove && !isTyped(typed, "prove")) words.push("--prove", prove);
    words.push("--core", "URL", ...(isByBulk ? ["--bulk", "always"] : []));
    // A checkpoint and a vault are bound to their core.
    words.push("--checkpoint", own("checkpoint", checkpoint));
    return commandLine(["import", ...words, ...(isKept ? ["--vault", own("vault", vault)] : [])]);
  });
}

/** Of this core alone. Its rejects stand in its files, and some are mended there. */
const HERE = ["data", "checkpoint", "vault", "target-moved", "yes", "rejects-out"];

/** A rehearsal has kept days of joining without the queue. */
function isRehearsedDay(runs: readonly RunRecord[]): boolean {
  const brought = ({ outcomes, notices }: RunRecord): number =>
    outcomes.imported + outcomes.created - (notices["bridged"] ?? 0);
  const users = runs.reduce((sum, run) => sum + Math.max(0, brought(run)), 0);
  return runs.some((run) => brought(run) > 0 && isDayByBulk(run.carriedUsers, users));
}

/** Whether `--bulk always` keeps days of joining at a core behind a URL: those that are lost there by calls of the users' own. */
export function isDayByBulk({ joined = 0 }: RunRecord["carriedUsers"], users: number): boolean {
  return joined > 0 && users < LEAST_USERS;
}

/** Said before the imports that give it. */
export function daysText(commands: readonly string[]): string {
  const all = `${commands.join(" ")} `;
  if (!all.includes(" --bulk always ")) return "";
  const whose = all.includes(" --vault ") ? "those without the bridge" : "each";
  return `; --bulk always keeps the sign-up day of ${whose}`;
}

/** @param more what comes before these imports, and the days that they keep */
export function bringRemarks(real: readonly string[], more: string): Required<Remark>[] {
  const others = real.length > 1 ? " by these imports, one after the other" : "";
  const bring = `To bring these users to your core${others}${more}:`;
  return real.map((command, at) => ({ text: at === 0 ? bring : "Then:", command }));
}
