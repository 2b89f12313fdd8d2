/** The embedded core on a thread of its own: the same calls and answers, while the calling thread does other work. */

import type { EmbeddedCore, EmbeddedCoreOptions } from "../embedded-core.js";
import type { PostgresCoreOptions } from "../postgres/postgres-core.js";
import { targetOf } from "../postgres/settings.js";
import { CoreThread } from "./core-thread.js";
import { accountEndsOf } from "./messages.js";

/** What a threaded core needs: the options of a core on a data file or a database, except a clock, which can't be handed over. */
type ThreadedCoreOptions = Omit<EmbeddedCoreOptions, "now"> | Omit<PostgresCoreOptions, "now">;

const WORKER = new URL("./core-worker.js", import.meta.url);

/**
 * Opens the core on a thread of its own. It answers as {@link openEmbeddedCore}'s or
 * {@link openPostgresCore}'s, and once its thread has died, `broken`. It keeps the process alive only
 * while calls are in flight.
 *
 * @throws RunError as these
 */
export async function openThreadedCore(options: ThreadedCoreOptions): Promise<EmbeddedCore> {
  const thread = new CoreThread(WORKER, options);
  const coreId = await thread.opened;
  let closed: Promise<void> | null = null;
  return {
    target:
      "file" in options ? { kind: "embedded", file: options.file } : targetOf(options.database),
    coreId,
    createCode: (request) => thread.ask("createCode", request),
    consumeCode: (request) => thread.ask("consumeCode", request),
    updateUser: (request) => thread.ask("updateUser", request),
    importUser: (request) => thread.ask("importUser", request),
    importAccount: (request) => thread.ask("importAccount", request),
    importAccounts: (requests) => thread.ask("importAccounts", requests).then(accountEndsOf),
    queueAccounts: (accounts) => thread.ask("queueAccounts", accounts),
    listQueued: (page) => thread.ask("listQueued", page),
    importQueued: () => thread.ask("importQueued", undefined),
    replacePassword: (request) => thread.ask("replacePassword", request),
    signIn: (request) => thread.ask("signIn", request),
    mapUserId: (request) => thread.ask("mapUserId", request),
    findMapping: (userId) => thread.ask("findMapping", userId),
    getUser: (userId) => thread.ask("getUser", userId),
    removeUser: (userId) => thread.ask("removeUser", userId),
    findUsers: (contact) => thread.ask("findUsers", contact),
    listUsers: (page) => thread.ask("listUsers", page),
    countUsers: (filter) => thread.ask("countUsers", filter),
    signInUp: (request) => thread.ask("signInUp", request),
    findByThirdParty: (identity) => thread.ask("findByThirdParty", identity),
    capabilities: () => thread.ask("capabilities", undefined),
    part: (name, request) => thread.ask("part", [name, request] as never) as Promise<never>,
    probe: () => thread.ask("probe", undefined),
    close: () => {
      closed ??= thread.ask("close", undefined).finally(() => thread.end());
      return closed;
    },
  };
}
