/** `auth-migrate reconcile`: asks the core whether it has the users whom the checkpoint takes for finished. It changes nothing. */

import { z } from "zod";
import { requireBound } from "../../checkpoint/status.js";
import type { Input } from "../../source/inputs.js";
import {
  DEFAULT_CONCURRENCY,
  DEFAULT_SAMPLE,
  type ReconcileOptions,
  type Reconciliation,
  reconcileUsers,
} from "../../reconcile/reconcile-users.js";
import { reconcileText } from "../../report/reconcile-text.js";
import { createRefusalGroups } from "../../report/refusal-groups.js";
import { coreText } from "../../report/summary-text.js";
import { openTarget, type Target, withCore } from "../core-target.js";
import type { ExitCode } from "../exit-codes.js";
import { withInputs } from "../given-inputs.js";
import { type Interruption, watchSignals } from "../interruption.js";
import { createProgressDisplay } from "../progress-display.js";
import { loadKeys } from "../secrets.js";
import {
  CheckpointsValues,
  exitCodeOfShards,
  type GivenCheckpoints,
  givenCheckpoints,
} from "../shard-values.js";
import type { Io } from "../io.js";
import { createTerminal, printable, type Terminal } from "../terminal.js";
import {
  inputOptions,
  paceOf,
  PaceValues,
  PlanningValues,
  TargetValues,
  voiceOf,
} from "../values.js";
import { namesOf } from "../../checkpoint/several.js";

const { map, from, encoding, defaultCountry, namespace } = PlanningValues.shape;
const ReconcileValues = TargetValues.extend(PaceValues.shape).extend({
  ...{ map, from, encoding, defaultCountry, namespace },
  json: PlanningValues.shape.json,
  quiet: PlanningValues.shape.quiet,
  input: PlanningValues.shape.input,
  sample: z.union([z.number(), z.literal("all")]).default(DEFAULT_SAMPLE),
  concurrency: z.number().default(DEFAULT_CONCURRENCY),
  // Nobody is sent, so that it doesn't matter.
  onExisting: TargetValues.shape.onExisting.default("skip"),
  ...CheckpointsValues.shape,
});

type ReconcileOptionValues = z.infer<typeof ReconcileValues>;

/** @param given the options' values as commander parsed them */
export async function runReconcile(
  files: string[],
  given: Record<string, unknown>,
  io: Io,
): Promise<ExitCode> {
  const values = ReconcileValues.parse(given);
  const terminal = createTerminal(voiceOf(values), io);
  // Before a core is opened: where nobody was sent, no data file must be made.
  const read = givenCheckpoints(values);
  const bound = firstBound(read.checkpoints);
  const keys = await loadKeys(values, terminal);
  return withInputs(files, inputOptions(values), io.stdin, async (inputs) => {
    const target = await openTarget({ ...values, checkpoint: bound }, keys, terminal);
    const interruption = watchSignals(terminal, "Stopping. Once more leaves at once.");
    try {
      return await withCore(target.core, () =>
        reconcileWith(target, { inputs, values, ...read, terminal, interruption }),
      );
    } finally {
      interruption.dispose();
    }
  });
}

/** What reconciling with an open core needs. */
interface Reconciling extends GivenCheckpoints {
  readonly inputs: readonly Input[];
  readonly values: ReconcileOptionValues;
  readonly terminal: Terminal;
  readonly interruption: Interruption;
}

async function reconcileWith(
  target: Target,
  { inputs, values, checkpoints, manifest, terminal, interruption }: Reconciling,
): Promise<ExitCode> {
  const { sample, concurrency, namespace, targetMoved } = values;
  terminal.note(`Asking ${coreText(target.core.target)} for users of ${namesOf(checkpoints)}`);
  const groups = createRefusalGroups();
  const display = createProgressDisplay(terminal);
  const onEvent: ReconcileOptions["onEvent"] = (event) => {
    if (terminal.voice.json) terminal.event(event);
    else if (event.type === "progress") display.show(event);
    else if (event.type === "pause") display.pause(event);
    else groups.add({ ...event, hint: printable(event.hint) });
  };
  try {
    const { signal } = interruption;
    const told = {
      checkpoint: checkpoints,
      manifest: manifest ?? undefined,
      sample,
      concurrency,
      namespace,
      targetMoved,
      signal,
      onEvent,
    };
    const { rate, outageBudgetMs } = paceOf(values);
    const pace = { rate, outageBudgetMs };
    const result = await reconcileUsers({ ...target, ...told, ...pace, inputs });
    display.end();
    const exitCode = (result.interrupted ? interruption.exitCode() : null) ?? exitCodeOf(result);
    if (terminal.voice.json) terminal.event({ type: "summary", ...result, exitCode });
    else {
      const lines = reconcileText(result, groups.list(), terminal.page);
      for (const line of lines) terminal.prose(printable(line));
    }
    return exitCode;
  } finally {
    display.end();
  }
}

/** A difference is one, however often it is asked for; only who wasn't answered may be next time. */
function exitCodeOf({ agrees, unanswered, shards }: Reconciliation): ExitCode {
  const ofShards = exitCodeOfShards(shards);
  if (!agrees || ofShards === 65) return 65;
  return unanswered > 0 ? 75 : ofShards;
}

/**
 * The first checkpoint from which somebody was sent: a shard may have had nobody to send.
 *
 * @throws RunError as {@link requireBound} where there is none
 */
function firstBound(checkpoints: readonly [string, ...string[]]): string {
  let problem: unknown;
  for (const checkpoint of checkpoints) {
    try {
      requireBound(checkpoint);
      return checkpoint;
    } catch (error) {
      problem ??= error;
    }
  }
  throw problem;
}
