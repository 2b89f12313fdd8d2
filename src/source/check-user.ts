/** Checks the objects of a vendor's JSON against the vendor's shape. An object of another shape is damage that names the field, never its value. */

import type { z } from "zod";
import { RowDamage } from "./row-damage.js";

/**
 * Makes the check of a vendor's users.
 *
 * @param schema of the fields that are read; others are let pass
 * @param vendor for the message, as people write it
 * @returns takes a parsed object; gives it typed, or damage
 */
export function userChecker<T>(
  schema: z.ZodType<T>,
  vendor: string,
): (value: object) => T | RowDamage {
  return (value) => {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    const field = parsed.error.issues[0]?.path.join(".") ?? "";
    return new RowDamage(
      "row_malformed",
      `The user's ${field === "" ? "fields are" : `"${field}" is`} not what ${vendor} exports; mend it and import the user again.`,
    );
  };
}
