/** Reads the inputs of an import and lets their users go, never far ahead of the calls. What a row means, intake says. */

import { admit, type Passage } from "./admit.js";
import type { Preparation } from "./before-bulk.js";
import type { Inspector } from "../inspect/inspection.js";
import { columnOf } from "../inspect/inspect-inputs.js";
import { columnsTeller } from "../inspect/columns-told.js";
import type { MissingUsers } from "./missing-users.js";
import type { MigrationEvent, RowRef } from "../events/events.js";
import { type Input, readInput } from "../source/inputs.js";
import { type IntakeContext, takeIn } from "./intake.js";
import type { Limit } from "./limit.js";
import type { ImportOptions } from "./options.js";
import { allButRows, onlyRows } from "./only-rows.js";
import type { RejectsOut } from "./rejects-out.js";

/** What the parts of one run share. */
export interface Run extends Passage {
  readonly limit: Limit;
  readonly preparation: Preparation;
  /** Inspects on the way, where the inputs can be read but once. */
  readonly inspector: Inspector | null;
  readonly missingUsers: MissingUsers;
  readonly rejects: RejectsOut;
  readonly emit: (event: MigrationEvent) => void;
}

/** Rows that are read, and no others; or all but those. */
export type Choice = { readonly only: readonly RowRef[] } | { readonly allBut: readonly RowRef[] };

/** Reads the inputs and lets their users go, never far ahead of the calls. Says what was cut off. */
export async function readAll(options: ImportOptions, run: Run, choice: Choice): Promise<string[]> {
  const truncated: string[] = [];
  for (const input of options.inputs) {
    if (run.signal.aborted) break;
    const context = contextOf(options, input, run);
    const { signal, progress, rejects } = run;
    const onColumns =
      run.inspector === null ? undefined : columnsTeller(input, options, run.emit, signal);
    const reading = { signal, progress, keepsRaw: rejects.isWanted, onColumns };
    for await (const items of run.limit.cut(readInput(choose(input, choice), reading))) {
      await run.pace.room();
      if (run.signal.aborted) return truncated;
      const intake = takeIn(items, input.path, context);
      if (intake.truncated) truncated.push(input.path);
      const users = intake.todo.length + intake.toMap.length;
      run.limit.take(users);
      // Refusals are many only to who has to take them one by one.
      const untold = options.room === undefined ? 0 : intake.refusals.length;
      run.pace.track(Math.max(1, users + untold), admit(run, intake).catch(run.stop.fail));
      run.progress.tick();
    }
    const isWhole = !run.signal.aborted && !run.limit.hasCut && !truncated.includes(input.path);
    if (!isWhole) continue;
    context.inspector?.end();
    run.recorder.readToEnd(input.path).catch(run.stop.fail);
  }
  return truncated;
}

function choose(input: Input, choice: Choice): Input {
  return "only" in choice ? onlyRows(input, choice.only) : allButRows(input, choice.allBut);
}

function contextOf(options: ImportOptions, input: Input, run: Run): IntakeContext {
  const { policy, columns, contests } = run.preparation;
  const column = columnOf(columns, input);
  return {
    digester: run.checkpoint.digester,
    ledger: run.checkpoint.ledger,
    tally: run.tally,
    policy,
    contests,
    column,
    inspector: run.inspector?.begin(column, input) ?? null,
    hashConfig: options.hashConfig,
    signerKeys: options.signerKeys,
    source: input.source.name,
    vendor: input.vendor,
    namespace: options.namespace,
    cutOver: run.applier.cutOver,
    missingUsers: run.missingUsers,
    rejects: run.rejects,
  };
}
