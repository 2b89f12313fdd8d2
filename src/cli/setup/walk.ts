/** The walk from nothing to a configuration: the table of its steps, and what is known before the first. Each step's answer comes from the command line or is asked for; a canceled walk leaves nothing behind. */

import { existsSync } from "node:fs";
import { RunError } from "../../errors/run-error.js";
import { DEFAULT_POLICY } from "../../plan/policy.js";
import { readConfig } from "../config-file.js";
import { type GivenKey, loadCoreConfig } from "../core-config.js";
import { inputOptions, mapOf } from "../options/reading.js";
import { readApiKey, sameKey } from "../secrets.js";
import type { Asker } from "./asker.js";
import type { Answers, Places } from "./configuration.js";
import { CORE } from "./core-steps.js";
import { FILES } from "./files-steps.js";
import type { LookOptions } from "./first-look.js";
import { PARAMETERS } from "./parameters-steps.js";
import { PROOF } from "./proof-steps.js";
import type { SetupValues } from "./setup-options.js";
import { type Known, type Step, unanswered, walkOver, writtenBy } from "./steps.js";
import { writing } from "./write-steps.js";
import { mappingOf } from "./written-mapping.js";

const STEPS: readonly Step[] = [
  ...FILES,
  ...PARAMETERS,
  ...CORE,
  ...PROOF,
  ...writing((known) => answersOf(known)),
];

/** What the walk has of the command beside the options. */
export interface Setting extends Pick<LookOptions, "stdin" | "passwordExport" | "nameInputs"> {
  readonly places: Places;
  readonly problem: (line: string) => void;
}

/** What was answered and written. */
export interface Walked {
  readonly answers: Answers;
  readonly places: Places;
  readonly written: readonly string[];
}

/**
 * @param asker null where no question can be asked
 * @throws RunError `usage` where an answer turns out to be missing and can't be asked for;
 *   `confirmation_declined` where the operator cancels; what the given answers' checks throw
 */
export async function walk(
  files: readonly string[],
  values: SetupValues,
  asker: Asker | null,
  setting: Setting,
): Promise<Walked> {
  const start = await knownBefore(files, values, setting);
  const { plan, places, written } = await walkOver(STEPS, start, asker);
  if (plan === null || written === null) throw new Error("the walk ended before its last step");
  return { answers: plan.answers, places, written };
}

/**
 * What is known before the first question.
 *
 * @throws RunError `config_invalid`
 */
export async function knownBefore(
  files: readonly string[],
  values: SetupValues,
  { places, problem, ...streams }: Setting,
): Promise<Known> {
  const { dialect, allowInsecure, caFile, onExisting, assumeEmpty } = values;
  const existing = {
    ...(onExisting === undefined ? {} : { onExisting }),
    ...(assumeEmpty ? { assumeEmpty } : {}),
  };
  const apiKey = readApiKey(values.apiKeyFile);
  return {
    values,
    policy: { ...DEFAULT_POLICY, allowHash: values.allowHash.flat() },
    said: [],
    reading: { ...inputOptions(values), ...streams },
    files,
    asksFile: files.length === 0,
    map: mapOf(values.map),
    look: null,
    columns: null,
    column: null,
    field: null,
    isExport: false,
    knownKey: (await loadCoreConfig(null, () => {})).signerKeys[0] ?? null,
    corrects: false,
    way: null,
    typed: {},
    hashConfig: undefined,
    signerKey: undefined,
    access: { apiKey, dialect, allowInsecure, caFile, existing },
    kind: null,
    url: null,
    apiKey: apiKey ?? undefined,
    refused: null,
    core: null,
    explained: false,
    next: "user",
    found: null,
    subjects: [],
    failure: null,
    proof: null,
    places,
    plan: null,
    unwritten: null,
    written: null,
    problem,
  };
}

async function answersOf(known: Known): Promise<Answers> {
  const { look, core, proof, hashConfig = null, signerKey = null, map, reading, places } = known;
  if (look === null || core === null || proof === null) throw new Error("a step was left out");
  requireKnownKey(signerKey, known.knownKey);
  const earlier = existsSync(places.config) ? readConfig(places.config) : {};
  return {
    files: look.inputs.map(({ path }) => path),
    byCode: look.byCode,
    bridged: look.bridged,
    parameters: { hashConfig, signerKey },
    core,
    proved: proof.proved,
    provedUser: proof.user,
    options: writtenBy(STEPS, known, earlier),
    mapping: await mappingOf(look.inputs, { ...reading, map }),
  };
}

/**
 * Says all of what is missing at once, so that a job is mended in one go.
 *
 * @throws RunError `usage`
 */
export function requireAnswers(
  files: readonly string[],
  values: Pick<SetupValues, "core" | "data" | "prove" | "skipProof">,
): void {
  const missing = [
    ...(files.length > 0 ? [] : ["the export's files"]),
    ...(values.core !== undefined || values.data !== undefined
      ? []
      : ["--core URL or --data FILE"]),
    ...(values.prove !== undefined || values.skipProof ? [] : ["--prove FILE or --skip-proof"]),
  ];
  if (missing.length > 0) throw unanswered(missing);
}

/** An import would stop at two signer keys, so a setup has to. */
function requireKnownKey(signerKey: string | null, known: GivenKey | null): void {
  if (signerKey === null || known === null || sameKey(signerKey, known.key)) return;
  const { where: variable } = known;
  throw new RunError(
    "config_invalid",
    `The signer key that was given and the one in ${variable} differ.`,
    { hint: `Find out which one belongs to the export; to use the given one, unset ${variable}.` },
  );
}
