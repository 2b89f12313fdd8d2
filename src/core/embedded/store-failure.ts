/** Turns SQLite's failures into the core's, so that callers need not know about SQLite. */

import { optionName } from "../../errors/option-name.js";
import { RunError } from "../../errors/run-error.js";
import { SqliteFailure } from "../../sqlite/sqlite-failure.js";
import { CoreFailure } from "../core-failure.js";

/** Turns a failed call of the store into a `CoreFailure`; other errors pass through. */
export function asCoreFailure(error: unknown): unknown {
  if (!(error instanceof SqliteFailure)) return error;
  // An I/O error while committing leaves open what is on the disk.
  const maybe = { reached: "unknown", cause: error } as const;
  switch (error.kind) {
    case "disk":
      return new CoreFailure("disk", `the core's data file failed: ${error.message}`, maybe);
    case "damaged":
      return new CoreFailure("damaged", `the core's data file is damaged: ${error.message}`, maybe);
    case "busy":
      return new CoreFailure("busy", "another process holds the core's data file", {
        reached: "no",
        cause: error,
      });
    default:
      return new CoreFailure("broken", "the core's store failed", maybe);
  }
}

/** A data file that could not be opened, as a `RunError` that says what to do about it. */
export function asOpenError(error: unknown, file: string): unknown {
  if (!(error instanceof SqliteFailure)) return error;
  switch (error.kind) {
    case "missing":
      return new RunError("data_unusable", `the core's data file ${file} does not exist`, {
        hint: "Name the data file that an import wrote to; an import makes one where there is none.",
        cause: error,
      });
    case "foreign":
      return new RunError("data_unusable", `${file} is not a data file of this core`, {
        hint: "Name another data file. One that another version wrote needs that version.",
        cause: error,
      });
    case "damaged":
      return new RunError("data_unusable", `${file} is damaged: ${error.message}`, {
        hint: `Bring it back from a backup, or start anew with another data file (${optionName("--data")}) and a checkpoint of its own (${optionName("--checkpoint", "FILE")}).`,
        cause: error,
      });
    case "busy":
      return new RunError("outage", `another process holds the data file ${file}`, {
        hint: "Wait until the other process has ended, then run the same command again.",
        cause: error,
      });
    case "disk":
      return new RunError("disk", `cannot use the data file ${file}: ${error.message}`, {
        hint: "Check that the folder exists, is writable and has free space.",
        cause: error,
      });
    default:
      return error;
  }
}
