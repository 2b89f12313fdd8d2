/** The embedded core on a thread of its own: the same calls and answers, while the calling thread does other work. */

import { CoreFailure } from "../../core-failure.js";
import type { EmbeddedCore, EmbeddedCoreOptions } from "../embedded-core.js";
import type { PostgresCoreOptions } from "../postgres/postgres-core.js";
import { targetOf } from "../postgres/settings.js";
import { AskedThread } from "./asked-thread.js";
import type { NamedCall, Opened } from "./messages.js";

/** What a threaded core needs: the options of a core on a data file or a database, except a clock, which can't be handed over. */
type ThreadedCoreOptions = Omit<EmbeddedCoreOptions, "now"> | Omit<PostgresCoreOptions, "now">;

const WORKER = new URL("./core-worker.js", import.meta.url);

/**
 * V8's default is 48 MB. The thread's objects are garbage as soon as a group is answered, so less
 * saves memory and takes no longer. With 4 MB, half of them outlived each collection.
 */
const YOUNG_MIB = 24;

/**
 * Opens the core on a thread of its own. It answers as {@link openEmbeddedCore}'s or
 * {@link openPostgresCore}'s, and once its thread has died, `broken`. It keeps the process alive only
 * while calls are in flight.
 *
 * @throws RunError as these, `out_of_resources`
 */
export async function openThreadedCore(options: ThreadedCoreOptions): Promise<EmbeddedCore> {
  const thread = new AskedThread<NamedCall>(WORKER, {
    name: "core",
    workerData: options,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
    gone: (why, reached) =>
      new CoreFailure("broken", `the core's thread is gone (${why})`, { reached }),
  });
  const ask = <T = never>(method: string, ...given: readonly unknown[]) =>
    thread.ask([method, given]) as Promise<T>;
  const { coreId, names } = await ask<Opened>("open").catch(async (error: unknown) => {
    await thread.end();
    throw error;
  });
  const calls = names.map((method) => [
    method,
    (...given: readonly unknown[]) => ask(method, ...given),
  ]);
  let closed: Promise<void> | null = null;
  return {
    ...(Object.fromEntries(calls) as Omit<EmbeddedCore, "target" | "coreId">),
    target:
      "file" in options ? { kind: "embedded", file: options.file } : targetOf(options.database),
    coreId,
    // Neither a signal nor a function can be handed over.
    importQueued: () => ask("importQueued"),
    capabilities: () => ask("capabilities"),
    close: () => {
      closed ??= ask<void>("close").finally(() => thread.end());
      return closed;
    },
  };
}
