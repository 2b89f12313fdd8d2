/** The embedded core's own configuration: a YAML file whose fields are also upper-case environment variables, which win (interface.md 4.5). A message names the file, the line and the field, never a value. */

import { statSync } from "node:fs";
import { z } from "zod";
import type { EmbeddedCoreOptions } from "../core/embedded/embedded-core.js";
import { hashParameterFlaw } from "../hash/hash-config.js";
import { coreConfigInvalid } from "./core-config-invalid.js";
import { readSmallFile } from "./values.js";

/** Read from the working directory where `--core-config` names no other. */
export const DEFAULT_CORE_CONFIG = "auth-core.yaml";

/** The field that holds the vendor's signer key (interface.md 4.5). */
export const SIGNER_KEY_FIELD = "vendor_password_hashing_signer_key";

/** A signer key and the place that gave it, for the message where two differ. */
export interface GivenKey {
  readonly where: string;
  readonly key: string;
}

/** What the configuration says; what it doesn't say is undefined or absent, and the core's defaults hold. */
export interface CoreConfig {
  /** Of the file and of the environment; none, one or both. */
  readonly signerKeys: readonly GivenKey[];
  readonly apiKeys: readonly string[];
  readonly port: number | undefined;
  readonly host: string | undefined;
  /** As the embedded core takes them. */
  readonly options: Pick<
    EmbeddedCoreOptions,
    "scryptPasswordEncoding" | "codeLifetimeMs" | "maxCodeInputAttempts"
  >;
}

const DAY_MS = 86_400_000;
const KEY_LIST = "must be keys without spaces, as a list or separated by commas";

const schema = z.object({
  [SIGNER_KEY_FIELD]: z.string("must be one text").check((context) => {
    const flaw = hashParameterFlaw("base64_signer_key", context.value);
    if (flaw !== null) context.issues.push({ code: "custom", message: flaw, input: "" });
  }),
  vendor_scrypt_password_encoding: z.enum(["utf8", "ascii"], "must be utf8 or ascii"),
  api_keys: z.union([z.string().transform(splitList), z.array(z.string())], KEY_LIST).refine(
    // What a header can carry (RFC 9110 section 5.5).
    (keys) => keys.every((key) => /^[\x21-\x7e]+$/.test(key)),
    KEY_LIST,
  ),
  port: wholeNumber(0, 65_535),
  host: z.string("must be one text").regex(/^[\w.:-]+$/, "must be an address or a host name"),
  passwordless_code_lifetime: wholeNumber(1, 365 * DAY_MS),
  passwordless_max_code_input_attempts: wholeNumber(1, 1_000_000),
});

const partial = schema.partial();
const FIELDS = z.keyof(schema);

/** Only `serve` reads these from the environment: `PORT` and `HOST` often mean something else there. */
const LISTENING = new Set(["api_keys", "port", "host"]);

type Values = z.infer<typeof partial>;

/**
 * The configuration of a core that runs here.
 *
 * @param file null for a core that is configured by the environment alone
 * @param onNote told of a file with secrets that others can read
 * @param environment `listens`: the core is put on the wire, so that `PORT`, `HOST` and `API_KEYS`
 *   count, too; false by default
 * @throws RunError `config_invalid`
 */
export async function loadCoreConfig(
  file: string | null,
  onNote: (line: string) => void,
  environment: { readonly env?: NodeJS.ProcessEnv; readonly listens?: boolean } = {},
): Promise<CoreConfig> {
  const { env = process.env, listens = false } = environment;
  const fromFile = file === null ? {} : await readFile(file, onNote);
  const fromEnvironment = readEnvironment(env, listens);
  const signerKeys: GivenKey[] = [];
  for (const [where, values] of [
    [file ?? "", fromFile],
    [SIGNER_KEY_FIELD.toUpperCase(), fromEnvironment],
  ] as const) {
    const key = values[SIGNER_KEY_FIELD];
    if (key !== undefined) signerKeys.push({ where, key });
  }
  return { signerKeys, ...named({ ...fromFile, ...fromEnvironment }) };
}

/** @throws RunError `config_invalid` naming the variable */
function readEnvironment(env: NodeJS.ProcessEnv, listens: boolean): Values {
  const nameOf = (field: PropertyKey): string => String(field).toUpperCase();
  const given = FIELDS.options.flatMap((field) => {
    const text = env[nameOf(field)]?.trim() ?? "";
    const counts = text !== "" && (listens || !LISTENING.has(field));
    return counts ? [[field, text] as const] : [];
  });
  return check(Object.fromEntries(given), (field) => `the variable ${nameOf(field)}`);
}

/** @throws RunError `config_invalid` naming file, line and field */
async function readFile(file: string, onNote: (line: string) => void): Promise<Values> {
  const text = readSmallFile(file, "--core-config");
  // Loaded only here: most runs have no such file.
  const { readFields } = await import("./core-config-file.js");
  const { fields, placeOf } = readFields(file, text, FIELDS.options);
  const values = check(fields, placeOf);
  const secret = values[SIGNER_KEY_FIELD] !== undefined || values.api_keys !== undefined;
  if (secret && process.platform !== "win32" && (statSync(file).mode & 0o077) !== 0) {
    onNote(`${file} holds a secret and others on this machine can read it: chmod 600 it.`);
  }
  return values;
}

/** @param placeOf names a field and where it was given */
function check(given: object, placeOf: (field: PropertyKey) => string): Values {
  const result = partial.safeParse(given);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = placeOf(issue?.path[0] ?? "");
  throw coreConfigInvalid(`${place} ${issue?.message ?? "can't be used"}`);
}

function named(values: Values): Omit<CoreConfig, "signerKeys"> {
  const { vendor_scrypt_password_encoding: encoding, api_keys: apiKeys = [], port, host } = values;
  const lifetime = values.passwordless_code_lifetime;
  const attempts = values.passwordless_max_code_input_attempts;
  const options = {
    ...(encoding === undefined ? {} : { scryptPasswordEncoding: encoding }),
    ...(lifetime === undefined ? {} : { codeLifetimeMs: lifetime }),
    ...(attempts === undefined ? {} : { maxCodeInputAttempts: attempts }),
  };
  return { apiKeys, port, host, options };
}

function splitList(text: string): string[] {
  return text.split(",").map((part) => part.trim());
}

/** A whole number; YAML and environment have it as text. */
function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string(message)
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}
