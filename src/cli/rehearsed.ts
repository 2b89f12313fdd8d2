/** The imports that bring a rehearsal's users to a core of one's own: its own ones, as its checkpoint keeps them, for another core. */

import { readRuns } from "../checkpoint/status.js";
import type { CoreTarget } from "../core/core.js";
import type { RunRecord } from "../events/run-record.js";
import type { Remark } from "../report/headline.js";
import { LEAST_USERS } from "../run/bulk/setting.js";
import type { Input } from "../source/inputs.js";
import type { Ended, RealImports } from "./ended.js";
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
export function realCommands(rehearsal: Rehearsal): RealImports {
  const { summary, part, options, values, inputs, prove } = rehearsal;
  if (summary.core?.kind !== "embedded" || part) return { commands: [], social: 0 };
  const { checkpoint = DEFAULT_CHECKPOINT, vault, bulk = "auto" } = values;
  let latest: readonly Typed[] = [];
  let social = 0;
  // Of the same files the latest words, and all runs.
  const byFiles = new Map<string, { typed: readonly Typed[]; runs: readonly RunRecord[] }>();
  for (const run of readRuns(checkpoint)) {
    if (run.command === null || run.proof) continue;
    const words = shellWords(run.command);
    const typed = typedIn(["", "", ...words.slice(words.indexOf("import"))], options);
    latest = typed;
    social += run.carriedUsers["social"] ?? 0;
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
  const commands = Array.from(byFiles.values(), ({ typed, runs }) => {
    const isByBulk = !isBulkAround && !isTyped(typed, "bulk") && isDayByBulk(runs.map(broughtBy));
    const isKept = isVaultAround || isTyped(typed, "vault");
    const words = without(typed, ...HERE);
    const isProvable = inputs?.every(({ path }) => words.includes(path));
    if (isProvable && prove && !isTyped(typed, "prove")) words.push("--prove", prove);
    words.push("--core", "URL", ...(isByBulk ? ["--bulk", "always"] : []));
    // A checkpoint and a vault are bound to their core.
    words.push("--checkpoint", own("checkpoint", checkpoint));
    return commandLine(["import", ...words, ...(isKept ? ["--vault", own("vault", vault)] : [])]);
  });
  return { commands, social };
}

/** Of this core alone. Its rejects stand in its files, and some are mended there. */
const HERE = ["data", "checkpoint", "vault", "target-moved", "yes", "rejects-out"];

/** Users who are brought, or would be. */
interface Brought extends Pick<RunRecord, "carriedUsers"> {
  readonly users: number;
  /** Of them, who is kept for the bridge. */
  readonly bridged: number;
}

function broughtBy({ outcomes, notices, carriedUsers }: RunRecord): Brought {
  const { imported, created } = outcomes;
  return { users: imported + created, bridged: notices["bridged"] ?? 0, carriedUsers };
}

/** Whether `--bulk always` keeps somebody's day of joining that calls of their own leave behind at a core behind a URL: more have one than the queue has no place for, and they are too few for it. */
export function isDayByBulk(all: readonly Brought[]): boolean {
  const sum = (of: (one: Brought) => number): number =>
    all.reduce((total, one) => {
      const { social = 0 } = one.carriedUsers;
      return total + Math.max(0, of(one) - one.bridged - social);
    }, 0);
  const days = sum(({ carriedUsers: { joined = 0 } }) => joined);
  return days > 0 && sum(({ users }) => users) < LEAST_USERS;
}

/** Said before the imports that give it. */
export function daysText({ commands, social }: RealImports): string {
  const all = `${commands.join(" ")} `;
  if (!all.includes(" --bulk always ")) return "";
  const kept = [
    ...(all.includes(" --vault ") ? ["the bridge"] : []),
    ...(social > 0 ? ["a social account"] : []),
  ];
  const whose = kept.length === 0 ? "each" : `those without ${kept.join(" or ")}`;
  return `; --bulk always keeps the sign-up day of ${whose}`;
}

/** @param more what comes before these imports, and the days that they keep */
export function bringRemarks({ commands }: RealImports, more: string): Required<Remark>[] {
  const others = commands.length > 1 ? " by these imports, one after the other" : "";
  const bring = `To bring these users to your core${others}${more}:`;
  return commands.map((command, at) => ({ text: at === 0 ? bring : "Then:", command }));
}
