/** Asks a remote core once for its dialect, by `GET /apiversion`. The request changes nothing at the core. */

import { CoreFailure } from "../core-failure.js";
import { type Dialect, type DialectName, DIALECTS } from "../dialect.js";
import { ask } from "./answers.js";
import { ENDPOINTS } from "./endpoints.js";
import type { Transport } from "./transport.js";

/** A core's dialect, asked for when it is first needed. */
export type KnownDialect = ReturnType<typeof knownDialect>;

/** @param named the dialect that the operator named; the core isn't asked then */
export function knownDialect(call: Transport["call"], named: DialectName | undefined) {
  let name = named ?? null;
  let known = named === undefined ? null : Promise.resolve<Dialect>(DIALECTS[named]);

  async function ask(): Promise<Dialect> {
    try {
      const dialect = await recognize(call);
      name = dialect.name;
      return dialect;
    } catch (error) {
      known = null;
      throw error;
    }
  }

  return {
    /**
     * Concurrent callers share one request. A failure isn't remembered.
     * @throws CoreFailure
     */
    get: () => (known ??= ask()),
    /** Null until it was named or recognized. */
    get name() {
      return name;
    },
  };
}

/**
 * A core that lists no versions speaks interface.md, whose section 9 has none. SuperTokens
 * lists its versions. A core that understands both dialects names them there as well.
 */
async function recognize(call: Transport["call"]): Promise<Dialect> {
  const versions = await ask(call, ENDPOINTS.versions, {}).catch(noVersions);
  const isOurs = versions?.dialects?.includes(DIALECTS.interface.name);
  return versions === null || isOurs ? DIALECTS.interface : DIALECTS.supertokens;
}

/** Failures that mean that the core lacks this endpoint. Any other may pass with time, and is thrown. */
function noVersions(error: unknown): null {
  if (!(error instanceof CoreFailure)) throw error;
  const { kind } = error;
  if (kind === "not_offered" || kind === "refused" || kind === "incompatible") return null;
  throw error;
}
