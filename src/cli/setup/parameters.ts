/** The vendor account's scrypt parameters, each checked by itself and all against the hashes in the files. The signer key is never shown. */

import { RunError } from "../../errors/run-error.js";
import type { HashConfig } from "../../hash/hash.js";
import {
  type HashParameterName,
  hashParameterFlaw,
  parseHashConfig,
} from "../../hash/hash-config.js";
import { SIGNER_KEY_FIELD } from "../core-config.js";
import { loadHashConfig } from "../options/hashing.js";
import { readSmallFile } from "../small-file.js";
import { attempt, namedFile, type Talk, told } from "./asker.js";
import { type FirstLook, scryptsOf } from "./first-look.js";
import type { Parameters, Step } from "./steps.js";

const WHERE =
  "Scrypt hashes need four values of the vendor's account. Firebase shows them in its console: Authentication, Users, the menu at the right, Password hash parameters.";

const WAYS = [
  { value: "paste", label: "Paste the whole block hash_config { … }" },
  { value: "file", label: "Name a file that holds the block" },
  { value: "values", label: "Type the four values one by one" },
] as const;

const KEY = "base64_signer_key";
/** As nearly every account has them. */
const USUAL = { rounds: "8", mem_cost: "14", base64_salt_separator: "Bw==" } as const;

export const PARAMETERS: Step = {
  option: "--hash-config FILE",
  isGiven: () => true,
  async take(known, talk) {
    const { look, values, knownKey } = known;
    if (look === undefined) return known;
    const given = loadHashConfig(values.hashConfig);
    if (given !== null) await talk.once(() => requireFit(given, look));
    const parameters = await parametersOf(look, given, knownKey?.key ?? null, talk);
    return { ...known, parameters };
  },
  writes({ parameters }) {
    if (!parameters?.hashConfig) return {};
    const { rounds, memCost, saltSeparator } = parameters.hashConfig;
    return { hashConfig: { rounds, mem_cost: memCost, base64_salt_separator: saltSeparator } };
  },
};

/**
 * Asks for what the hashes need and nothing gives.
 *
 * @param given the four values; null where there are none, or they turned out to be wrong
 * @param key as the environment has it
 */
export async function parametersOf(
  look: FirstLook,
  given: HashConfig | null,
  key: string | null,
  talk: Talk,
): Promise<Parameters> {
  if (given === null && look.scrypt > 0) return askForBlock(look, talk);
  const known = given?.signerKey ?? key;
  if (known !== null || scryptsOf(look.summary) === 0)
    return { hashConfig: given, signerKey: known };
  if (given === null) {
    talk.say("The scrypt hashes carry their parameters; the signer key is all that is missing.");
  }
  return { hashConfig: given, signerKey: await askForKey(talk) };
}

/** Asks for the signer key alone. */
export function askForKey(talk: Talk): Promise<string> {
  const option = SIGNER_KEY_FIELD.toUpperCase();
  return talk.ask({ kind: "secret", message: KEY, pasted: true, option }, (text) =>
    checked(KEY, text),
  );
}

/** Asks until the hashes that were looked at can be built. */
async function askForBlock(look: FirstLook, talk: Talk): Promise<Parameters> {
  const { option } = PARAMETERS;
  for (;;) {
    talk.say(WHERE);
    const message = "How do you give them?";
    const way = await talk.ask({ kind: "choose", message, choices: WAYS, option }, String);
    const hashConfig = await askBy(way, talk);
    const fitting = await attempt(() => requireFit(hashConfig, look));
    if (!(fitting instanceof RunError)) {
      const { rounds, memCost, saltSeparator, signerKey } = hashConfig;
      talk.found(
        `rounds ${rounds}, mem_cost ${memCost}, base64_salt_separator ${saltSeparator}, a signer key of 64 bytes.\n${fitting} of ${look.scrypt} scrypt hashes that were looked at can be built with these. Whether the signer key is theirs, only a password shows.`,
      );
      return { hashConfig, signerKey };
    }
    talk.warn(told(fitting));
  }
}

async function askBy(way: string, talk: Talk): Promise<HashConfig> {
  if (way === "paste") {
    const message = "Paste the block, then press Enter";
    // Lines copied from inside the block will do, too.
    return talk.ask({ kind: "secret", message, pasted: true }, (text) =>
      parseHashConfig(text.includes("{") ? text : `{${text}}`),
    );
  }
  if (way === "file") {
    return talk.ask({ kind: "text", message: "Which file has the block?" }, (path) =>
      parseHashConfig(readSmallFile(namedFile(path, ", or back"), "--hash-config")),
    );
  }
  const typed: Partial<Record<HashParameterName, string>> = {};
  for (const name of ["rounds", "mem_cost", "base64_salt_separator"] as const) {
    const question = { kind: "text", message: name, initial: USUAL[name] } as const;
    typed[name] = await talk.ask(question, (text) => checked(name, text));
  }
  typed[KEY] = await askForKey(talk);
  return parseHashConfig(JSON.stringify(typed));
}

/** @throws RunError `hash_config_invalid` */
function checked(name: HashParameterName, text: string): string {
  const flaw = hashParameterFlaw(name, text.trim());
  if (flaw === null) return text.trim();
  throw new RunError("hash_config_invalid", `${name} ${flaw}`, {
    hint: "Compare it with the vendor's console.",
  });
}

/**
 * Builds the hashes that were looked at.
 *
 * @returns how many of them the parameters can be for
 * @throws RunError `hash_config_invalid` where that is none of them
 */
async function requireFit(hashConfig: HashConfig, { summary, dryRun }: FirstLook): Promise<number> {
  const by = await dryRun({ hashConfig });
  const refused = by.rejects.find(({ code }) => !(code in summary.rejects));
  if (by.built > 0 || refused === undefined) return by.built;
  throw new RunError(
    "hash_config_invalid",
    `Not one scrypt hash that was looked at can be built with these parameters (${refused.code})`,
    { hint: refused.hint },
  );
}
