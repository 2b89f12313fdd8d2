/** The embedded core's own configuration: a YAML file whose fields are also upper-case environment variables, which win (interface.md 4.5). A message names the file, the line and the field, never a value. */

import { z } from "zod";
import { DIALECTS } from "../core/dialect.js";
import { canBeSent } from "../core/http/base-url.js";
import { isOpenToOthers } from "../files/own-file.js";
import { hashParameterFlaw } from "../hash/hash-config.js";
import { coreConfigInvalid, readSmallText } from "./small-file.js";
import { hasPassword } from "./database.js";

/** Read from the working directory where `--core-config` names no other. */
export const DEFAULT_CORE_CONFIG = "auth-core.yaml";

/** The field that holds the vendor's signer key (interface.md 4.5). */
export const SIGNER_KEY_FIELD = DIALECTS.interface.signerKeyField;

/** SuperTokens' name for that field. */
export const OTHER_SIGNER_KEY_FIELD = DIALECTS.supertokens.signerKeyField;

const SIGNER_KEY_FIELDS = [SIGNER_KEY_FIELD, OTHER_SIGNER_KEY_FIELD] as const;

/** A signer key and the place that gave it, for the message where two differ. */
export interface GivenKey {
  readonly where: string;
  readonly key: string;
}

/** What the configuration says; what it doesn't say is undefined or absent, and the core's defaults hold. */
export type CoreConfig = Awaited<ReturnType<typeof loadCoreConfig>>;

const DAY_MS = 86_400_000;
/** No configuration comes near it; YAML takes its time with much more. */
const MAX_FILE_BYTES = 64 * 1024;
const KEY_LIST = "must be keys without spaces, as a list or separated by commas";

const signerKey = z.string("must be one text").check((context) => {
  const flaw = hashParameterFlaw("base64_signer_key", context.value);
  if (flaw !== null) context.issues.push({ code: "custom", message: flaw, input: "" });
});
const PLACE = "must be one file name, or a URL as in postgres://user@host/name";

const schema = z.object({
  [SIGNER_KEY_FIELD]: signerKey,
  [OTHER_SIGNER_KEY_FIELD]: signerKey,
  vendor_scrypt_password_encoding: z.enum(["utf8", "ascii"], "must be utf8 or ascii"),
  api_keys: z
    .union(
      [
        z.string().transform((text) => text.split(",").map((part) => part.trim())),
        z.array(z.string()),
      ],
      KEY_LIST,
    )
    .refine((keys) => keys.every(canBeSent), KEY_LIST),
  port: wholeNumber(0, 65_535),
  host: z
    .string("must be one text")
    .regex(/^\[?[\w.:%-]+\]?$/, "must be an address or a host name"),
  passwordless_code_lifetime: wholeNumber(1, 365 * DAY_MS),
  passwordless_max_code_input_attempts: wholeNumber(1, 1_000_000),
  verification_threads: wholeNumber(1, 256),
  verification_queue: wholeNumber(0, 1_000_000),
  bulk_import_interval: wholeNumber(1, DAY_MS),
  data: z.string(PLACE).regex(/^\P{Cc}+$/u, PLACE),
  database_pool_size: wholeNumber(1, 1000),
});

const partial = schema.partial();

/** Every field that there is; in upper case its variable. */
export const CORE_CONFIG_FIELDS = z.keyof(schema).options;

type CoreConfigField = (typeof CORE_CONFIG_FIELDS)[number];

/** Only `serve` reads these from the environment: there `PORT`, `DATA` and the like often mean something else. */
const SERVING: ReadonlySet<CoreConfigField> = new Set([
  "api_keys",
  "port",
  "host",
  "verification_threads",
  "verification_queue",
  "bulk_import_interval",
  "data",
  "database_pool_size",
]);

type Values = z.infer<typeof partial>;

interface Given {
  readonly values: Values;
  readonly placeOf: (field: CoreConfigField) => string;
}

/**
 * The configuration of a core that runs here.
 *
 * @param file null for a core that is configured by the environment alone
 * @param onNote told of a file with secrets that others can read
 * @param environment `listens`: the core is put on the wire, so that `PORT`, `HOST`, `API_KEYS` and
 *   the like count, too; false by default
 * @throws RunError `config_invalid`
 */
export async function loadCoreConfig(
  file: string | null,
  onNote: (line: string) => void,
  environment: { readonly env?: NodeJS.ProcessEnv; readonly listens?: boolean } = {},
) {
  const { env = process.env, listens = false } = environment;
  const fromFile = file === null ? null : await readFile(file, onNote);
  const fromEnvironment = readEnvironment(env, listens);
  const signerKeys = [...keysOf(fromFile), ...keysOf(fromEnvironment)];
  const values = { ...fromFile?.values, ...fromEnvironment.values };
  return {
    /** Of the file and of the environment, by either name. */
    signerKeys,
    apiKeys: values.api_keys ?? [],
    port: values.port,
    host: values.host,
    /** The data file, or the database by its URL, which may hold a password. */
    data: values.data,
    databasePoolSize: values.database_pool_size,
    /** How often the queue's job runs, in milliseconds. */
    queueIntervalMs: values.bulk_import_interval,
    /** As the embedded core takes them. */
    options: {
      scryptPasswordEncoding: values.vendor_scrypt_password_encoding,
      codeLifetimeMs: values.passwordless_code_lifetime,
      maxCodeInputAttempts: values.passwordless_max_code_input_attempts,
      verificationThreads: values.verification_threads,
      verificationQueue: values.verification_queue,
    },
  };
}

function keysOf(given: Given | null): GivenKey[] {
  return SIGNER_KEY_FIELDS.flatMap((field) => {
    const key = given?.values[field];
    return key === undefined ? [] : [{ where: given?.placeOf(field) ?? field, key }];
  });
}

/** @throws RunError `config_invalid` naming the variable */
function readEnvironment(env: NodeJS.ProcessEnv, listens: boolean): Given {
  const texts = CORE_CONFIG_FIELDS.flatMap((field) => {
    const text = env[field.toUpperCase()]?.trim() ?? "";
    const counts = text !== "" && (listens || !SERVING.has(field));
    return counts ? [[field, text] as const] : [];
  });
  const placeOf = (field: string): string => field.toUpperCase();
  const values = check(Object.fromEntries(texts), (field) => `the variable ${placeOf(field)}`);
  return { values, placeOf };
}

/** @throws RunError `config_invalid` naming file, line and field */
async function readFile(file: string, onNote: (line: string) => void): Promise<Given> {
  const found = readSmallText(file, MAX_FILE_BYTES);
  if (!("text" in found)) {
    throw coreConfigInvalid(`${file}: ${found.flaw}`, "Check the path and who may read the file.");
  }
  // Loaded only here: most runs have no such file.
  const { readFields } = await import("./core-config-file.js");
  const { fields, lineOf } = readFields(file, found.text, CORE_CONFIG_FIELDS);
  const values = check(fields, (field) => `${lineOf(field)}: ${field}`);
  const secrets = [...SIGNER_KEY_FIELDS, "api_keys"] as const;
  const isSecret =
    secrets.some((field) => values[field] !== undefined) || hasPassword(values.data ?? "");
  if (isSecret && isOpenToOthers(file)) {
    onNote(`${file} holds a secret and others on this machine can read it: chmod 600 it.`);
  }
  return { values, placeOf: (field) => `${lineOf(field)} (${field})` };
}

/** @param placeOf names a field and where it was given */
function check(given: object, placeOf: (field: string) => string): Values {
  const result = partial.safeParse(given);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = placeOf(String(issue?.path[0] ?? ""));
  throw coreConfigInvalid(`${place} ${issue?.message ?? "can't be used"}`);
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
