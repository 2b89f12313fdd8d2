/** Emits which columns were read and as what, whether one holds a password, and which have no row with the value that `--map` names. */

import type { ColumnsRead } from "../source/source.js";
import { finding } from "../events/findings.js";
import type { MigrationEvent } from "../events/events.js";
import type { Input } from "../source/inputs.js";

/** @returns what a reading of `input` tells at its end */
export function columnsEmitter(
  { path }: Input,
  { passwordCoverage }: { readonly passwordCoverage?: unknown },
  emit: (event: MigrationEvent) => void,
  signal: AbortSignal,
): (columns: ColumnsRead) => void {
  return ({ unmatched, ...columns }) => {
    // The columns would be those of half a file.
    if (signal.aborted) return;
    emit({ type: "columns", file: path, ...columns });
    if (unmatched.length > 0 && columns.rows > 0) {
      const sighting = { count: unmatched.length, rows: [] };
      const detail = `In ${path}: ${unmatched.join(", ")}.`;
      emit({ type: "finding", ...finding("map_value_unmatched", sighting, detail) });
    }
    const hasHash = columns.read.some(({ as, filled }) => as === "hash" && filled > 0);
    // The users of a password export have their hashes from there.
    if (hasHash || columns.rows === 0 || passwordCoverage !== undefined) return;
    const all = { count: columns.rows, rows: [] };
    emit({ type: "finding", ...finding("no_hash_column", all, `In ${path}.`) });
  };
}
