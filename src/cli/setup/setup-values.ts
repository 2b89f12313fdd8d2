/** The values of `setup`'s options: those of an import that it can answer for, and its own. */

import { z } from "zod";
import { HashValues, PlanningValues, TargetValues } from "../values.js";

const { core, dialect, apiKeyFile, coreConfig, allowInsecure, caFile, assumeEmpty, onExisting } =
  TargetValues.shape;

export const SetupValues = HashValues.extend({
  ...{ core, dialect, apiKeyFile, coreConfig, allowInsecure, caFile, assumeEmpty },
  map: z.array(z.string()),
  passwordExport: z.array(z.string()),
  encoding: z.string().optional(),
  defaultCountry: z.string().optional(),
  onLostFactor: PlanningValues.shape.onLostFactor,
  /** Without a default here: that no core was named must not look like a choice. */
  data: z.string().optional(),
  onExisting: onExisting.optional(),
  config: z.string().optional(),
  prove: z.string().optional(),
  skipProof: z.boolean().default(false),
  force: z.boolean().default(false),
});

export type SetupOptionValues = z.infer<typeof SetupValues>;
