/** Which versions of the interface a remote core says it speaks. */

import { CoreFailure } from "../core-failure.js";
import { ask } from "./answers.js";
import { ENDPOINTS } from "./endpoints.js";
import { openTransport, type TransportOptions } from "./transport.js";

/**
 * Asks by `GET /apiversion`.
 *
 * @returns null where it doesn't say
 * @throws RunError `config_invalid`
 */
export async function versionsOf(options: TransportOptions): Promise<readonly string[] | null> {
  const { call, close } = openTransport(options);
  try {
    return (await ask(call, ENDPOINTS.versions, {})).versions.filter(isVersion);
  } catch (error) {
    if (error instanceof CoreFailure) return null;
    throw error;
  } finally {
    await close();
  }
}

function isVersion(value: unknown): value is string {
  return typeof value === "string" && /^[\w.-]{1,20}$/.test(value);
}
