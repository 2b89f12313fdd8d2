/** The inspection of records as a run takes it: read, planned and staged. */

import { tmpdir } from "node:os";
import type { UserRecord } from "../../../src/account/user-record.js";
import type { RowRef } from "../../../src/events/events.js";
import { SYSTEM_TIMING } from "../../../src/events/timing.js";
import { createSignerKeys } from "../../../src/hash/signer-keys.js";
import { readInputs } from "../../../src/stage/read-inputs.js";
import type { Inspection } from "../../../src/stage/inspection.js";
import { createDryDigester } from "../../../src/plan/digests.js";
import { DEFAULT_POLICY } from "../../../src/plan/policy.js";
import { isRefusal } from "../../../src/plan/plan.js";
import { Stage } from "../../../src/stage/stage.js";
import { inputOf } from "../../run/support/batches.js";
import { SIGNER_KEY } from "../../support/known-hashes.js";

const HASH_CONFIG = { signerKey: SIGNER_KEY, saltSeparator: "Bw==", rounds: 8, memCost: 14 };
const ignored = (): void => {};

/** The files' names, from 0. */
export const fileName = (file: number): string => `users${file === 0 ? "" : file}.csv`;

/** Taken all the same, so that a finding says of its users that a proof is needed. */
const POLICY = { ...DEFAULT_POLICY, allowHash: ["2x"] } as const;

export interface Inspected extends Inspection {
  /** The rows that bring a user, as the stage says it of each. */
  readonly brought: readonly RowRef[];
  /** Rows that a join has made one user with the first. */
  readonly joined: readonly { readonly first: RowRef; readonly row: RowRef }[];
}

/** @param files the records of each, null for a row that is no user's */
export async function inspected(
  files: readonly (readonly (UserRecord | null)[])[],
): Promise<Inspected> {
  const stage = new Stage(tmpdir(), "counted");
  const inputs = files.map((records, file) => inputOf(fileName(file), records, [3, 1, 500]));
  try {
    const inspection = await readInputs(
      {
        inputs,
        policy: POLICY,
        hashConfig: HASH_CONFIG,
        signerKeys: createSignerKeys(SIGNER_KEY),
        namespace: "",
      },
      {
        stage,
        signal: new AbortController().signal,
        timing: SYSTEM_TIMING,
        start: 0,
        emit: ignored,
        digester: createDryDigester(),
      },
    );
    const rows = inputs.flatMap((input) => [...stage.read(input)].flat());
    const brought = rows.flatMap(({ user, among }) => {
      const isOut = (among?.loss ?? among?.duplicate ?? null) !== null;
      return user === null || isRefusal(user.plan) || isOut ? [] : [user.keys.row];
    });
    const joined = rows.flatMap(({ user, among }) => {
      const duplicate = among?.duplicate;
      const isJoined = user !== null && duplicate?.kind === "same_user";
      return isJoined ? [{ first: duplicate.first, row: user.keys.row }] : [];
    });
    return { ...inspection, brought, joined };
  } finally {
    stage.close();
  }
}
