/** How hints name an option: the command line by its flag, the library by what its caller gives. The command line's process says that it is one before this is loaded, and its threads inherit it. */

import { getEnvironmentData } from "node:worker_threads";

/**
 * What the library has in place of each flag that hints name. A flag that it has nothing for, as one
 * of a command that is to be typed, stands in a hint as it is.
 */
export const IN_LIBRARY = {
  "--allow-hash": "policy.allowHash",
  "--allow-insecure": "allowInsecure",
  "--api-key-file": "apiKey",
  "--assume-empty": "policy.assumeEmpty",
  "--assume-never-signed-in": "policy.assumeNeverSignedIn",
  "--bulk": "bulk",
  "--ca-file": "ca",
  "--carry": "policy.carry",
  "--change-kind": "policy.changeKind",
  "--checkpoint": "checkpoint",
  "--concurrency": "concurrency",
  "--core": "connectCore",
  "--data": "openEmbeddedCore",
  "--default-country": "defaultCountry",
  "--encoding": "encoding",
  "--from": "from",
  "--hash-config": "hashConfig",
  "--include": "policy.include",
  "--input-password-file": "login.password",
  "--keep-ids": "policy.keepIds",
  "--limit": "limit",
  "--map": "map",
  "--mapping": "mapping",
  "--on-existing": "policy.onExisting",
  "--on-lost-factor": "policy.onLostFactor",
  "--on-unusable-hash": "policy.onUnusableHash",
  "--out-dir": "directory",
  "--password-export": "passwordExport",
  "--prehash-salt-file": "policy.pepper",
  "--prove": "beforeBulk",
  "--query": "query",
  "--rejects-out": "rejectsOut",
  "--roles": "policy.roles",
  "--table": "table",
  "--target-moved": "targetMoved",
  "--upstream": "policy.upstream",
  "--vault": "vault",
  "--vault-key-file": "vault.key",
} as const;

/** @param flags whether options have their flags' names */
export function namesOf(flags: boolean) {
  /**
   * An option's name for a hint.
   *
   * @param behind what the command line has behind the flag alone: `FILE`, `or A_VARIABLE`
   */
  return (option: keyof typeof IN_LIBRARY, behind?: string): string =>
    flags ? [option, behind].join(" ").trimEnd() : IN_LIBRARY[option];
}

export const optionName = namesOf(getEnvironmentData("auth-migrate hints") === "flags");
