/** Puts a user's own password in the place of its stand-in, and never in the place of one that was set since. */

import { unlessNotOffered } from "../core/core-failure.js";
import type { Core, ReplaceOutcome } from "../core/core.js";
import type { StandIn } from "../vault/stand-in.js";

/**
 * An embedded core compares and writes at once. A remote core has no such call: it is asked
 * immediately before the import whether the stand-in still signs in, so no password that was set by
 * then is rolled back.
 *
 * @param passwordHash in the core's form
 * @param onUnguarded after an import at a remote core, told for how many milliseconds at most a
 *   password that was set then would have been rolled back
 * @returns `UNKNOWN_USER` also where the core doesn't say that the user is there
 * @throws CoreFailure
 */
export async function replaceStandIn(
  core: Core,
  email: string,
  standIn: StandIn,
  passwordHash: string,
  onUnguarded: (ms: number) => void,
): Promise<ReplaceOutcome["status"]> {
  const request = { email, currentHash: standIn.hash, passwordHash };
  const guarded = await unlessNotOffered(() => core.replacePassword(request), null);
  if (guarded !== null) return guarded.status;
  const start = performance.now();
  const { status } = await core.signIn({ email, password: standIn.password });
  if (status === "OK") {
    await core.importUser({ email, passwordHash });
    onUnguarded(performance.now() - start);
    return "OK";
  }
  const users = await unlessNotOffered(() => core.findUsers({ email }), []);
  // Whether it is another stand-in, no remote core says.
  return users.some(({ recipe }) => recipe === "emailpassword") ? "OTHER" : "UNKNOWN_USER";
}
