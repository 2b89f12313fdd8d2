/** The vendor account's scrypt parameters, each checked by itself and all against the hashes in the files. The signer key is never shown. */

import { RunError } from "../../errors/run-error.js";
import type { HashConfig } from "../../hash/hash.js";
import {
  type HashParameterName,
  hashParameterFlaw,
  parseHashConfig,
} from "../../hash/hash-config.js";
import { normalizeHash } from "../../hash/normalize.js";
import { SIGNER_KEY_FIELD } from "../core-config.js";
import { loadHashConfig } from "../options/hashing.js";
import { readSmallFile } from "../small-file.js";
import { attempt, told } from "./asker.js";
import type { FirstLook } from "./first-look.js";
import { type Change, type Known, type Step, unanswered } from "./steps.js";

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

/** All that settles the parameters anew. */
export const UNSETTLED = {
  way: null,
  typed: {},
  hashConfig: undefined,
  signerKey: undefined,
} as const satisfies Change;

const isOpenBy = (way: string) => (known: Known) =>
  known.look !== null && known.hashConfig === undefined && known.way === way;

export const PARAMETERS: readonly Step[] = [
  {
    isOpen: ({ look, hashConfig, way }) =>
      look !== null && hashConfig === undefined && way === null,
    option: "--hash-config FILE",
    given({ look, values, knownKey, corrects }) {
      if (look === null) return null;
      const { needsSignerKey, scrypt } = look;
      const open = needsSignerKey ? undefined : null;
      const given = corrects ? null : loadHashConfig(values.hashConfig);
      if (given !== null) {
        requireFit(given, look);
        return { hashConfig: given, signerKey: given.signerKey ?? knownKey?.key ?? open };
      }
      if (scrypt.length > 0) return null;
      return { hashConfig: null, signerKey: corrects ? open : (knownKey?.key ?? open) };
    },
    says: () => WHERE,
    question: () => ({ kind: "choose", message: "How do you give them?", choices: WAYS }),
    check: (way) => ({ way }),
    writes: ({ hashConfig }) => (hashConfig ? { hashConfig: withoutKey(hashConfig) } : {}),
  },
  {
    isOpen: isOpenBy("paste"),
    question: () => ({
      kind: "secret",
      message: "Paste the block, then press Enter",
      lines: true,
    }),
    // Lines copied from inside the block will do, too.
    check: (text, known) => fitted(parseHashConfig(text.includes("{") ? text : `{${text}}`), known),
  },
  {
    isOpen: isOpenBy("file"),
    question: () => ({ kind: "text", message: "Which file has the block?" }),
    check: (path, known) => fitted(parseHashConfig(readSmallFile(path, "--hash-config")), known),
  },
  ...(["rounds", "mem_cost", "base64_salt_separator"] as const).map(
    (name): Step => ({
      isOpen: (known) => isOpenBy("values")(known) && known.typed[name] === undefined,
      question: () => ({ kind: "text", message: name, initial: USUAL[name] }),
      check: (text, { typed }) => ({ typed: { ...typed, [name]: checked(name, text) } }),
    }),
  ),
  {
    isOpen: (known) =>
      isOpenBy("values")(known) ||
      (known.hashConfig !== undefined && known.signerKey === undefined),
    given(_known, canAsk) {
      if (canAsk) return null;
      throw unanswered([SIGNER_KEY_FIELD.toUpperCase()]);
    },
    says: ({ look, way, hashConfig }) =>
      way === null && hashConfig === null && look?.scrypt.length === 0
        ? "The scrypt hashes carry their parameters; the signer key is all that is missing."
        : "",
    question: () => ({ kind: "secret", message: KEY }),
    check(text, known) {
      const signerKey = checked(KEY, text);
      if (known.hashConfig !== undefined) return { signerKey };
      const { rounds, mem_cost: memCost, base64_salt_separator: saltSeparator = "" } = known.typed;
      const typed = { rounds: Number(rounds), memCost: Number(memCost), saltSeparator, signerKey };
      return fitted(typed, known);
    },
  },
];

/** @throws RunError `hash_config_invalid` */
function checked(name: HashParameterName, text: string): string {
  const flaw = hashParameterFlaw(name, text.trim());
  if (flaw === null) return text.trim();
  throw new RunError("hash_config_invalid", `${name} ${flaw}`, {
    hint: "Compare it with the vendor's console.",
  });
}

/** Parameters that were asked for; where no hash can be built with them, they are asked for again. */
async function fitted(hashConfig: HashConfig, { look }: Known): Promise<Change> {
  if (look === null) return {};
  const fitting = await attempt(() => requireFit(hashConfig, look));
  if (fitting instanceof RunError) {
    return { ...UNSETTLED, said: [{ as: "warn", text: told(fitting) }] };
  }
  const text = fitText(hashConfig, fitting, look);
  return { hashConfig, signerKey: hashConfig.signerKey, said: [{ as: "found", text }] };
}

/**
 * Builds the hashes that were looked at.
 *
 * @returns how many of them the parameters can be for
 * @throws RunError `hash_config_invalid` where that is none of them
 */
function requireFit(hashConfig: HashConfig, { scrypt }: FirstLook): number {
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

function fitText(hashConfig: HashConfig, fitting: number, { scrypt }: FirstLook): string {
  const { rounds, memCost, saltSeparator } = hashConfig;
  return [
    `rounds ${rounds}, mem_cost ${memCost}, base64_salt_separator ${saltSeparator}, a signer key of 64 bytes.`,
    `${fitting} of ${scrypt.length} scrypt hashes that were looked at can be built with these. Whether the signer key is theirs, only a password shows.`,
  ].join("\n");
}

function withoutKey({ rounds, memCost, saltSeparator }: HashConfig): Record<string, unknown> {
  return { rounds, mem_cost: memCost, base64_salt_separator: saltSeparator };
}
