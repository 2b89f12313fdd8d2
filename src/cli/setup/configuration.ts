/** What the walk ends with: the configuration file without any secret, and the core's with the signer key. It decides what is written; it writes nothing. */

import { accessSync, constants, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { RunError, systemErrorCode } from "../../errors/run-error.js";
import { readConfig } from "../config-file.js";
import {
  type CoreConfig,
  DEFAULT_CORE_CONFIG,
  loadCoreConfig,
  OTHER_SIGNER_KEY_FIELD,
  SIGNER_KEY_FIELD,
} from "../core-config.js";
import { withField } from "../core-config-file.js";
import { isModule } from "../../source/registry.js";
import { omit } from "../options/option.js";
import { existing, whichCore } from "../options/target.js";
import { sameKey } from "../secrets.js";
import { readSmallFile } from "../small-file.js";
import type { Answers } from "./steps.js";

/** Where configuration goes. */
export interface Places {
  /** `auth-migrate.config.json`, or what `--config` names. */
  readonly config: string;
  /** `auth-core.yaml`, or what `--core-config` names. */
  readonly coreConfig: string;
}

/** Where the mapping is written: beside the configuration. */
export function mappingPathOf({ config }: Pick<Places, "config">): string {
  return join(dirname(config), "auth-migrate.mapping.yaml");
}

/** A file to write. */
export interface PlannedFile {
  readonly path: string;
  readonly content: string;
  /** Whether it replaces a file that is there already. */
  readonly replace: boolean;
  /** What is lost by it, so that the operator has to agree first; null where nothing is. */
  readonly loses: string | null;
}

/** Which core and what of it was proved: what an earlier setup said about it doesn't hold any more. */
const CORE_OPTIONS: readonly string[] = [
  ...Object.keys({ ...omit(whichCore, "coreConfig"), ...existing }),
  "hashConfig",
  "proof",
];

/**
 * Makes sure, before the first question, that what is there already can be added to.
 *
 * @param onNote told of a file with secrets that others can read
 * @throws RunError `config_invalid`, `disk`
 */
export async function requireMendable(
  { config, coreConfig }: Places,
  onNote: (line: string) => void,
): Promise<void> {
  for (const path of [config, coreConfig]) {
    requireWritable(dirname(path), "name another place with --config and --core-config");
  }
  if (existsSync(config)) readConfig(config);
  if (existsSync(coreConfig)) await loadCoreConfig(coreConfig, onNote, { env: {} });
}

/** The files that make an import work, as far as they aren't there already. */
export async function planFiles(answers: Answers, places: Places): Promise<PlannedFile[]> {
  const path = places.coreConfig;
  // A file that a core couldn't read either is refused here, before anything is written.
  const before = await loadCoreConfig(existsSync(path) ? path : null, () => {}, { env: {} });
  const { mapping } = answers;
  const files = [
    mapping === null ? null : planned(mappingPathOf(places), mapping, "and says something else"),
    planConfig(answers, places, before),
    planCoreConfig(answers, places, before),
  ];
  return files.filter((file) => file !== null);
}

/** The module that reads the files, which no configuration names: code is run only where a command line does. */
export function moduleOf({ options: { from } }: Pick<Answers, "options">): string | null {
  return typeof from === "string" && isModule(from) ? from : null;
}

/** @param loses what a file that is there already loses by it; null where that is nothing */
function planned(path: string, content: string, loses: string | null): PlannedFile | null {
  if (!existsSync(path)) return { path, content, replace: false, loses: null };
  if (readSmallFile(path, "--config") === content) return null;
  return { path, content, replace: true, loses: loses && `${path} is there already ${loses}` };
}

/** Other options that an earlier file has stay. */
function planConfig(
  { core, options, mapping }: Answers,
  places: Places,
  coreConfig: CoreConfig,
): PlannedFile | null {
  const path = places.config;
  const before = existsSync(path) ? readConfig(path) : {};
  const kept = Object.entries(before).filter(([name]) => !CORE_OPTIONS.includes(name));
  const { hashConfig, proof, data, ...others } = options;
  const isNamed = core.kind === "embedded" && places.coreConfig !== DEFAULT_CORE_CONFIG;
  const config = {
    ...Object.fromEntries(kept),
    ...others,
    ...(isNamed ? { coreConfig: places.coreConfig } : {}),
    ...(moduleOf({ options }) === null ? {} : { from: undefined }),
    // The mapping says what these two did.
    ...(mapping === null
      ? {}
      : { from: undefined, map: undefined, mapping: mappingPathOf(places) }),
    // An import that finds no core named asks whether it was forgotten.
    data: data === coreConfig.data ? undefined : data,
    hashConfig,
    proof,
  };
  return planned(path, `${JSON.stringify(config, null, 2)}\n`, "with other options");
}

/** Only the embedded core is configured from here; a remote one's operator does it there. */
function planCoreConfig(
  { parameters: { signerKey }, core }: Answers,
  { coreConfig: path }: Places,
  { signerKeys }: CoreConfig,
): PlannedFile | null {
  if (signerKey === null || core.kind === "remote") return null;
  const isKnown = signerKeys.length > 0;
  if (isKnown && signerKeys.every(({ key }) => sameKey(key, signerKey))) return null;
  const before = existsSync(path) ? readSmallFile(path, "--core-config") : HEADER;
  const content = withField(before, SIGNER_KEY_FIELD, signerKey, OTHER_SIGNER_KEY_FIELD);
  return planned(path, content, isKnown ? "with another signer key" : null);
}

const HEADER =
  "# The embedded core's configuration. It holds a secret: keep it out of version control.\n";

/** @throws RunError `config_invalid` where something would be lost */
export function requireNoLoss(files: readonly PlannedFile[]): void {
  const loses = files.flatMap((file) => file.loses ?? []);
  if (loses.length === 0) return;
  throw new RunError("config_invalid", loses.join("; "), {
    hint: "Give --force to change it, or name another file with --config or --core-config.",
  });
}

/** @throws RunError `disk` */
export function requireWritable(folder: string, otherwise: string): void {
  try {
    accessSync(folder, constants.W_OK);
  } catch (cause) {
    throw new RunError("disk", `${folder} can't be written to (${systemErrorCode(cause)})`, {
      hint: `Make it writable, or ${otherwise}.`,
      cause,
    });
  }
}
