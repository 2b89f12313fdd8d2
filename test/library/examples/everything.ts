/** A migration from first to last, as a program: prove, import, cut over, reconcile. */
import {
  allProved,
  connectCore,
  type Core,
  importUsers,
  openInputs,
  parseHashConfig,
  proveTestUsers,
  readPasswordsFile,
  readStatus,
  recordCutover,
  reconcileEvents,
  type ReconcileEvent,
} from "auth-migrate";

const CHECKPOINT = "auth-migrate.checkpoint";

export async function prove(file: string, passwords: string, config: string): Promise<boolean> {
  const inputs = await openInputs([file]);
  const hashConfig = parseHashConfig(config);
  const users = await readPasswordsFile(passwords);
  const { proofs } = await proveTestUsers(users, { inputs, hashConfig });
  for (const proof of proofs) if (!proof.ok) console.error(proof.code, proof.hint);
  return allProved(proofs);
}

export async function migrate(core: Core, file: string): Promise<number> {
  const { failed } = await importUsers({
    inputs: await openInputs([file]),
    core,
    checkpoint: CHECKPOINT,
    policy: { onUnusableHash: "passwordless" },
    rate: 200,
    onEvent(event) {
      if (event.type === "pause") console.error(event.reason, event.waitMs);
    },
  });
  return failed;
}

export async function finish(core: Core): Promise<boolean> {
  recordCutover(CHECKPOINT);
  const differences: Extract<ReconcileEvent, { type: "difference" }>[] = [];
  for await (const event of reconcileEvents({ core, checkpoint: CHECKPOINT, sample: "all" })) {
    if (event.type === "difference") differences.push(event);
    if (event.type === "summary") return event.agrees && readStatus(CHECKPOINT).pending === 0;
  }
  return false;
}

export function remoteCore(apiKey: string): Core {
  return connectCore({ url: "https://core.example.com", apiKey });
}
