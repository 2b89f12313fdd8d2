/** The one place that knows libphonenumber. It is loaded with the first number that needs it, since loading it takes longer than many a command. */

import { createRequire } from "node:module";

type PhoneLibrary = typeof import("libphonenumber-js/min");

const require = createRequire(import.meta.url);

/** Its metadata holds what tells numbers of one country from those of another. */
export function phoneLibrary(): PhoneLibrary {
  return require("libphonenumber-js/min") as PhoneLibrary;
}
