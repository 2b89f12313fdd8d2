/** The walk of `setup`: a table of steps, each with what it asks, checks and writes. Every answer comes from the command line or is asked for; a canceled walk leaves nothing behind. */

import { existsSync, realpathSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { RunError } from "../../errors/run-error.js";
import { requireOwn } from "../../files/own-file.js";
import { ALL_OFFERED, type Carried, carriedBy } from "../../plan/carried.js";
import { CARRIED_PARTS, DEFAULT_POLICY } from "../../plan/policy.js";
import { readConfig } from "../config-file.js";
import { type GivenKey, loadCoreConfig } from "../core-config.js";
import { carryPolicy } from "../options/carrying.js";
import { inputOptions } from "../options/reading.js";
import { replaceFile, writeNewFile } from "../output-file.js";
import { readApiKey, sameKey } from "../secrets.js";
import { type Asker, unanswered, withWayBack } from "./asker.js";
import { type Places, type PlannedFile, planFiles, requireNoLoss } from "./configuration.js";
import { CORE } from "./core.js";
import { FILES } from "./files.js";
import type { LookOptions } from "./first-look.js";
import { answerLines } from "./instructions.js";
import { PARAMETERS } from "./parameters.js";
import { PROOF } from "./proof.js";
import type { SetupValues } from "./setup-options.js";
import type { Answers, ChosenCore, Known, Step } from "./steps.js";
import { mappingOf } from "./written-mapping.js";

const STEPS: readonly Step[] = [FILES, PARAMETERS, CORE, PROOF];

/**
 * Says all of what is missing at once, so that a job is mended in one go.
 *
 * @throws RunError `usage`
 */
export function requireAnswers(files: readonly string[], values: SetupValues): void {
  const missing = STEPS.filter((step) => !step.isGiven({ files, values }));
  if (missing.length > 0) throw unanswered(missing.map(({ option }) => option));
}

/**
 * @param asker null where no question can be asked
 * @param places where configuration goes
 * @throws RunError `usage` where an answer turns out to be missing and can't be asked for;
 *   `confirmation_declined` where the operator cancels; what the given answers' checks throw; `disk`
 */
export function walk(
  start: Known,
  asker: Asker | null,
  places: Places,
): Promise<{ readonly answers: Answers; readonly written: readonly string[] }> {
  return withWayBack(asker, async (talk) => {
    let known = start;
    for (const step of STEPS) known = await step.take(known, talk);
    const answers = await talk.once(() => answersOf(known, places));
    const written: string[] = [];
    const write = (files: readonly PlannedFile[]): void => {
      for (const { path, replace } of files) if (replace) requireOwn(path);
      for (const { path, content, replace } of files) {
        // A link stays one: what it leads to is written.
        if (replace) replaceFile(realpathSync(path), [content]);
        else writeNewFile(path, [content]);
        written.push(path);
      }
    };
    let files = await planFiles(answers, places);
    const { force } = start.values;
    const isAsked = talk.canAsk && !force;
    if (!isAsked && !force) requireNoLoss(files);
    if (!isAsked) write(files);
    while (isAsked && files.length > 0) {
      talk.found(answerLines(answers, files).join("\n"));
      for (const { loses } of files) if (loses !== null) talk.warn(loses);
      const choices = [{ value: "write", label: "Write it" }];
      // A file that has appeared meanwhile is added to, and shown before: no answer is lost by it.
      files = await talk.ask({ kind: "choose", message: "Is that right?", choices }, async () => {
        const now = await planFiles(answers, places);
        if (!isDeepStrictEqual(now, files)) return now;
        write(now);
        return [];
      });
    }
    return { answers, written };
  });
}

/**
 * What is known before the first question.
 *
 * @throws RunError `config_invalid`
 */
export async function knownBefore(
  files: readonly string[],
  values: SetupValues,
  streams: Pick<LookOptions, "stdin" | "passwordExport" | "nameInputs" | "columns" | "onProgress">,
): Promise<Known> {
  const { onExisting, assumeEmpty, onLostFactor } = values;
  const existing = {
    ...(onExisting === undefined ? {} : { onExisting }),
    ...(assumeEmpty ? { assumeEmpty } : {}),
  };
  const carrying = carryPolicy({ ...values, carry: undefined, roles: undefined });
  const allowHash = values.allowHash.flat();
  const policy = { ...DEFAULT_POLICY, ...carrying, allowHash, onLostFactor };
  return {
    values,
    policy,
    reading: { ...inputOptions(values), ...streams, policy },
    files,
    knownKey: (await loadCoreConfig(null, () => {})).signerKeys[0] ?? null,
    access: { ...values, apiKey: readApiKey(values.apiKeyFile), existing },
  };
}

async function answersOf(known: Known, { config }: Places): Promise<Answers> {
  const { look, core, proof, parameters, reading } = known;
  if (!look || !core || !proof || !parameters) throw new Error("a step was left out");
  requireKnownKey(parameters.signerKey, known.knownKey);
  const earlier = existsSync(config) ? readConfig(config) : {};
  const foreseen = await look.dryRun(parameters, carriedAt(core, known));
  const options = STEPS.map((step) => step.writes(known, earlier));
  return {
    look,
    parameters,
    core,
    proof,
    options: Object.assign({}, ...options),
    foreseen,
    mapping: await mappingOf(look.inputs, reading),
  };
}

/** What an import carries into the core, with the answer about roles; a core's queue takes a time of joining. */
function carriedAt(core: ChosenCore, { policy, roles = "none" }: Known): Carried {
  const { carried } = core;
  const parts = core.kind === "remote" && core.joinedByQueue ? [...carried, "joined"] : carried;
  const carry = CARRIED_PARTS.filter((part) => parts.includes(part));
  const offered = { ...ALL_OFFERED, roles: parts.includes("roles") ? [] : null };
  return carriedBy({ ...policy, carry, roles: roles === "none" ? null : roles }, offered);
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
