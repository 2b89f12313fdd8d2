/** Finds out a remote core's dialect from its `GET /apiversion`, once. The question changes nothing at the core. */

import { CoreFailure } from "../core-failure.js";
import { type Dialect, type DialectName, DIALECTS } from "../dialect.js";
import { versionsAnswer } from "./answers.js";
import { PATHS } from "./paths.js";
import type { Transport } from "./transport.js";

/** A core's dialect, asked for when it is first needed. */
export interface KnownDialect {
  /**
   * Calls that come together share one question. What failed isn't remembered.
   * @throws CoreFailure
   */
  get(): Promise<Dialect>;
  /** Null until it was named or recognized. */
  readonly name: DialectName | null;
}

/** @param named the dialect that the operator named; the core isn't asked then */
export function knownDialect(
  call: Transport["call"],
  named: DialectName | undefined,
): KnownDialect {
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
    get: () => (known ??= ask()),
    get name() {
      return name;
    },
  };
}

/**
 * interface.md 9 shows no versions, so a core that shows none speaks interface.md. The public
 * counterpart lists its versions, and a core that understands both says so beside them.
 */
async function recognize(call: Transport["call"]): Promise<Dialect> {
  const answer = await call({ method: "GET", path: PATHS.apiVersion }).catch(noVersions);
  const said = versionsAnswer.safeParse(answer?.body);
  if (!said.success || said.data.dialects?.includes(DIALECTS.interface.name)) {
    return DIALECTS.interface;
  }
  return DIALECTS.supertokens;
}

/** The statuses of a core without this endpoint; any other failure may pass with time. */
function noVersions(error: unknown): null {
  if (!(error instanceof CoreFailure)) throw error;
  const { kind } = error;
  if (kind === "not_offered" || kind === "refused" || kind === "incompatible") return null;
  throw error;
}
