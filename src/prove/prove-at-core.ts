/** The second half of a proof: an import of exactly the users who were proved here, which signs in as each of them. It proves no user whom the first half didn't. */

import type { GivenImport } from "../run/defaults.js";
import type { ImportSummary, RowEvent } from "../events/events.js";
import { importUsers } from "../run/import-users.js";
import { importFailed } from "./hints.js";
import { onlyRows } from "../run/only-rows.js";
import type { Proof } from "./proof.js";
import { type ProvedUser, signInsOf } from "./sign-ins.js";

/** What came of it. */
export interface CoreProof {
  readonly proofs: readonly Proof[];
  /** The import of these users alone. */
  readonly summary: ImportSummary;
}

/**
 * Imports the users' rows and no others, by the import's own policy and checkpoint, so that a later
 * import finds them unchanged. Then each must be able to sign in with the password, and not with
 * another one.
 *
 * @param options as for the import of all rows; its `onEvent` and `beforeBulk` are told nothing
 * @throws RunError as {@link importUsers} does; the signal's reason where it was aborted
 */
export async function proveAtCore(
  users: readonly ProvedUser[],
  options: GivenImport,
): Promise<CoreProof> {
  const rows = users.map(({ found }) => found.row);
  let atCore: readonly Proof[] | null = null;
  const untaken: RowEvent[] = [];
  const summary = await importUsers({
    ...options,
    inputs: options.inputs
      .filter(({ path }) => rows.some(({ file }) => file === path))
      .map((input) => onlyRows(input, rows)),
    beforeBulk: async () => ({
      proved: true,
      assumePlain: false,
      signIns: signInsOf(users, (proofs) => {
        atCore = proofs;
        return { proved: false, findings: [] };
      }),
    }),
    onEvent: (event) => {
      if ("row" in event) untaken.push(event);
    },
  });
  options.signal?.throwIfAborted();
  return { proofs: atCore ?? users.map((user) => unasked(user, untaken)), summary };
}

/** At a core without a sign-in, the proof here stands where the import does. */
function unasked({ proof, found: { row } }: ProvedUser, untaken: readonly RowEvent[]): Proof {
  const event = untaken.find((one) => one.row.file === row.file && one.row.number === row.number);
  if (event === undefined) return proof;
  const hint = importFailed(event.code, event.hint);
  return { ...proof, ok: false, code: "import_failed", hint };
}
