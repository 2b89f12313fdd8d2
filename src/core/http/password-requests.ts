/** Passwords at a remote core: interface.md 4.4, and signing in with what was imported. */

import type { Core } from "../core.js";
import { userAnswer, userOf } from "./answers.js";
import { expectAnswer, requireOk, statusOf } from "./expect-answer.js";
import { importOutcome } from "./import-answer.js";
import { PATHS } from "./paths.js";
import type { KnownDialect } from "./recognize-dialect.js";
import type { Transport } from "./transport.js";

export function passwordRequests(
  call: Transport["call"],
  knownDialect: KnownDialect,
): Pick<Core, "importUser" | "signIn"> {
  return {
    async importUser({ email, passwordHash, hashingAlgorithm }) {
      const path = PATHS.importUser;
      // Only a vendor scrypt import is named differently; the others need no dialect.
      const dialect = hashingAlgorithm === undefined ? null : await knownDialect.get();
      const answer = await call(
        dialect === null
          ? { method: "POST", path, body: { email, passwordHash } }
          : {
              method: "POST",
              path,
              body: { email, passwordHash, hashingAlgorithm: dialect.vendorScrypt },
              dialect,
            },
      );
      return importOutcome(answer);
    },
    async signIn({ email, password }) {
      const body = { email, password };
      const answer = await call({ method: "POST", path: PATHS.signIn, body });
      if (statusOf(answer) === "WRONG_CREDENTIALS_ERROR") {
        return { status: "WRONG_CREDENTIALS_ERROR" };
      }
      requireOk(answer);
      const { user } = expectAnswer(answer, userAnswer);
      return { status: "OK", user: userOf(user, "emailpassword") };
    },
  };
}
