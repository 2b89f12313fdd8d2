/** Inputs of user records in batches of a test's choosing: what no real file lets one choose. */

import type { Input } from "../../../src/source/inputs.js";
import type { UserRecord } from "../../../src/account/user-record.js";
import type { Source, SourceItem } from "../../../src/source/source.js";

const NOBODY = { kind: "skip", code: "other_model", hint: "" } as const;

/** An input that hands out `records`, null for a row that is no user's, in batches of the given sizes, in turn. */
export function inputOf(
  path: string,
  records: readonly (UserRecord | null)[],
  sizes: readonly number[],
): Input {
  async function* read(): AsyncGenerator<readonly SourceItem[]> {
    let start = 0;
    for (let turn = 0; start < records.length; turn += 1) {
      const end = start + Math.max(1, sizes[turn % sizes.length] ?? 1);
      const first = start + 1;
      yield records.slice(start, end).map((record, index) => {
        const number = first + index;
        return record === null ? { ...NOBODY, number } : { kind: "record", number, record };
      });
      start = end;
    }
  }
  const close = async (): Promise<void> => {};
  const requireUnchanged = close;
  const source: Source = {
    name: "csv",
    generic: true,
    fields: [],
    noUsersHint: "",
    recognize: () => null,
    read,
  };
  const reason = "made by a test";
  return {
    path,
    source,
    vendor: "csv",
    reason,
    bytes: 0,
    readOnce: false,
    read,
    requireUnchanged,
    close,
  };
}
