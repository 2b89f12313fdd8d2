/** The walk from nothing to a configuration: each step's answer comes from the command line or is asked for. It reads and asks; what is to be written is handed on, and a canceled walk leaves nothing behind. */

import { RunError } from "../../errors/run-error.js";
import { DEFAULT_POLICY, type Policy } from "../../plan/policy.js";
import type { Config } from "../config-file.js";
import { type GivenKey, loadCoreConfig, SIGNER_KEY_FIELD } from "../core-config.js";
import { readApiKey, sameKey } from "../secrets.js";
import { loadHashConfig } from "../options/hashing.js";
import { inputOptions, pairsOf } from "../options/reading.js";
import type { Asker } from "./asker.js";
import type { Answers } from "./configuration.js";
import { askForCore, type ChosenCore, checkData, checkRemote, coreLine } from "./core-step.js";
import { chooseFiles } from "./files-step.js";
import type { FirstLook, LookOptions } from "./first-look.js";
import {
  askForParameters,
  askForSignerKey,
  type Parameters,
  requireFit,
} from "./parameters-step.js";
import { askForProof, type ProofEnd, proveFromFile } from "./proof-step.js";
import type { SetupValues } from "./setup-options.js";
import { mappingOf } from "./written-mapping.js";

/**
 * @param asker null where no question can be asked
 * @param streams what `-` stands for, and an open password export, where there are such
 * @throws RunError `usage` where an answer turns out to be missing and can't be asked for;
 *   `confirmation_declined` where the operator cancels; what the given answers' checks throw
 */
export async function walk(
  files: readonly string[],
  values: SetupValues,
  asker: Asker | null,
  streams: Pick<LookOptions, "stdin" | "passwordExport">,
): Promise<Answers> {
  const reading = { ...inputOptions(values), ...streams };
  const { core, data, prove, skipProof } = values;
  const isSettled = (core ?? data) !== undefined && (prove !== undefined || skipProof);
  const look = await chooseFiles(files, reading, asker, isSettled);
  const known = (await loadCoreConfig(null, () => {})).signerKeys[0] ?? null;
  const given = await chooseParameters(look, values, known?.key ?? null, asker);
  const chosen = await chooseCore(values, asker);
  const policy = { ...DEFAULT_POLICY, allowHash: values.allowHash.flat() };
  const {
    proved,
    parameters,
    user: provedUser,
  } = await chooseProof(look, given, policy, values, asker);
  requireKnownKey(parameters, known);
  return {
    files: look.inputs.map(({ path }) => path),
    byCode: look.byCode,
    bridged: look.bridged,
    parameters,
    core: chosen,
    proved,
    provedUser,
    options: givenOptions({ ...values, map: pairsOf(look.map) }),
    mapping: await mappingOf(look.inputs, { ...reading, map: look.map }),
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

async function chooseParameters(
  look: FirstLook,
  values: SetupValues,
  knownKey: string | null,
  asker: Asker | null,
): Promise<Parameters> {
  const given = loadHashConfig(values.hashConfig);
  if (given !== null) {
    requireFit(given, look);
    const key = given.signerKey ?? knownKey;
    const isMissing = key === null && look.needsSignerKey && asker !== null;
    return { hashConfig: given, signerKey: isMissing ? await askForSignerKey(asker) : key };
  }
  if (look.scrypt.length === 0 && knownKey !== null)
    return { hashConfig: null, signerKey: knownKey };
  if (asker !== null) return askForParameters(look, asker);
  if (!look.needsSignerKey) return { hashConfig: null, signerKey: null };
  throw unanswered([
    look.scrypt.length > 0 ? "--hash-config FILE" : SIGNER_KEY_FIELD.toUpperCase(),
  ]);
}

async function chooseCore(values: SetupValues, asker: Asker | null): Promise<ChosenCore> {
  const { dialect, allowInsecure, caFile, onExisting, assumeEmpty } = values;
  const existing = {
    ...(onExisting === undefined ? {} : { onExisting }),
    ...(assumeEmpty ? { assumeEmpty } : {}),
  };
  const apiKey = readApiKey(values.apiKeyFile);
  const access = { apiKey, dialect, allowInsecure, caFile, existing };
  const chosen =
    values.core !== undefined
      ? await checkRemote(values.core, access)
      : values.data === undefined && asker !== null
        ? await askForCore(access, asker)
        : await checkData(values.data ?? "");
  asker?.found(coreLine(chosen));
  return chosen;
}

async function chooseProof(
  look: FirstLook,
  parameters: Parameters,
  policy: Policy,
  values: SetupValues,
  asker: Asker | null,
): Promise<ProofEnd> {
  if (values.prove !== undefined) return proveFromFile(values.prove, look, parameters, policy);
  if (values.skipProof || asker === null) return { proved: false, user: null, parameters };
  return askForProof(look, parameters, policy, asker);
}

/** An import would stop at two signer keys, so a setup has to. */
function requireKnownKey({ signerKey }: Parameters, known: GivenKey | null): void {
  if (signerKey === null || known === null || sameKey(signerKey, known.key)) return;
  const { where: variable } = known;
  throw new RunError(
    "config_invalid",
    `The signer key that was given and the one in ${variable} differ.`,
    { hint: `Find out which one belongs to the export; to use the given one, unset ${variable}.` },
  );
}

/** Of the options that were given, those that an import needs again. */
const KEPT = [
  "from",
  "mapping",
  "map",
  "allowHash",
  "passwordExport",
  "encoding",
  "defaultCountry",
  "dialect",
  "apiKeyFile",
  "caFile",
  "coreConfig",
  "onLostFactor",
  "allowInsecure",
] as const;

/** What an import has to be told again; the core and the parameters are put in beside it. */
function givenOptions(values: SetupValues): Config {
  const { allowHash, onLostFactor: lost } = values;
  const onLostFactor = lost === DEFAULT_POLICY.onLostFactor ? undefined : lost;
  const given = { ...values, allowHash: allowHash.flat(), onLostFactor };
  const entries = KEPT.flatMap((name) => {
    const value = given[name];
    const isLeftOut = value === undefined || value === false || String(value) === "";
    return isLeftOut ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

function unanswered(missing: readonly string[]): RunError {
  return new RunError(
    "usage",
    `Setup needs an answer and can't ask for it: ${missing.join("; ")}.`,
    {
      hint: "Give them on the command line, or run auth-migrate setup at a terminal, without --no-input and --json.",
    },
  );
}
