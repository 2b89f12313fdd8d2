/** Every line that `--json` prints, and its type: the one place that says what events, summaries and reports hold. schemas/ is made from it, and `Terminal.event` takes nothing else. */

import type { z } from "zod";
import * as reports from "./report-lines.js";
import { RUN_LINES } from "./run-lines.js";
import * as single from "./single-lines.js";
import * as summaries from "./summaries.js";

/** The lines by the names of their schema files. A new one needs `npm run docs:schemas` and a place in docs/json.md. */
export const LINES = {
  ...RUN_LINES,
  prediction: single.prediction,
  proof: single.proof,
  difference: single.difference,
  removal: single.removal,
  "import-summary": summaries.importSummary,
  "validate-summary": summaries.validateSummary,
  "prove-summary": summaries.proveSummary,
  "reconcile-summary": summaries.reconcileSummary,
  "undo-summary": summaries.undoSummary,
  "report-summary": reports.reportSummary,
  "split-summary": single.splitSummary,
  "purge-summary": single.purgeSummary,
  setup: single.setup,
  status: single.status,
  doctor: single.doctor,
  report: reports.report,
  id: reports.id,
  cutover: single.cutover,
  checked: single.checked,
  query: single.query,
  vault: single.vault,
  "vault-key": single.vaultKey,
  listening: single.listening,
  "hash-accepted": single.acceptedHash,
  "hash-refused": single.refusedHash,
  "hash-none": single.noHash,
  error: single.error,
} as const;

/** One of some lines as it is printed, without `v`, which all of them have. */
type AnyOf<Names extends keyof typeof LINES> = { [Name in Names]: LineOf<Name> }[Names];

export type MachineEvent = AnyOf<keyof typeof LINES>;

export type RunEvent = AnyOf<keyof typeof RUN_LINES>;

/** The line of a schema's name, without `v`. */
export type LineOf<Name extends keyof typeof LINES> = Readonly<
  Omit<z.infer<(typeof LINES)[Name]>, "v">
>;

/** A field of such a line. */
export type Field<
  Name extends keyof typeof LINES,
  Key extends keyof LineOf<Name>,
> = LineOf<Name>[Key];
