/** Secrets and contacts given in the wrong place, as people do. */

import type { Exports } from "./exports.js";
import type { RunOptions } from "./scene.js";

/** A command line that goes wrong. */
export interface Mistake {
  readonly args: readonly string[];
  readonly exitCode: number;
  readonly files?: Readonly<Record<string, string>>;
  readonly options?: RunOptions;
}

const REMOTE = ["import", "users.csv", "--core", "http://127.0.0.1:9"];
const HERE = ["--data", "core.db"];
const FIREBASE = ["import", "firebase.json", ...HERE];
const SIGNER_VARIABLE = "VENDOR_PASSWORD_HASHING_SIGNER_KEY";

/** By what is given, where it doesn't belong. */
export function mistakesWith(exports: Exports): Readonly<Record<string, Mistake>> {
  const { apiKey, signerKey } = exports;
  const [{ email, bcrypt }] = exports.proved;
  return {
    "the API key as an option": { args: [...REMOTE, `--api-key=${apiKey}`], exitCode: 2 },
    "the API key as a command": { args: [bcrypt], exitCode: 2 },
    "an email as a command": { args: [email], exitCode: 2 },
    "a hash as an argument": { args: ["hash", bcrypt], exitCode: 2 },
    "the API key as its file": { args: [...REMOTE, "--api-key-file", apiKey], exitCode: 78 },
    "the API key twice in its file": {
      args: [...REMOTE, "--api-key-file", "two-lines.key"],
      exitCode: 78,
    },
    "the API key in the core's URL": {
      args: [
        "import",
        "users.csv",
        "--core",
        `https://me:${encodeURIComponent(apiKey)}@core.example`,
      ],
      exitCode: 78,
    },
    "an API key that no header takes": {
      args: REMOTE,
      exitCode: 78,
      options: { env: { AUTH_MIGRATE_API_KEY: `${apiKey} ${apiKey}` } },
    },
    "the API key in the configuration file": {
      args: REMOTE,
      exitCode: 78,
      files: { "auth-migrate.config.json": JSON.stringify({ apiKey }) },
    },
    "the signer key in the configuration file": {
      args: FIREBASE,
      exitCode: 78,
      files: {
        "auth-migrate.config.json": JSON.stringify({
          hashConfig: { base64_signer_key: signerKey },
        }),
      },
    },
    "a broken block of parameters": {
      args: [...FIREBASE, "--hash-config", "hash-config-broken.txt"],
      exitCode: 78,
    },
    "a signer key that is none": {
      args: FIREBASE,
      exitCode: 78,
      options: { env: { [SIGNER_VARIABLE]: `${signerKey.slice(0, -5)}!?` } },
    },
    "two signer keys": {
      args: [...FIREBASE, "--hash-config", "hash-config.txt"],
      exitCode: 78,
      options: { env: { [SIGNER_VARIABLE]: signerKey.toLowerCase() } },
    },
    "a signer key as a field": {
      args: FIREBASE,
      exitCode: 78,
      files: { "auth-core.yaml": `${signerKey}: vendor_password_hashing_signer_key\n` },
    },
    "keys that nobody can send": {
      args: ["serve", ...HERE],
      exitCode: 78,
      files: { "auth-core.yaml": `api_keys: [${apiKey} ${apiKey}]\n` },
    },
    "a setup without a core": {
      args: [
        "setup",
        "firebase.json",
        "--hash-config",
        "hash-config.txt",
        "--no-input",
        "--skip-proof",
        "--core",
        "http://127.0.0.1:9",
      ],
      exitCode: 69,
      options: { env: { AUTH_MIGRATE_API_KEY: apiKey } },
    },
    "a setup that is not proved": {
      args: ["setup", "users.csv", "--no-input", ...HERE, "--prove", "wrong-passwords.csv"],
      exitCode: 78,
    },
  };
}
