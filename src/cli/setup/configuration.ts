/** What the walk ends with: the configuration file without any secret, and the core's with the signer key. It decides what is written; it writes nothing. */

import { existsSync } from "node:fs";
import { RunError } from "../../errors/run-error.js";
import type { HashConfig } from "../../hash/hash.js";
import { type Config, readConfig } from "../config-file.js";
import { loadCoreConfig, SIGNER_KEY_FIELD } from "../core-config.js";
import { withField } from "../core-config-file.js";
import { sameKey } from "../secrets.js";
import { readSmallFile } from "../values.js";
import type { ChosenCore } from "./core-step.js";
import type { Parameters } from "./parameters-step.js";
import type { FileToWrite } from "./write-together.js";

/** All answers of the walk. */
export interface Answers {
  readonly files: readonly string[];
  readonly parameters: Parameters;
  readonly core: ChosenCore;
  readonly proved: boolean;
  /** Options that were given and that the import needs, too, by their names in camelCase. */
  readonly options: Config;
}

/** Where configuration goes. */
export interface Places {
  /** `auth-migrate.config.json`, or what `--config` names. */
  readonly config: string;
  /** `auth-core.yaml`, or what `--core-config` names. */
  readonly coreConfig: string;
}

/** A file to write. */
export interface PlannedFile extends FileToWrite {
  /** What is lost by it, so that somebody has to agree first; null where nothing is. */
  readonly loses: string | null;
}

/** As the options of an import have it. */
const DEFAULT_DATA = "auth-core.db";

/** Options that say which core; what an earlier setup said of it doesn't hold any more. */
const CORE_OPTIONS = [
  "core",
  "apiKeyFile",
  "allowInsecure",
  "caFile",
  "data",
  "onExisting",
  "assumeEmpty",
  "hashConfig",
];

/**
 * Makes sure, before anybody is asked anything, that what is there already can be added to.
 *
 * @param onNote told of a file with secrets that others can read
 * @throws RunError `config_invalid`
 */
export async function requireReadable(
  { config, coreConfig }: Places,
  onNote: (line: string) => void,
): Promise<void> {
  if (existsSync(config)) readConfig(config);
  if (existsSync(coreConfig)) await loadCoreConfig(coreConfig, onNote, { env: {} });
}

/** The files that make an import work, as far as they aren't there already. */
export async function planFiles(answers: Answers, places: Places): Promise<PlannedFile[]> {
  const planned = [planConfig(answers, places), await planCoreConfig(answers, places)];
  return planned.filter((file) => file !== null);
}

/** Other options that an earlier file has stay. */
function planConfig({ parameters, core, options }: Answers, places: Places): PlannedFile | null {
  const path = places.config;
  const isThere = existsSync(path);
  const before = isThere ? readConfig(path) : {};
  const kept = Object.entries(before).filter(([name]) => !CORE_OPTIONS.includes(name));
  const { hashConfig } = parameters;
  const config = {
    ...Object.fromEntries(kept),
    ...options,
    ...coreOptions(core),
    ...(hashConfig === null ? {} : { hashConfig: withoutKey(hashConfig) }),
  };
  const content = `${JSON.stringify(config, null, 2)}\n`;
  if (isThere && readSmallFile(path, "--config") === content) return null;
  const loses = isThere ? `${path} is there already with other options` : null;
  return { path, content, replace: isThere, loses };
}

/** Without the default: where a data file is named, a proof uses that core, too. */
function coreOptions(core: ChosenCore): Config {
  if (core.kind === "remote") return { core: core.url, ...core.existing };
  return core.data === DEFAULT_DATA ? {} : { data: core.data };
}

function withoutKey({ rounds, memCost, saltSeparator }: HashConfig): Record<string, unknown> {
  return { rounds, mem_cost: memCost, base64_salt_separator: saltSeparator };
}

/** Only the embedded core is configured from here; a remote one's operator does it there. */
async function planCoreConfig(
  { parameters: { signerKey }, core }: Answers,
  { coreConfig: path }: Places,
): Promise<PlannedFile | null> {
  if (signerKey === null || core.kind === "remote") return null;
  const isThere = existsSync(path);
  const known = isThere ? await keyIn(path) : null;
  if (known !== null && sameKey(known, signerKey)) return null;
  const before = isThere ? readSmallFile(path, "--core-config") : HEADER;
  const content = withField(before, SIGNER_KEY_FIELD, signerKey);
  const loses = known === null ? null : `${path} is there already with another signer key`;
  return { path, content, replace: isThere, loses };
}

const HEADER =
  "# The embedded core's configuration. It holds a secret: keep it out of version control.\n";

/** @throws RunError `config_invalid` for a file that a core couldn't read either */
async function keyIn(path: string): Promise<string | null> {
  const { signerKeys } = await loadCoreConfig(path, () => {}, { env: {} });
  return signerKeys[0]?.key ?? null;
}

/** @throws RunError `config_invalid` where something would be lost */
export function requireNoLoss(planned: readonly PlannedFile[]): void {
  const loses = planned.flatMap((file) => file.loses ?? []);
  if (loses.length === 0) return;
  throw new RunError("config_invalid", loses.join("; "), {
    hint: "Give --force to change it, or name another file with --config or --core-config.",
  });
}
