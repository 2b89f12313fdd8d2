/** `auth-migrate status`: shows where checkpoints stand, even during their runs. It changes nothing. */

import { type CheckpointStatus, readStatuses, type Statuses } from "../../checkpoint/status.js";
import { statusesText } from "../../report/status-text.js";
import { watchSignals } from "../interruption.js";
import { checkpoints, givenCheckpoints } from "../options/general.js";
import { withSeenVault } from "../seen-vault.js";
import type { OptionSpecs } from "../options/option.js";
import type { Terminal } from "../terminal.js";
import { verb } from "../verb.js";
import { createDisplay, watchStatus } from "../watch-status.js";

const options = {
  checkpoint: {
    ...checkpoints.checkpoint,
    help: "the import's checkpoint; repeated, those of several parts",
  },
  manifest: {
    ...checkpoints.manifest,
    help: "show all parts of a split export, by its manifest or folder",
  },
  watch: {
    flags: "--watch",
    help: "show it again and again, until no run is going on",
    variable: false,
  },
} as const satisfies OptionSpecs;

export const statusVerb = verb({
  options,
  examples: ["auth-migrate status --watch", "auth-migrate status --manifest parts --json"],
  async run(_files, values, terminal) {
    const { checkpoints: paths, manifest } = givenCheckpoints(values);
    const read = (): Statuses => {
      const { sum, each } = readStatuses(paths, manifest?.rows);
      const seen = each.map(({ checkpoint, status }) => ({
        checkpoint,
        status: status && withSeenVault(status),
      }));
      return { sum: withSeenVault(sum), each: seen };
    };
    if (!values.watch) {
      print(read(), terminal);
      return 0;
    }
    const interruption = watchSignals(terminal, "Stopped watching; the run goes on.");
    const display = createDisplay(terminal, (statuses) => print(statuses, terminal));
    await watchStatus(read, display, terminal.io.timing, interruption.signal);
    return interruption.exitCode() ?? 0;
  },
});

function print(statuses: Statuses, terminal: Terminal): void {
  const { sum, each } = statuses;
  if (!terminal.outputMode.json) {
    for (const line of statusesText(statuses, terminal.layout)) terminal.result(line);
    return;
  }
  const there = each.flatMap(({ status }) => status ?? []);
  const emit = (status: CheckpointStatus, parts: number): void =>
    terminal.event({ type: "status", parts, ...printed(status), exitCode: 0 });
  if (each.length > 1) for (const status of there) emit(status, 1);
  emit(sum, each.length);
}

/** The status with its times as ISO 8601 texts, as it is printed. */
function printed({ begunAt, writtenAt, cutoverAt, ...status }: CheckpointStatus) {
  return {
    ...status,
    begunAt: begunAt?.toISOString() ?? null,
    writtenAt: writtenAt.toISOString(),
    cutoverAt: cutoverAt?.toISOString() ?? null,
  };
}
