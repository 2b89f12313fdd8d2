/** A core that refuses or fails some users' imports, before the real one is reached. */

import { CoreFailure } from "../../../src/core/core-failure.js";
import type { Core } from "../../../src/core/core.js";

/** @param emails whose imports are refused, or answered by an error of the core's own */
export function refusingCore(
  core: Core,
  emails: { readonly refused: readonly string[]; readonly failing: readonly string[] },
): Core {
  return {
    ...core,
    async importUser(request) {
      if (emails.refused.includes(request.email)) {
        throw new CoreFailure("refused", "no", { reached: "yes" });
      }
      if (emails.failing.includes(request.email)) {
        throw new CoreFailure("broken", "no", { reached: "yes" });
      }
      return core.importUser(request);
    },
  };
}
