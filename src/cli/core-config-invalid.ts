/** The one error of the core's configuration, whether a file's or a variable's. */

import { RunError } from "../errors/run-error.js";

const HINT =
  "Mend it there; every field may be given in the file or as an environment variable of the same name in upper case.";

/** @param what is wrong, and where; never a value */
export function coreConfigInvalid(what: string, hint = HINT): RunError {
  return new RunError("config_invalid", `The core's configuration can't be used: ${what}.`, {
    hint,
  });
}
