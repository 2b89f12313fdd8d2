/** Where the users of a whole migration stand, as a summary and `status` have it alike. */

import type { Field } from "./lines/lines.js";

/** Where the users of a whole migration stand. */
export interface Standings extends Field<"import-summary", "standing"> {}

/** Why the numbers lack rows: the latest run was stopped or broke off, a limit left rows, an input was cut off, or a proof alone has read test users. */
export type Cut = NonNullable<Standings["cut"]>;

/** Users at the core whom their latest row would leave out: by the option that the row was read without, or `since` where the vendor keeps them out. */
export type StillThere = Standings["stillThere"];
