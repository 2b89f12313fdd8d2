/** The walk's second step: the vendor account's scrypt parameters, each checked by itself and all against the hashes in the files. It never shows the signer key. */

import { RunError } from "../../errors/run-error.js";
import type { HashConfig } from "../../hash/hash.js";
import {
  type HashParameterName,
  hashParameterFlaw,
  parseHashConfig,
} from "../../hash/hash-config.js";
import { normalizeHash } from "../../hash/normalize.js";
import { readSmallFile } from "../small-file.js";
import { type Asker, attempt, told } from "./asker.js";
import type { FirstLook } from "./first-look.js";

/** What scrypt hashes are verified with. */
export interface Parameters {
  /** Null where no hash needs them. */
  readonly hashConfig: HashConfig | null;
  /** Null where no hash needs it. */
  readonly signerKey: string | null;
}

const WHERE =
  "Scrypt hashes need four values of the vendor's account. Firebase shows them in its console: Authentication, Users, the menu at the right, Password hash parameters.";

const WAYS = [
  { value: "paste", label: "Paste the whole block hash_config { … }" },
  { value: "file", label: "Name a file that holds the block" },
  { value: "values", label: "Type the four values one by one" },
] as const;

/** As nearly every account has them. */
const USUAL = { rounds: "8", mem_cost: "14", base64_salt_separator: "Bw==" } as const;

/** Asks for what the files need; for nothing where they need nothing. */
export async function askForParameters(look: FirstLook, asker: Asker): Promise<Parameters> {
  if (!look.needsSignerKey) return { hashConfig: null, signerKey: null };
  if (look.scrypt.length === 0) {
    asker.say("The scrypt hashes carry their parameters; the signer key is all that is missing.");
    return { hashConfig: null, signerKey: await askForSignerKey(asker) };
  }
  asker.say(WHERE);
  for (;;) {
    const way = await asker.choose("How do you give them?", WAYS);
    const hashConfig = await READERS[way](asker);
    const fitting = await attempt(() => requireFit(hashConfig, look));
    if (!(fitting instanceof RunError)) {
      asker.found(fitText(hashConfig, fitting, look));
      return { hashConfig, signerKey: hashConfig.signerKey };
    }
    asker.warn(told(fitting));
  }
}

/** Asks for the key alone, where the parameters came without it. */
export function askForSignerKey(asker: Asker): Promise<string> {
  return askForValue("base64_signer_key", asker);
}

/**
 * Builds the hashes that were looked at.
 *
 * @returns how many of them the parameters can be for
 * @throws RunError `hash_config_invalid` where that is none of them
 */
export function requireFit(hashConfig: HashConfig, { scrypt }: FirstLook): number {
  const verdicts = scrypt.map((hash) => normalizeHash(hash, { hashConfig }));
  const fitting = verdicts.filter(({ verdict }) => verdict === "accepted").length;
  const refused = verdicts.find((verdict) => verdict.verdict === "refused");
  if (fitting > 0 || refused === undefined) return fitting;
  throw new RunError(
    "hash_config_invalid",
    `Not one scrypt hash that was looked at can be built with these parameters (${refused.code})`,
    { hint: refused.hint },
  );
}

const READERS: Readonly<
  Record<(typeof WAYS)[number]["value"], (asker: Asker) => Promise<HashConfig>>
> = {
  paste(asker) {
    return asker.secret({
      message: "Paste the block, then press Enter",
      lines: true,
      // Lines copied from inside the block will do, too.
      read: (text) => parseHashConfig(text.includes("{") ? text : `{${text}}`),
    });
  },
  file(asker) {
    return asker.text({
      message: "Which file has the block?",
      read: (path) => parseHashConfig(readSmallFile(path, "--hash-config")),
    });
  },
  async values(asker) {
    const rounds = await askForValue("rounds", asker);
    const memCost = await askForValue("mem_cost", asker);
    const saltSeparator = await askForValue("base64_salt_separator", asker);
    const signerKey = await askForValue("base64_signer_key", asker);
    return { rounds: Number(rounds), memCost: Number(memCost), saltSeparator, signerKey };
  },
};

function askForValue(name: HashParameterName, asker: Asker): Promise<string> {
  const read = (answer: string): string => {
    const flaw = hashParameterFlaw(name, answer.trim());
    if (flaw === null) return answer.trim();
    throw new RunError("hash_config_invalid", `${name} ${flaw}`, {
      hint: "Compare it with the vendor's console.",
    });
  };
  return name === "base64_signer_key"
    ? asker.secret({ message: name, read })
    : asker.text({ message: name, initial: USUAL[name], read });
}

function fitText(hashConfig: HashConfig, fitting: number, { scrypt }: FirstLook): string {
  const { rounds, memCost, saltSeparator } = hashConfig;
  return [
    `rounds ${rounds}, mem_cost ${memCost}, base64_salt_separator ${saltSeparator}, a signer key of 64 bytes.`,
    `${fitting} of ${scrypt.length} scrypt hashes that were looked at can be built with these. Whether the signer key is theirs, only a password shows.`,
  ].join("\n");
}
