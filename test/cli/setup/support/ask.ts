/** Walks over the steps of one topic, with what the others would have made known. */

import { CORE } from "../../../../src/cli/setup/core-steps.js";
import { FILES } from "../../../../src/cli/setup/files-steps.js";
import type { FirstLook } from "../../../../src/cli/setup/first-look.js";
import type { Parameters } from "../../../../src/cli/setup/chosen.js";
import { PARAMETERS } from "../../../../src/cli/setup/parameters-steps.js";
import { PROOF } from "../../../../src/cli/setup/proof-steps.js";
import { type Known, walkOver } from "../../../../src/cli/setup/steps.js";
import type { Asker } from "../../../../src/cli/setup/asker.js";
import type { SetupValues } from "../../../../src/cli/setup/setup-options.js";
import { knownBefore } from "../../../../src/cli/setup/walk.js";

export const NOWHERE = { config: "setup.json", coreConfig: "core.yaml" };

/** The options of a command line that names none; what commander leaves out is undefined there. */
export function valuesOf(given: Partial<SetupValues>): SetupValues {
  const none = { map: [], allowHash: [], passwordExport: [], onLostFactor: "reject" };
  const flags = { allowInsecure: false, force: false, skipProof: false, assumeEmpty: false };
  return { ...none, ...flags, ...given } as unknown as SetupValues;
}

export async function knownAt(
  change: Partial<Known>,
  given: Partial<SetupValues> = {},
): Promise<Known> {
  const setting = { places: NOWHERE, problem: () => {} };
  return { ...(await knownBefore([], valuesOf(given), setting)), ...change };
}

export async function chooseFiles(files: readonly string[], asker: Asker, isSettled = false) {
  const given = isSettled ? { data: "core.db", skipProof: true } : {};
  const start = await knownAt({ files, asksFile: files.length === 0 }, given);
  const { look, map } = await walkOver(FILES, start, asker);
  return { inputs: look?.inputs ?? [], map };
}

export async function askForParameters(look: FirstLook, asker: Asker): Promise<unknown> {
  const { hashConfig, signerKey } = await walkOver(PARAMETERS, await knownAt({ look }), asker);
  return { hashConfig, signerKey };
}

export async function askForCore(access: Known["access"], asker: Asker) {
  const start = await knownAt({ access, apiKey: access.apiKey ?? undefined });
  const { core } = await walkOver(CORE, start, asker);
  if (core === null) throw new Error("no core was chosen");
  return core;
}

export async function askForProof(
  look: FirstLook,
  parameters: Parameters,
  asker: Asker | null,
  given: Partial<SetupValues> = {},
) {
  const start = await knownAt({ look, ...parameters }, given);
  const known = await walkOver([...PARAMETERS, ...PROOF], start, asker);
  const { hashConfig, signerKey, proof } = known;
  return { ...proof, parameters: { hashConfig, signerKey } };
}
