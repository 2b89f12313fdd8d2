/** Where the users of a whole migration stand, as a summary and `status` have it alike. */

import type { Field } from "./lines/lines.js";

/** Where the users of a whole migration stand. */
export interface Standings extends Field<"import-summary", "standing"> {}

/** What keeps the numbers from being of every row: the latest run was stopped or broke off, a limit left rows, or an input was cut off. */
export type Cut = NonNullable<Standings["cut"]>;

/** Users who are at the core and whom the latest row that names them would leave out, by the option that it was read without, or `since` the vendor keeps them out. */
export type StillThere = Standings["stillThere"];
