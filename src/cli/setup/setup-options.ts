/** The options of `setup`: those of an import that it can answer for, and its own. That no core was named must not look like a choice: `--data` and `--on-existing` have no default here. */

import { z } from "zod";
import { DEFAULT_CONFIG } from "../config-file.js";
import type { GeneralValues } from "../options/general.js";
import { hashing } from "../options/hashing.js";
import { omit, type OptionSpec, type OptionSpecs, pick, type ValuesOf } from "../options/option.js";
import { files, passwordExport, planning } from "../options/reading.js";
import { proof } from "../options/proving.js";
import { core, existing } from "../options/target.js";
import { text } from "../options/types.js";

export const setup = {
  ...omit(files, "namespace"),
  ...hashing,
  ...passwordExport,
  ...pick(planning, "onLostFactor"),
  ...pick(core, "core", "dialect", "apiKeyFile", "coreConfig", "allowInsecure", "caFile"),
  ...pick(existing, "assumeEmpty"),
  ...pick(proof, "prove"),
  data: {
    flags: "--data <file>",
    help: "import into the embedded core on this data file",
    type: text,
  },
  onExisting: {
    flags: "--on-existing <what>",
    group: "The core",
    help: "what an import does with users who are there",
    type: z.enum(["skip", "update", "fail"]),
  },
  skipProof: {
    flags: "--skip-proof",
    group: "Proof",
    help: "go on without a password that is known to work",
    variable: false,
  },
  force: {
    flags: "--force",
    group: "Output and questions",
    help: "write unasked, and change configuration files that are there already",
    variable: false,
  },
  config: {
    flags: "--config <file>",
    group: "Output and questions",
    help: "the configuration file to write",
    type: text,
    defaultText: DEFAULT_CONFIG,
  },
} as const satisfies OptionSpecs;

/** What the import's command says of the files that were read, and no configuration. */
export const ofFiles = someOf(setup, ({ of }) => of === "files" || of === "database");

/** What the configuration tells an import again as it was given. Of the others the steps write what was answered, or they are setup's own. */
export const again = someOf(
  omit(
    setup,
    ...(["core", "data", "onExisting", "assumeEmpty", "hashConfig"] as const),
    ...(["skipProof", "force", "config"] as const),
  ),
  ({ of }) => of === undefined,
);

function someOf(specs: OptionSpecs, is: (spec: OptionSpec) => boolean): OptionSpecs {
  return Object.fromEntries(Object.entries(specs).filter(([, spec]) => is(spec)));
}

export type SetupValues = ValuesOf<typeof setup> & GeneralValues;

/** Whether the command line answers all that follows the files. */
export function isSettled({ core, data, prove, skipProof }: SetupValues): boolean {
  return (core ?? data) !== undefined && (prove !== undefined || skipProof);
}
