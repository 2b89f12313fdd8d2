/** What commander says of a wrong command line, without what may be a secret: standard error ends up in logs, and a key given by mistake would, too. */

import { withoutPersonal } from "../core/http/core-message.js";

/** The value of an option that isn't known, which may have a quotation mark in it. */
const VALUE = /(unknown option '-[^'=]*)=.*'/s;
const QUOTED = /'([^']*)'/g;

/** The message as it may be printed: values of unknown options are left out, contacts and hashes are removed. */
export function usageMessage(message: string): string {
  return message
    .replace(VALUE, "$1'")
    .replace(QUOTED, (quoted, typed: string) =>
      typed.startsWith("-") ? quoted : `'${withoutPersonal(typed)}'`,
    );
}
