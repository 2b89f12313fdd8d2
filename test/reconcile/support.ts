/** Runs of `reconcile` over a migration, and what they tell. */

import { expect } from "vitest";
import type { Core } from "../../src/core/core.js";
import type { ReconcileEvent } from "../../src/reconcile/compare-all.js";
import {
  type GivenReconcile,
  type Reconciliation,
  reconcileUsers,
} from "../../src/reconcile/reconcile-users.js";
import type { Migration } from "../run/support/run.js";
import { virtualTiming } from "../run/support/virtual-timing.js";

interface Reconciled {
  readonly result: Reconciliation;
  /** What was told of single rows: `number type code`. */
  readonly told: readonly string[];
  /** Calls of each kind, also of those that the summary doesn't count. */
  readonly calls: Readonly<Record<string, number>>;
}

/** Asks for everybody, at the migration's core or at one that stands before it. */
export async function reconcile(
  migration: Migration,
  { core = migration.core, ...changes }: Partial<GivenReconcile> = {},
): Promise<Reconciled> {
  const events: ReconcileEvent[] = [];
  const { core: counting, calls } = counted(core);
  const result = await reconcileUsers({
    core: counting,
    binding: { kind: "embedded", coreId: migration.core.coreId },
    checkpoint: migration.checkpoint,
    sample: "all",
    timing: virtualTiming(),
    onEvent: (event) => void events.push(event),
    ...changes,
  });
  // Nothing that is told holds a contact.
  expect(JSON.stringify([result, events])).not.toMatch(/@|\+1555/);
  const told = events.flatMap((event) =>
    event.type === "progress" || event.type === "pause"
      ? []
      : [`${event.row.number} ${event.type} ${event.code}`],
  );
  return { result, told, calls };
}

/** The same core, with how often each of its lookups was called. */
function counted(core: Core): { readonly core: Core; readonly calls: Record<string, number> } {
  const calls: Record<string, number> = {};
  const counting = new Proxy(core, {
    get(target, name: keyof Core) {
      const value: unknown = target[name];
      if (typeof value !== "function") return value;
      return (...given: unknown[]) => {
        calls[name] = (calls[name] ?? 0) + 1;
        return value(...given);
      };
    },
  });
  return { core: counting, calls };
}
