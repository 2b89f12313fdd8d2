/** The option of an access log, for all that is served. */

import type { OptionSpec } from "./option.js";
import { text } from "./types.js";

export const accessLog = {
  flags: "--access-log <file>",
  group: "Everyday options",
  help: "append a JSON line for every call, without anything personal; - is the error stream",
  docs: "SIGHUP begins a new file where the old one was renamed",
  type: text,
} as const satisfies OptionSpec;
