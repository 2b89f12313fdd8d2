/** What an import and a dry run say at their end. lines/ says what each field is. */

import type { LineOf } from "./lines/lines.js";

/** The end of an import. `read` is the sum of the seven outcomes and `pending`. */
export interface ImportSummary
  extends Omit<LineOf<"import-summary">, "type" | "next" | "exitCode"> {}

/** The end of a dry run. Where no core was asked, `read` is the sum of `ready`, `skipped` and `rejected`. */
export interface ValidateSummary
  extends Omit<LineOf<"validate-summary">, "type" | "next" | "exitCode"> {}

/** The end of an import or a dry run before the files of its rejects are written. */
export type ImportEnd = Omit<ImportSummary, "rejectsFiles" | "rejectsAsText">;
export type ValidateEnd = Omit<ValidateSummary, "rejectsFiles" | "rejectsAsText">;

/** What an import and a dry run count alike. */
export type Counts = Pick<
  ImportSummary,
  "read" | "skipped" | "rejected" | "algorithms" | "rejects" | "skips" | "notices"
>;

/** How an import would end, from what the core has answered. `read` is the sum of the outcomes, the stops and `unasked`. */
export type Prediction = NonNullable<ValidateSummary["prediction"]>;

/** A summary's `passwordExport`. */
export type PasswordCoverage = NonNullable<ImportSummary["passwordExport"]>;
