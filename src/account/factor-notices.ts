/** The notices that tell of a second factor or a passkey. */
export const FACTOR_NOTICES: ReadonlySet<string> = new Set([
  "mfa_not_migrated",
  "passkey_not_migrated",
]);
