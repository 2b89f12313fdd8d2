/** The inspection of records as a run takes it: read, planned and staged. */

import { tmpdir } from "node:os";
import type { UserRecord } from "../../../src/account/user-record.js";
import { SYSTEM_TIMING } from "../../../src/events/timing.js";
import { createSignerKeys } from "../../../src/hash/signer-keys.js";
import { readInputs } from "../../../src/stage/read-inputs.js";
import type { Inspection } from "../../../src/stage/inspection.js";
import { createDryDigester } from "../../../src/plan/digests.js";
import { DEFAULT_POLICY } from "../../../src/plan/policy.js";
import { isRefusal, planUser } from "../../../src/plan/plan.js";
import { judgeHash } from "../../../src/stage/plan-row.js";
import { Stage } from "../../../src/stage/stage.js";
import { inputOf } from "../../run/support/batches.js";
import { SIGNER_KEY } from "../../support/known-hashes.js";

const HASH_CONFIG = { signerKey: SIGNER_KEY, saltSeparator: "Bw==", rounds: 8, memCost: 14 };
const ignored = (): void => {};

/** The files' names, from 0. */
export const fileName = (file: number): string => `users${file === 0 ? "" : file}.csv`;

/** Whether a record's user is brought, taken alone. */
export function isBrought(record: UserRecord): boolean {
  const by = { hashConfig: HASH_CONFIG, signerKeys: createSignerKeys(SIGNER_KEY) };
  const verdict = judgeHash(record.hash, { ...by, policy: DEFAULT_POLICY, vendor: "csv" });
  return !isRefusal(planUser(record, verdict, DEFAULT_POLICY));
}

/** @param files the records of each, null for a row that is no user's */
export async function inspected(
  files: readonly (readonly (UserRecord | null)[])[],
): Promise<Inspection> {
  const stage = new Stage(tmpdir(), "counted");
  try {
    return await readInputs(
      {
        inputs: files.map((records, file) => inputOf(fileName(file), records, [3, 1, 500])),
        policy: DEFAULT_POLICY,
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
  } finally {
    stage.close();
  }
}
