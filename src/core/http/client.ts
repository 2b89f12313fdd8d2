/** A `Core` over the wire: interface.md's calls to a remote core, in its dialect. It never retries; the caller decides about that. */

import {
  PART_ENDPOINTS,
  type PartName,
  type PartOutcome,
  type PartRequest,
} from "../account-parts.js";
import type { Core } from "../core.js";
import { CoreFailure } from "../core-failure.js";
import type { Dialect, DialectName } from "../dialect.js";
import { incompatible } from "./answer-failure.js";
import { ask } from "./answers.js";
import { capabilityRequests } from "./capability-requests.js";
import { ENDPOINTS } from "./endpoints.js";
import { codeRequests, passwordRequests } from "./recipe-requests.js";
import { queueRequests } from "./queue-requests.js";
import { knownDialect } from "./recognize-dialect.js";
import { openTransport, type TransportOptions } from "./transport.js";
import { userRequests } from "./user-requests.js";

const DEFAULT_CONNECTIONS = 64;

/** What connecting needs. */
export interface ConnectOptions extends Omit<TransportOptions, "connections"> {
  /** The number of connections, which bounds the calls in flight. Give an import's `concurrency`; both are 64 by default. */
  readonly connections?: number;
  /** The core's dialect. By default it is recognized when a call first needs it. */
  readonly dialect?: DialectName | undefined;
}

/** A core behind a base URL. */
export interface RemoteCore extends Core {
  /**
   * The core's dialect: the given one, or what the core answers when it is first asked.
   * @throws CoreFailure
   */
  dialect(): Promise<Dialect>;
  /** The versions of the interface that it says it speaks; null where it doesn't say. */
  versions(): Promise<readonly string[] | null>;
}

/**
 * A core behind a base URL. Connects only when it is called.
 *
 * @throws RunError `config_invalid`: a URL, a key or a variable of a proxy that can't be used, or
 *   `http:` to another machine without `allowInsecure`
 */
export function connectCore({ dialect: named, ...options }: ConnectOptions): RemoteCore {
  const { call, url, tenant, close } = openTransport({
    connections: DEFAULT_CONNECTIONS,
    ...options,
  });
  const dialect = knownDialect(call, named);
  return {
    get target() {
      const { name } = dialect;
      return { kind: "remote", url, ...(name === null ? {} : { dialect: name }) } as const;
    },
    dialect: () => dialect.get(),
    versions: () =>
      ask(call, ENDPOINTS.versions, {}).then(
        ({ versions }) =>
          versions.filter(
            (one): one is string => typeof one === "string" && /^[\w.-]{1,20}$/.test(one),
          ),
        noAnswer,
      ),
    ...codeRequests(call, dialect),
    ...passwordRequests(call, dialect),
    ...userRequests(call),
    ...queueRequests(call, dialect, tenant),
    importAccount: () => notOffered("takes no whole accounts"),
    replacePassword: () => notOffered("replaces no hash that it is told"),
    part: <Name extends PartName>(name: Name, request: PartRequest<Name>) =>
      ask(call, PART_ENDPOINTS[name], request as never) as Promise<PartOutcome<Name>>,
    ...capabilityRequests(call, dialect),
    async probe() {
      // The request has no contact, so a core that takes the key refuses it and changes nothing.
      const { method, path } = ENDPOINTS.createCode;
      const answer = await call({ method, path, body: {} }).catch(expectedRefusal);
      if (answer !== null) throw incompatible(`HTTP ${answer.status}`, answer.status, "yes");
      await dialect.get();
    },
    close,
  };
}

/** No request is sent. */
async function notOffered(why: string): Promise<never> {
  throw new CoreFailure("not_offered", `the core ${why}`, { reached: "no" });
}

function noAnswer(error: unknown): null {
  if (error instanceof CoreFailure) return null;
  throw error;
}

/** A probe expects the answer 400. Another refusal means that this is no core. */
function expectedRefusal(error: unknown): null {
  if (!(error instanceof CoreFailure)) throw error;
  const { kind, status = 0, message } = error;
  if (kind === "refused" && status === 400) return null;
  if (kind === "refused" || kind === "not_offered") throw incompatible(message, status, "yes");
  throw error;
}
