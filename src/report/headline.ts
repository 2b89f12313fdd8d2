/** What matters most, in a sentence that stands first: how many users are at the core, of how many, and what became of the others. Pure. */

import type { RunProgress } from "../checkpoint/run-progress.js";
import type { VaultFound } from "../checkpoint/bridged-users.js";
import type { ShardsProof } from "../checkpoint/prove-shards.js";
import type { CheckpointStatus } from "../checkpoint/status.js";
import type { Cut, Standings } from "../events/standing.js";
import type { ValidateSummary } from "../events/summary.js";
import { OTHER_ROWS } from "../errors/place.js";
import { mostFirst } from "./layout.js";
import { counted, proofTexts, type Standing, standingOf, unvaultedText } from "./results.js";
import { shardsVerdict } from "./shards-text.js";
import { count, durationOf, grouped, sum } from "./text.js";

/** "stopped: 1,045 of 50,000 users are at the core (2 %), 3 skipped, 48,952 open."; empty where there is no user, unless a stop is why. */
function headline(standing: Standing): string {
  const { users, there, already, unread, stillThere, cut } = standing;
  if (users === 0) {
    return cut === "stopped" ? "Stopped before any user was sent." : "";
  }
  // Where nobody knows how many rows there are, no share of them can be said.
  const isKnown = unread !== null;
  const of = isKnown ? count(users, "user") : `the ${count(users, "user")} read so far`;
  const is = users === 1 ? "is" : "are";
  const share = isKnown ? ` (${percentOf(there, users)} %)` : "";
  const where = already === null ? "at the core" : "ready";
  const parts = [
    `${cut === null ? "" : CUT[cut]}${grouped(there)} of ${of} ${is} ${where}${share}`,
    ...part(already ?? 0, "at the core already"),
    ...Object.entries(PARTS).flatMap(([name, how]) =>
      part(standing[name as keyof typeof PARTS], how),
    ),
  ];
  const still = Object.entries(stillThere).map(([why, left]) => {
    const have = left === 1 ? "has" : "have";
    return `${count(left, "user")} still ${have} access at the core: ${STILL[why] ?? why}`;
  });
  return `${[parts.join(", "), ...still].join("; ")}.`;
}

const PARTS = {
  rejected: "rejected",
  skipped: "skipped",
  failed: "failed",
  written: "written by the queue and not read back yet",
  queued: "queued when last asked",
  open: "open",
} as const;

const CUT: Readonly<Record<Cut, string>> = {
  stopped: "stopped: ",
  limited: "limited: ",
  truncated: "cut off: ",
  proof: "proof: ",
};

/** 100 only where all are; near it with a decimal, rounded down. */
export function percentOf(number: number, of: number): number {
  const share = (number / of) * 100;
  return share > 99 ? Math.floor(share * 10) / 10 : Math.round(share);
}

/** Why users have access whom an operator takes for gone. */
const STILL: Readonly<Record<string, string>> = {
  disabled: "read last without --include disabled",
  sso: "read last without --include sso",
  since: "disabled at the vendor since, or the like",
};

function part(users: number, how: string): string[] {
  return users === 0 ? [] : [`${grouped(users)} ${how}`];
}

/**
 * What stands first of a checkpoint: where its users are, which rows aren't among them, and what is next.
 *
 * @param shards of a split export, whether its parts are one whole import
 */
export function standingLines(
  status: CheckpointStatus,
  shards: ShardsProof | null = null,
): string[] {
  const [first = "", ...beside] = firstLines(status);
  const proofs = status.unproved === 0 ? proofTexts(status.provedUsers) : [];
  const told = [...proofs, ...unprovedTexts(status), unvaultedText(status), ...vaultTexts(status)];
  return [first, ...told, ...beside, ...nextTexts(status, shards)].filter((line) => line !== "");
}

/** On which vault the old passwords of bridged users depend, and the command that starts the bridge, by which alone they work; and whose can't be verified any more. */
export function vaultNotes({ bridged, vault, running }: VaultStatus): Remark[] {
  if (vault === null) return [];
  const { file, lost, found, inUse, start } = vault;
  const depend = `${count(lost, "user")} ${lost === 1 ? "depends" : "depend"}`;
  const gone = `${depend} on a vault that is lost: no old password of theirs can be verified any more, and a reset lets them in (bridge_lost).`;
  const notes = lost === 0 ? [] : [{ text: gone }];
  if (bridged === lost) return notes;
  const users = usersOfBridge({ bridged, vault });
  if (users === 0) {
    return [...notes, { text: `No old password depends on the vault ${file} any more.` }];
  }
  const whose = `The old passwords of ${count(users, "bridged user")}`;
  if (found !== null && found !== "latest") {
    const text = `${whose} depend on the vault ${file}, which ${FOUND[found]}: who hasn't signed in by the bridge yet can't any more (vault_missing). Bring it back from a copy made since its last import, or import again with a new one and --on-unusable-hash reseal.`;
    return [...notes, { text }];
  }
  const text = `${whose} who ${users === 1 ? "hasn't" : "haven't"} signed in by the bridge yet depend on the vault ${file}`;
  if (running) return [...notes, { text: `${text}.` }];
  const runs = "The bridge runs with it: only while it does, old passwords work.";
  if (inUse) return [...notes, { text: `${text}. ${runs}` }];
  const works = `${text}, and work only while the bridge runs with it.`;
  if (start === null) return [...notes, { text: works }];
  const [, vendor] = / --upstream (\S+)/.exec(start) ?? [];
  const how =
    vendor === undefined
      ? "To start it:"
      : `It asks ${vendor} for those without a hash: keep the account there open until then. To start it with your own account's values, and without --upstream-secret-file for a client that has none:`;
  return [...notes, { text: `${works} ${how}`, command: start }];
}

/** The same in a line each; a command stands at the end of its line. */
export function vaultTexts(status: VaultStatus): string[] {
  return vaultNotes(status).map(({ text, command = "" }) => `${text} ${command}`.trimEnd());
}

/** A sentence or a few, and the command that follows from them. */
export interface Remark {
  readonly text: string;
  readonly command?: string;
}

type VaultStatus = Pick<CheckpointStatus, "bridged" | "vault" | "running">;

/** Whose old passwords the bridge alone verifies: who has signed in by it needs it no longer, which the vault alone knows. */
export function usersOfBridge({ bridged, vault }: Omit<VaultStatus, "running">): number {
  if (vault === null) return 0;
  const { found, left, lost } = vault;
  return (found === "latest" ? left : null) ?? bridged - lost;
}

const FOUND: Readonly<Record<Exclude<VaultFound, "latest">, string>> = {
  missing: "isn't there",
  other: "is another one by now",
  older: "is an older copy by now",
  unreadable: "can't be read",
};

/** A wrong key looks like success, and so does a password that was changed before it was hashed. */
export function unprovedTexts(status: CheckpointStatus): string[] {
  const { unproved, notices, imported, bridged, queued, unknown } = status;
  const texts: string[] = [];
  if (unproved > 0) {
    texts.push(
      `The signer key isn't proved, and ${count(unproved, "user")} can sign in only if it is right (unproved).`,
    );
  }
  const { prehash_possible: noted = 0 } = notices;
  const bare = Math.min(noted, imported - bridged + queued + unknown);
  if (bare > 0) {
    texts.push(
      `No proof covers the bcrypt or argon2 hashes of ${count(bare, "user")}, who can sign in only if their passwords were hashed as typed (prehash_possible).`,
    );
  }
  return texts;
}

/** Where users are, or would be after a dry run's import, and which rows aren't among them. */
export function firstLines(of: Standings | ValidateSummary): string[] {
  const standing = standingOf(of);
  return [headline(standing), besideText(standing, of)].filter((line) => line !== "");
}

/** Rows beside the users, so that rows and users add up. */
function besideText({ beside }: Standing, { otherRows }: Pick<Standings, "otherRows">): string {
  const { rejected, skipped, failed } = beside;
  const parts = [
    ...part(rejected, "rejected"),
    ...part(skipped, "skipped"),
    ...part(failed, "failed"),
  ];
  if (parts.length === 0) return "";
  const codes = mostFirst({ ...otherRows.rejects, ...otherRows.skips, ...otherRows.failures });
  const why = codes.map(counted).join(", ");
  return `Rows ${OTHER_ROWS}: ${parts.join(", ")} (${why}).`;
}

/** How far a migration is, in a line for a log, or of one of several checkpoints. */
export function standingLine(status: CheckpointStatus): string {
  const [first = "No user has been read."] = firstLines(status);
  return status.running ? `${first} ${goingText(status)}` : first;
}

/** How fast a run is that goes on; its own counts are some seconds old, and other numbers beside those of its users. */
function goingText({ progress }: { readonly progress: RunProgress | null }): string {
  const { perSecond: rate, leftMs } = progress ?? { perSecond: null, leftMs: null };
  const parts = [
    ...(rate === null || rate === 0
      ? []
      : [`${rate < 10 ? rate : grouped(Math.round(rate))} rows a second`]),
    ...(leftMs === null || leftMs === 0 ? [] : [`${durationOf(leftMs)} left`]),
  ];
  return `${["A run is going on", ...parts].join(", ")}.`;
}

function nextTexts(status: CheckpointStatus, shards: ShardsProof | null): string[] {
  if (status.running) return [goingText(status)];
  const left = leftText(status);
  if (left !== null) return [`No run is going on. ${left}${againText(status)}`];
  const ended =
    status.endedBy === null
      ? ""
      : ` The latest run was ended by ${status.endedBy}: do what it said before you run it again.`;
  if (shards?.proved === false) return [`No run is going on. ${shardsVerdict(shards)}`];
  if (status.cut === "proof") {
    const next = status.command === null ? "." : `: ${status.command}`;
    return [
      `No run is going on, and a proof alone has sent its test users.${ended} Next, import the others${next}`,
    ];
  }
  const { progress, cut, endedBy } = status;
  const rejected = status.rejected + sum(status.otherRows.rejects);
  // Rows that it never took may be of further users.
  const isShort = progress !== null && progress.done < (progress.total ?? Infinity);
  if (cut !== null || isShort) {
    const early = endedBy === null ? ["the latest one ended early"] : [];
    const rows = part(rejected, rejected === 1 ? "row is rejected" : "rows are rejected");
    return [`${["No run is going on", ...early, ...rows].join(", and ")}${againText(status)}`];
  }
  if (status.unproved > 0) {
    return [
      `No run is going on.${ended} Next: prove the signer key by one user's password, with prove or by the same import with --prove FILE.`,
    ];
  }
  const isCut = status.cutoverAt !== null;
  if (rejected === 0 && standingOf(status).users === 0) {
    return ["No run is going on, and no user has been read."];
  }
  const mend = rejected === 0 ? "" : ` ${rejectedText(rejected, isCut)}`;
  const text = `No run is going on, and no user is open or failed.${ended}${mend}`;
  const check = isCut ? "" : checkText(status);
  return [`${text} ${check}`.trimEnd()];
}

/** Nothing of a checkpoint says whether that was done. */
export function checkText({ check, shard }: Pick<CheckpointStatus, "check" | "shard">): string {
  const text = "To compare them with the core, now or later";
  return check === null || shard !== null
    ? `${text}, run reconcile.`
    : `${text}: ${check.join(" ")}`;
}

/** The status doesn't know which of them the operator has accepted. */
function rejectedText(rows: number, isCut: boolean): string {
  const them = rows === 1 ? "it" : "them";
  const mend = `mend ${them} as the code says and import ${them}`;
  const left = isCut ? "or leave them behind" : `or go on without ${them}`;
  return `${count(rows, "row")} ${rows === 1 ? "is" : "are"} rejected: ${mend}, ${left}.`;
}

/** "Of 240 users 3 have failed, 5 are open": whom a further run goes on with, as the first sentence counts them; null where that is nobody. */
export function leftText(status: CheckpointStatus): string | null {
  const { users, failed, written, queued, open, beside } = standingOf(status);
  const left: readonly (readonly [number, one: string, more: string])[] = [
    [failed, "has failed", "have failed"],
    [written, `is ${PARTS.written}`, `are ${PARTS.written}`],
    [queued, "is queued", "are queued"],
    [open, "is open", "are open"],
    [status.unmapped, "is incomplete", "are incomplete"],
    [beside.failed, "other row has failed", "other rows have failed"],
  ];
  const texts = left
    .filter(([number]) => number > 0)
    .map(([number, one, more]) => `${grouped(number)} ${number === 1 ? one : more}`);
  return texts.length === 0 ? null : `Of ${count(users, "user")} ${texts.join(", ")}`;
}

/** How an import goes on; `queued` are all whom the core's queue was given and who aren't read back, also those whom it has written. */
export function goesOnText({ queued }: Pick<Standings, "queued">): string {
  const back = ", reads back whom the core's queue was given, and brings no user twice";
  return `goes on${queued === 0 ? "" : back}`;
}

/** The end of a sentence, with the command that goes on. */
export function againText(status: CheckpointStatus): string {
  const { endedBy, command } = status;
  const again = `${goesOnText(status)}${command === null ? "." : `: ${command}`}`;
  // One that was refused isn't the one that goes on.
  const which = command === null ? "the same" : "this";
  return endedBy === null
    ? `: the same import again ${again}`
    : `. The latest run was ended by ${endedBy}: do what it said, then ${which} import ${again}`;
}
