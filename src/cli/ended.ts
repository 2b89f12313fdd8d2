/** A run that has come to an end, and what is said of it. Types only. */

import type { ImportSummary, ValidateSummary } from "../events/summary.js";
import type { Remark } from "../report/headline.js";
import type { Issues } from "../report/issues-text.js";
import type { BulkMode } from "../run/bulk/mode.js";
import type { ExitCode } from "./exit-codes.js";
import type { ReadingValues } from "./options/reading.js";
import type { NextCommands, TypedRun } from "./resume-command.js";

/** What a run told of rows and files. */
export interface ToldIssues extends Issues {
  /** Rejected users whose hash the bridge keeps. */
  readonly forBridge: number;
}

/** A run that has come to an end of any kind. */
export interface Ended {
  readonly summary: ImportSummary | ValidateSummary;
  readonly values: ReadingValues & TypedRun["values"] & { readonly bulk?: BulkMode };
  readonly issues: ToldIssues;
  readonly next: NextCommands;
  /** The imports that bring a rehearsal's users to a core of one's own. */
  readonly real: RealImports;
  readonly exitCode: ExitCode;
  /** What is next for users of the bridge, whatever the end. */
  readonly bridge: readonly Remark[];
}

/** The imports, that follow a rehearsal, and how many users of a social account it has brought. */
export interface RealImports {
  readonly commands: readonly string[];
  readonly social: number;
}
