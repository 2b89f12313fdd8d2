/** Writes a checkpoint's status as text for people. */

import type { CheckpointStatus } from "../checkpoint/status.js";
import { count } from "./text.js";
import { codeLines, tableLines } from "./summary-text.js";

/** The checkpoint's counts; what matters most comes last. */
export function statusText(status: CheckpointStatus): string[] {
  return [
    ...statusHead(status),
    "",
    ...tableLines(outcomeTable(status)),
    ...codeLines("Rejected", status.rejects),
    ...codeLines("Skipped", status.skips),
    ...codeLines("Failed", status.failures),
    "",
    statusVerdict(status),
  ];
}

/** Whose checkpoint it is, and its times. */
export function statusHead(status: CheckpointStatus): string[] {
  const { checkpoint, users, core, shard, begunAt, writtenAt, cutoverAt } = status;
  return [
    `${checkpoint}: ${count(users, "user")}, ${boundCore(core)}`,
    ...(shard === null ? [] : [`  shard         ${shard.index} of ${shard.count}`]),
    ...(begunAt === null ? [] : [`  begun         ${begunAt.toISOString()}`]),
    `  last written  ${writtenAt.toISOString()}`,
    ...(cutoverAt === null ? [] : [`  cut over      ${cutoverAt.toISOString()}`]),
  ];
}

/** Name, number and meaning of every state, also of states without a user. */
export function outcomeTable(status: CheckpointStatus): [string, number, string][] {
  return [
    ["imported", status.imported, "at the core, with their password"],
    ["created", status.created, "at the core, without a password"],
    ["existed", status.existed, "were at the core already, left as they were"],
    ["skipped", status.skipped, "left out on purpose"],
    ["rejected", status.rejected, "can't be migrated as they are"],
    ["failed", status.failed, "not reached; running again tries them again"],
    ["pending", status.pending, "known, and nothing was sent"],
    ["unknown", status.unknown, unknownText(status)],
    ["id not kept", status.unmapped, "of those at the core couldn't be given the vendor's id"],
  ];
}

/** Users whom a run that is over has still to bring to an end. */
export function unfinishedUsers({ failed, pending, unknown, unmapped }: CheckpointStatus): number {
  return failed + pending + unknown + unmapped;
}

/** The conclusion, and the next step. */
export function statusVerdict(status: CheckpointStatus): string {
  if (status.running) return "A run is going on.";
  const unfinished = unfinishedUsers(status);
  if (unfinished === 0) return "No run is going on, and every user is finished.";
  return `No run is going on, and ${count(unfinished, "user")} ${unfinished === 1 ? "is" : "are"} unfinished: the same import again goes on.`;
}

function unknownText({ running }: CheckpointStatus): string {
  return running
    ? "in flight"
    : "begun by a run that ended at once; the next one finds out what became of them";
}

/** The core that a checkpoint belongs to, in words. */
export function boundCore(core: CheckpointStatus["core"]): string {
  if (core === null) return "no user sent yet";
  return core.kind === "remote" ? `core ${core.url}` : `embedded core (id ${core.coreId})`;
}
