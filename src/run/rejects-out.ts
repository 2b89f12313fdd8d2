/** Writes the rows of rejects and failures as they stood in the input, with the reason beside each: once mended, the file can be imported. It holds hashes and contacts, so it is written only where the operator names it. */

import { optionName } from "../errors/option-name.js";
import { closeAfterFailure } from "../errors/run-error.js";
import type { RowEvent } from "../events/events.js";
import type { Stage } from "../stage/stage.js";
import { originText } from "../errors/place.js";
import { RawFiles, type RowsFileWords } from "./rows-file.js";

/**
 * Rejects that depend on other rows, so that they would look right in a file of their own. Their
 * rows are written as text, so that a person decides before they are sent.
 */
const NEED_A_DECISION: ReadonlySet<string> = new Set([
  "duplicate",
  "duplicate_contact",
  "column_truncated",
  "credential_ambiguous",
]);

const WORDS: RowsFileWords = {
  again: "it writes all rejects anew, into a file of its own",
  option: optionName("--rejects-out"),
};

type RowTexts = Pick<Stage, "rawAt" | "joinedTo">;

/**
 * Writes the row of a reject or a failure, as the stage has it, and those that are one user's with it.
 *
 * @throws RunError `disk`
 */
export type TakeReject = (event: RowEvent, stage: RowTexts) => void;

/** What a summary says about the files that were written. */
interface WithRejectsFiles {
  readonly rejectsFiles: readonly string[];
  /** Codes of the rows that stand there as text alone. */
  readonly rejectsAsText: readonly string[];
}

/**
 * Creates the file, lets `work` write to it, and makes it durable even if `work` throws. Rows
 * of several sources, or of tables with different columns, get a file each.
 *
 * @param path as `--rejects-out` gives it; undefined without the option
 * @returns what `work` returns, with the names of the files that hold rows
 * @throws RunError as {@link RawFiles}, before any work; what `work` throws
 */
export async function withRejectsOut<T extends object>(
  path: string | undefined,
  work: (take: TakeReject) => Promise<T>,
): Promise<T & WithRejectsFiles> {
  if (path === undefined) {
    return { ...(await work(() => {})), rejectsFiles: [], rejectsAsText: [] };
  }
  // The file is created at once, so that a folder without write access shows before any user is sent.
  const files = new RawFiles(path, WORDS);
  const asText = new Set<string>();
  let result: T;
  try {
    result = await work((event, stage) => {
      if ((write(files, event, stage) ?? "whole") !== "whole") asText.add(event.code);
    });
  } catch (error) {
    closeAfterFailure(files);
    throw error;
  }
  files.close();
  files.dropCopies();
  return { ...result, rejectsFiles: files.written, rejectsAsText: [...asText] };
}

/** @returns how the row stands there; undefined where it isn't written */
function write(files: RawFiles, { type, row, code, hint }: RowEvent, stage: RowTexts) {
  const raw = type === "skip" ? undefined : stage.rawAt(row);
  if (raw === undefined) return undefined;
  const isOpen = !NEED_A_DECISION.has(code) || raw.state !== "whole";
  const state = isOpen ? raw.state : "broken";
  files.write({ ...raw, state }, { code, hint, row: originText(row) });
  for (const other of stage.joinedTo(row)) {
    const beside = stage.rawAt(other);
    if (beside) files.write(beside, { code: "", hint: "", row: originText(other) });
  }
  return state;
}
