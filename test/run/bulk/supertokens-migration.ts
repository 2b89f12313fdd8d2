/** A migration to the stand-in of SuperTokens, whose queue goes a round whenever the run waits. */

import { onTestFinished } from "vitest";
import type { Core } from "../../../src/core/core.js";
import { connectCore } from "../../../src/core/http/client.js";
import type { QueueFaults } from "../../support/supertokens-queue.js";
import { type SuperTokensStub, startSuperTokensStub } from "../../support/supertokens-stub.js";
import { SIGNER_KEY } from "../../support/known-hashes.js";
import { type Account, importAccounts } from "../support/accounts.js";
import { type Migration, newMigration, type Run, type RunOptions } from "../support/run.js";
import { virtualTiming } from "../support/virtual-timing.js";

export interface SuperTokensMigration {
  readonly migration: Migration;
  readonly stub: SuperTokensStub;
  readonly core: Core;
  readonly binding: { readonly kind: "remote"; readonly url: string };
  /** Imports by the queue; `wait` is called before each round, with its number. */
  run(
    accounts: readonly Account[],
    options?: RunOptions,
    wait?: (round: number) => unknown,
  ): Promise<Run>;
  close(): Promise<void>;
}

export async function superTokensMigration(
  newPath: (name: string) => string,
  queue: QueueFaults = {},
): Promise<SuperTokensMigration> {
  const apiKey = "queue-key-0001";
  const stub = await startSuperTokensStub({ apiKey, signerKey: SIGNER_KEY, queue });
  const core = connectCore({ url: stub.url, apiKey });
  const migration = newMigration(newPath);
  let closed: Promise<unknown> | null = null;
  const closeAll = async (): Promise<void> => {
    await core.close();
    await stub.close();
    await migration.close();
  };
  const close = async (): Promise<void> => {
    closed ??= closeAll();
    await closed;
  };
  onTestFinished(close);
  const binding = { kind: "remote", url: stub.url } as const;
  return {
    migration,
    stub,
    core,
    binding,
    close,
    run(accounts, options = {}, wait = () => {}) {
      const virtual = virtualTiming();
      let rounds = 0;
      const timing = {
        ...virtual,
        async sleep(ms: number, signal?: AbortSignal) {
          await virtual.sleep(ms, signal);
          rounds += 1;
          await wait(rounds);
          stub.round();
        },
      };
      return importAccounts(migration, accounts, {
        ...{ core, binding, timing, bulk: "always" },
        ...options,
      });
    },
  };
}
