/** Walks over the steps of one topic, with what the others would have made known. */

import { withWayBack, type Asker } from "../../../../src/cli/setup/asker.js";
import { CORE } from "../../../../src/cli/setup/core.js";
import { FILES } from "../../../../src/cli/setup/files.js";
import type { FirstLook } from "../../../../src/cli/setup/first-look.js";
import { PARAMETERS } from "../../../../src/cli/setup/parameters.js";
import { PROOF } from "../../../../src/cli/setup/proof.js";
import type { SetupValues } from "../../../../src/cli/setup/setup-options.js";
import type { Known, Parameters, Step } from "../../../../src/cli/setup/steps.js";
import { knownBefore } from "../../../../src/cli/setup/walk.js";

/** The options of a command line that names none; what commander leaves out is undefined there. */
export function valuesOf(given: Partial<SetupValues>): SetupValues {
  const none = { map: [], allowHash: [], passwordExport: [], onLostFactor: "reject" };
  const flags = { allowInsecure: false, force: false, skipProof: false, assumeEmpty: false };
  return { ...none, ...flags, ...given } as unknown as SetupValues;
}

async function take(
  step: Step,
  asker: Asker | null,
  change: Partial<Known>,
  given: Partial<SetupValues> = {},
): Promise<Known> {
  const start = { ...(await knownBefore([], valuesOf(given), {})), ...change };
  return withWayBack(asker, (talk) => step.take(start, talk));
}

export async function chooseFiles(files: readonly string[], asker: Asker, isSettled = false) {
  const given = isSettled ? { data: "core.db", skipProof: true } : {};
  const { look, reading } = await take(FILES, asker, { files }, given);
  return { inputs: look?.inputs ?? [], map: reading.map };
}

export async function askForParameters(look: FirstLook, asker: Asker): Promise<unknown> {
  return (await take(PARAMETERS, asker, { look })).parameters;
}

export function takeCore(change: Partial<Known>, asker: Asker): Promise<Known> {
  return take(CORE, asker, change);
}

export async function askForCore(access: Known["access"], asker: Asker) {
  const { core } = await takeCore({ access }, asker);
  if (core === undefined) throw new Error("no core was chosen");
  return core;
}

export async function askForProof(
  look: FirstLook,
  parameters: Parameters,
  asker: Asker | null,
  given: Partial<SetupValues> = {},
) {
  const known = await take(PROOF, asker, { look, parameters }, given);
  return { ...known.proof, parameters: known.parameters };
}
